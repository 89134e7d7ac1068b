import type { Admin } from 'kafkajs';
import type { Commit, Feed, FeedConsumer } from '@assurance/storage-ports';
import { follow, type FollowOptions, type Offsets } from './follow';

const BATCH_MAX = 1_000;

export interface KafkaFeedOptions extends Pick<FollowOptions, 'kafka' | 'topic' | 'onFault'> {
  readonly admin: Admin;
  /** The prefix of the names of groups. */
  readonly prefix: string;
}

/** The feed on Kafka: consumer groups with committed offsets; the members of a group share the partitions. */
export class KafkaFeed implements Feed {
  private readonly runningConsumers = new Set<FeedConsumer>();

  constructor(private readonly options: KafkaFeedOptions) {}

  async consume(
    group: string,
    handle: (batch: readonly Commit[]) => Promise<void>,
    { maxBatch }: { readonly maxBatch: number },
  ): Promise<FeedConsumer> {
    if (!(maxBatch >= 1 && maxBatch <= BATCH_MAX))
      throw new RangeError(`maxBatch is 1 to ${BATCH_MAX}, not ${maxBatch}`);
    const { kafka, topic, prefix, onFault } = this.options;
    const groupId = `${prefix}${group}`;
    const stop = await follow({ kafka, topic, groupId, handle, maxBatch, onFault });
    const consumer: FeedConsumer = {
      lag: () => this.lag(groupId),
      stop: async () => {
        this.runningConsumers.delete(consumer);
        await stop();
      },
    };
    this.runningConsumers.add(consumer);
    return consumer;
  }

  async close(): Promise<void> {
    await Promise.all([...this.runningConsumers].map((consumer) => consumer.stop()));
  }

  private async lag(groupId: string): Promise<number> {
    const { admin, topic } = this.options;
    const [there, groups] = await Promise.all([
      admin.fetchTopicOffsets(topic),
      admin.fetchOffsets({ groupId, topics: [topic] }),
    ]);
    const confirmedOffsets: Offsets = new Map(
      groups.flatMap(({ partitions }) => partitions.map(({ partition, offset }) => [partition, Number(offset)])),
    );
    return there.reduce((sum, { partition, high, low }) => {
      const from = Math.max(confirmedOffsets.get(partition) ?? -1, Number(low));
      return sum + Math.max(0, Number(high) - from);
    }, 0);
  }
}
