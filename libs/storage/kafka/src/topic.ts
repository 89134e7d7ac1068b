import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from 'kafkajs';

/** The topic that carries all commits. */
export const TOPIC = 'assurance.events.v1';
/** How many consumers of one group can share the work. Fixed when the topic is made: a stream must stay in its partition. */
export const PARTITIONS = 12;
/** Copies of each partition, where there are so many brokers. */
const REPLICAS = 3;
const MADE_MS = 30_000;
const LOOK_MS = 50;

/** Makes the topic where it is not there, and waits until every partition has a leader. kafkajs's own wait fails now and then on a new broker. */
export async function makeTopic(admin: Admin, topic: string): Promise<void> {
  if (!(await admin.listTopics()).includes(topic)) {
    const { brokers } = await admin.describeCluster();
    const replicationFactor = Math.min(REPLICAS, brokers.length);
    const configEntries = [
      // A group that is new starts at the first commit, however old.
      { name: 'retention.ms', value: '-1' },
      ...(replicationFactor >= 3 ? [{ name: 'min.insync.replicas', value: '2' }] : []),
    ];
    const topics = [{ topic, numPartitions: PARTITIONS, replicationFactor, configEntries }];
    await admin.createTopics({ topics, waitForLeaders: false });
  }
  for (let waited = 0; !(await isLed(admin, topic)); waited += LOOK_MS) {
    if (waited >= MADE_MS) throw new Error(`topic ${topic} has partitions without a leader`);
    await sleep(LOOK_MS);
  }
}

async function isLed(admin: Admin, topic: string): Promise<boolean> {
  try {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    const partitions = topics.find(({ name }) => name === topic)?.partitions ?? [];
    if (partitions.length === 0 || partitions.some(({ leader }) => leader < 0)) return false;
    // A leader that is named may not know it yet.
    await admin.fetchTopicOffsets(topic);
    return true;
  } catch {
    return false;
  }
}
