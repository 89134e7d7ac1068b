import { setTimeout as sleep } from 'node:timers/promises';
import { type Admin, ConfigResourceTypes } from 'kafkajs';
import { StoreMisconfigured } from '@assurance/storage-ports';

/** The topic that carries all commits. */
export const TOPIC = 'assurance.events.v1';
/**
 * The partitions of a new topic, and so the most consumers of a group that share the work. An operator may create a topic with more. A stream must
 * stay in its partition.
 */
export const PARTITIONS = 12;
/** Replicas of each partition, if there are enough brokers. */
const REPLICAS = 3;
/** How many replicas must have a commit before it counts as published, if there are three. */
const IN_SYNC = 2;
const MIN_IN_SYNC = 'min.insync.replicas';
/** The configuration that keeps every commit, because a new consumer group starts at the first one. */
const KEEPING = { 'retention.ms': '-1', 'retention.bytes': '-1' } as const;
/** Compaction would keep only one commit of each stream, so the cleanup policy must be `delete`. */
const KEPT = { ...KEEPING, 'cleanup.policy': 'delete' } as const;
const MADE_MS = 30_000;
const LOOK_MS = 50;

/** Types of Kafka's errors for a client that may not create a topic. */
const MAY_NOT = new Set(['TOPIC_AUTHORIZATION_FAILED', 'CLUSTER_AUTHORIZATION_FAILED', 'POLICY_VIOLATION']);

/**
 * Creates the topic if it does not exist, waits until every partition has a leader, and checks the configuration of the topic.
 *
 * @returns sentences that say what should be configured differently, and how
 * @throws StoreMisconfigured if the topic does not exist and may not be created, if it drops commits, or if it can accept none
 */
export async function makeTopic(admin: Admin, topic: string): Promise<string[]> {
  await haveTopic(admin, topic, KEEPING);
  return check(admin, topic);
}

/**
 * Creates a topic if it does not exist, and waits until every partition has a leader. An existing topic keeps its
 * configuration.
 *
 * @param settings further configuration of a new topic
 * @throws StoreMisconfigured if the topic does not exist and may not be created
 */
export async function haveTopic(
  admin: Admin,
  topic: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  if (!(await admin.listTopics()).includes(topic)) await create(admin, topic, settings);
  // The wait of kafkajs sometimes fails on a new broker.
  for (let waitedMs = 0; !(await hasLeader(admin, topic)); waitedMs += LOOK_MS) {
    if (waitedMs >= MADE_MS) throw new Error(`topic ${topic} has partitions without a leader`);
    await sleep(LOOK_MS);
  }
}

async function create(admin: Admin, topic: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const { brokers } = await admin.describeCluster();
  const replicationFactor = Math.min(REPLICAS, brokers.length);
  const config = {
    ...settings,
    ...(replicationFactor >= REPLICAS ? { [MIN_IN_SYNC]: String(IN_SYNC) } : {}),
  };
  const configEntries = Object.entries(config).map(([name, value]) => ({ name, value }));
  try {
    await admin.createTopics({
      topics: [{ topic, numPartitions: PARTITIONS, replicationFactor, configEntries }],
      waitForLeaders: false,
    });
  } catch (cause) {
    if (!MAY_NOT.has(typeOf(cause))) throw cause;
    const options = configEntries.map(({ name, value }) => ` --config ${name}=${value}`).join('');
    throw new StoreMisconfigured(
      `Kafka has no topic ${topic}, and this client may not make it. Run: kafka-topics.sh --create --topic ${topic} ` +
        `--partitions ${PARTITIONS} --replication-factor ${replicationFactor}${options}`,
      { cause },
    );
  }
}

async function check(admin: Admin, topic: string): Promise<string[]> {
  const { brokers } = await admin.describeCluster();
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
  const partitions = topics.find(({ name }) => name === topic)?.partitions ?? [];
  const replicas = Math.min(...partitions.map((partition) => partition.replicas.length));
  const differences: string[] = [];
  if (partitions.length < PARTITIONS) {
    differences.push(
      `Topic ${topic} has ${partitions.length} partitions, so that at most ${partitions.length} instances of a service share ` +
        `its work. Partitions cannot be added later: a topic with ${PARTITIONS} needs another ASSURANCE_KAFKA_PREFIX.`,
    );
  }
  if (replicas < Math.min(REPLICAS, brokers.length)) {
    differences.push(
      `Topic ${topic} has ${replicas} copies of a partition; there are brokers for ${Math.min(REPLICAS, brokers.length)}. ` +
        'Add copies with kafka-reassign-partitions.sh.',
    );
  }
  const config = await configOf(admin, topic);
  if (config === null)
    return [...differences, `This client may not read how topic ${topic} is configured: grant it DescribeConfigs.`];
  const drops = Object.entries(KEPT).filter(([name, needed]) => (config.get(name) ?? needed) !== needed);
  if (drops.length > 0) {
    const results = drops.map(([name]) => `${name}=${config.get(name)}`);
    const settings = drops.map(([name, value]) => `${name}=${value}`);
    throw new StoreMisconfigured(
      `Topic ${topic} drops commits: it has ${results.join(', ')}. Run: ${alter(topic, settings.join(','))}`,
    );
  }
  const inSync = Number(config.get(MIN_IN_SYNC));
  const right = Math.max(1, Math.min(IN_SYNC, replicas - 1));
  const run = `Run: ${alter(topic, `${MIN_IN_SYNC}=${right}`)}`;
  if (inSync > replicas)
    throw new StoreMisconfigured(
      `Topic ${topic} takes no commit: ${inSync} brokers must have it, and ${replicas} can. ${run}`,
    );
  if (replicas >= REPLICAS && inSync < IN_SYNC)
    differences.push(`Topic ${topic} takes a commit that only one broker has. ${run}`);
  return differences;
}

/** @returns null if the client may not read the configuration */
async function configOf(admin: Admin, topic: string): Promise<ReadonlyMap<string, string> | null> {
  const resource = {
    type: ConfigResourceTypes.TOPIC,
    name: topic,
    configNames: [...Object.keys(KEPT), MIN_IN_SYNC],
  };
  try {
    const { resources } = await admin.describeConfigs({ resources: [resource], includeSynonyms: false });
    const entries = resources.flatMap(({ configEntries }) => configEntries);
    return new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
  } catch (cause) {
    if (MAY_NOT.has(typeOf(cause))) return null;
    throw cause;
  }
}

function alter(topic: string, config: string): string {
  return `kafka-configs.sh --alter --entity-type topics --entity-name ${topic} --add-config ${config}`;
}

/** The type of an error of Kafka, or of the first of several errors; an empty text for other errors. */
function typeOf(fault: unknown): string {
  const { type, errors } = fault as { type?: unknown; errors?: readonly unknown[] };
  if (typeof type === 'string') return type;
  return errors?.[0] === undefined ? '' : typeOf(errors[0]);
}

async function hasLeader(admin: Admin, topic: string): Promise<boolean> {
  try {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    const partitions = topics.find(({ name }) => name === topic)?.partitions ?? [];
    if (partitions.length === 0 || partitions.some(({ leader }) => leader < 0)) return false;
    // The named leader may not know yet that it leads.
    await admin.fetchTopicOffsets(topic);
    return true;
  } catch {
    return false;
  }
}
