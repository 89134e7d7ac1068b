import { type CollectionDefinition, type Documents, StoreMisconfigured } from '@assurance/storage-ports';

/** The current state of a topic. */
export interface TopicLayout {
  readonly topic: string;
  readonly partitions: number;
  /** How many messages the topic has ever received. */
  readonly messages: number;
}

interface StoredLayout {
  readonly partitions: number;
}

const layouts: CollectionDefinition<StoredLayout> = { name: 'topic_layouts', indexes: [] };

/**
 * Stores how many partitions a topic had at its first commits. The name of a stream and the number of partitions select
 * its partition. With another number, later commits would overtake earlier ones. An empty topic may have any number.
 *
 * @throws StoreMisconfigured if the number has changed
 */
export async function checkLayout(documents: Documents, { topic, partitions, messages }: TopicLayout): Promise<void> {
  let before = partitions;
  await documents.collection(layouts).merge([topic], (current) => {
    before = messages === 0 || current === null ? partitions : current.partitions;
    return current?.partitions === before ? undefined : { partitions: before };
  });
  if (before === partitions) return;
  throw new StoreMisconfigured(
    `Topic ${topic} has ${partitions} partitions, and had ${before} when it took its first commits. Commits of one stream ` +
      `now lie in two partitions and may be processed in the wrong order. Stop all services, make a topic with ${partitions} ` +
      'partitions under another ASSURANCE_KAFKA_PREFIX, and start all services with that prefix: they fill it from MongoDB.',
  );
}
