import type { Admin, Kafka, KafkaMessage } from 'kafkajs';
import type { Commit } from '@assurance/storage-ports';
import { commitOf } from './message';

/** The limit of an answer (bytes). A broker nevertheless answers with one whole batch of messages, however large it is. */
const ANSWER_BYTES = 1;
const WAIT_MS = 1_000;

interface FetchResponse {
  readonly responses: readonly { readonly partitions: readonly { readonly messages: readonly KafkaMessage[] }[] }[];
}
/** The used part of the internal class that kafkajs has for its consumers. */
interface Cluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  addTargetTopic(topic: string): Promise<void>;
  findLeaderForPartitions(topic: string, partitions: readonly number[]): Readonly<Record<string, readonly number[]>>;
  findBroker(of: { readonly nodeId: string }): Promise<{ fetch(request: object): Promise<FetchResponse> }>;
}
type MakeCluster = (options: { readonly allowAutoTopicCreation: boolean }) => Cluster;

/**
 * Reads the newest commit of each partition that has one. It joins no consumer group, because that would take seconds and need rights on another
 * group. Instead it uses the internal fetch of kafkajs 2.2.4. Messages of other programs are left out.
 */
export async function newestOf(kafka: Kafka, admin: Admin, topic: string): Promise<Commit[]> {
  const offsets = await admin.fetchTopicOffsets(topic);
  const last = new Map(
    offsets.filter(({ high, low }) => high !== low).map((offset) => [offset.partition, Number(offset.high) - 1]),
  );
  if (last.size === 0) return [];
  const cluster = clusterOf(kafka);
  try {
    await cluster.connect();
    await cluster.addTargetTopic(topic);
    const leaders = cluster.findLeaderForPartitions(topic, [...last.keys()]);
    const results = await Promise.all(
      Object.entries(leaders).map(async ([nodeId, own]) => {
        const broker = await cluster.findBroker({ nodeId });
        // Each partition needs its own request, because a broker may fill an answer with the batch of only one partition. The requests run one
        // after another, because a broker object of kafkajs connects with its first request.
        const answers: Commit[][] = [];
        for (const partition of own) answers.push(await fetchLast(broker, topic, partition, last.get(partition)!));
        return answers.flat();
      }),
    );
    return results.flat();
  } finally {
    await cluster.disconnect();
  }
}

async function fetchLast(
  broker: Awaited<ReturnType<Cluster['findBroker']>>,
  topic: string,
  partition: number,
  offset: number,
): Promise<Commit[]> {
  const { responses } = await broker.fetch({
    maxWaitTime: WAIT_MS,
    minBytes: 1,
    maxBytes: ANSWER_BYTES,
    isolationLevel: 0,
    topics: [{ topic, partitions: [{ partition, fetchOffset: String(offset), maxBytes: ANSWER_BYTES }] }],
  });
  const messages = responses.flatMap(({ partitions }) => partitions.flatMap((candidate) => candidate.messages));
  const message = messages.find((candidate) => candidate.offset === String(offset));
  if (message === undefined) return [];
  try {
    return [commitOf(message)];
  } catch {
    return [];
  }
}

function clusterOf(kafka: Kafka): Cluster {
  const key = Object.getOwnPropertySymbols(kafka).find(({ description = '' }) =>
    description.endsWith(':createCluster'),
  );
  const make = key === undefined ? undefined : (kafka as unknown as Record<symbol, MakeCluster>)[key];
  if (make === undefined) throw new Error('kafkajs has no createCluster inside: it is no longer 2.2.4');
  return make({ allowAutoTopicCreation: false });
}
