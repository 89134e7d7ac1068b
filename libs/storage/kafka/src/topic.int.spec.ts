import { type Admin, Kafka, logLevel } from 'kafkajs';
import { makeCommit } from '@assurance/testing/conformance/harness';
import { localServer } from '@assurance/testing/engines/local-server';
import type { RunningServer } from '@assurance/testing/engines/running';
import { openKafka } from './open-kafka';

const START_MS = 180_000;

describe('a topic on three brokers', () => {
  let server: RunningServer;
  let brokers: string[];
  let admin: Admin;
  beforeAll(async () => {
    server = await localServer('kafka-cluster');
    brokers = server.url.split(',');
    admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
  }, START_MS);
  afterAll(async () => {
    await admin.disconnect();
    await server.stop();
  });

  /** The messages about the topic when an installation starts. Messages that stop the start begin with `refused`. A usable topic accepts a commit. */
  async function settingsText(prefix: string): Promise<string[]> {
    const logged: string[] = [];
    try {
      const kafka = await openKafka({ brokers, prefix, onFault: (fault) => logged.push((fault as Error).message) });
      await (await kafka.publisher()).publish([makeCommit()]);
      await kafka.close();
    } catch (error) {
      logged.push(`refused: ${(error as Error).message}`);
    }
    return logged;
  }

  /** Creates a topic as an operator would, with one setting that differs. */
  async function make(prefix: string, config: Readonly<Record<string, string>>, partitions = 12, copies = 3) {
    const all = { 'retention.ms': '-1', 'retention.bytes': '-1', 'min.insync.replicas': '2', ...config };
    await admin.createTopics({
      topics: [
        {
          topic: `${prefix}assurance.events.v1`,
          numPartitions: partitions,
          replicationFactor: copies,
          configEntries: Object.entries(all).map(([name, value]) => ({ name, value })),
        },
      ],
      waitForLeaders: false,
    });
    return settingsText(prefix);
  }

  const configs = (prefix: string, config: string) =>
    `Run: kafka-configs.sh --alter --entity-type topics --entity-name ${prefix}assurance.events.v1 --add-config ${config}`;

  it('is made with three copies, requires two copies of a commit, and passes its own check', async () => {
    expect(await settingsText('own.')).toEqual([]);
    expect(await settingsText('own.')).toEqual([]);
    const { topics } = await admin.fetchTopicMetadata({ topics: ['own.assurance.events.v1'] });
    expect(topics[0]?.partitions.map(({ replicas }) => replicas.length)).toEqual(Array.from({ length: 12 }, () => 3));
  });

  it('passes when others made it as the documentation says', async () => {
    expect(await make('right.', {})).toEqual([]);
  });

  it('is used, and what is wrong is said, with too few copies or partitions, or where one broker may have a commit alone', async () => {
    expect(await make('few-copies.', { 'min.insync.replicas': '1' }, 12, 2)).toEqual([
      'Topic few-copies.assurance.events.v1 has 2 copies of a partition; there are brokers for 3. Add copies with kafka-reassign-partitions.sh.',
    ]);
    expect(await make('alone.', { 'min.insync.replicas': '1' })).toEqual([
      `Topic alone.assurance.events.v1 takes a commit that only one broker has. ${configs('alone.', 'min.insync.replicas=2')}`,
    ]);
    expect(await make('few.', {}, 4)).toEqual([
      'Topic few.assurance.events.v1 has 4 partitions, so that at most 4 instances of a service share its work. ' +
        'Partitions cannot be added later: a topic with 12 needs another ASSURANCE_KAFKA_PREFIX.',
    ]);
  });

  it('stops the start where it drops commits', async () => {
    expect(await make('short.', { 'retention.ms': '60000', 'retention.bytes': '1000000' })).toEqual([
      'refused: Topic short.assurance.events.v1 drops commits: it has retention.ms=60000, retention.bytes=1000000. ' +
        configs('short.', 'retention.ms=-1,retention.bytes=-1'),
    ]);
    expect(await make('compacted.', { 'cleanup.policy': 'compact' })).toEqual([
      'refused: Topic compacted.assurance.events.v1 drops commits: it has cleanup.policy=compact. ' +
        configs('compacted.', 'cleanup.policy=delete'),
    ]);
  });

  it('stops the start where it can take no commit', async () => {
    expect(await make('none.', { 'min.insync.replicas': '3' }, 12, 2)).toEqual([
      `refused: Topic none.assurance.events.v1 takes no commit: 3 brokers must have it, and 2 can. ${configs('none.', 'min.insync.replicas=1')}`,
    ]);
  });
});
