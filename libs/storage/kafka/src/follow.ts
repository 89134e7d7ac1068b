import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import {
  type Consumer,
  type EachBatchPayload,
  type Kafka,
  KafkaJSError,
  type KafkaMessage,
  type OffsetsByTopicPartition,
  type PartitionOffset,
} from 'kafkajs';
import { type Commit, FEED_BATCH_BYTES_MAX } from '@assurance/storage-ports';
import { commitOf } from './message';
import { type CommitBatch, joinBatches } from './join-batches';
import { PARTITIONS } from './topic';

/** Offsets by partition. */
export type Offsets = Map<number, number>;

export interface FollowOptions {
  readonly kafka: Kafka;
  readonly topic: string;
  readonly groupId: string;
  readonly handle: (batch: readonly Commit[]) => Promise<void>;
  readonly maxBatch: number;
  /** Is called with faults that no caller waits for. */
  readonly onFault: (error: unknown) => void;
}

const SESSION_MS = 10_000;
const HEARTBEAT_MS = 1_000;
const FIRST_DELAY_MS = 20;
const LAST_DELAY_MS = 1_000;

/**
 * Joins a consumer group and delivers the commits of its partitions together, one batch at a time. Offsets are
 * committed after a batch was handled, with one request for all partitions.
 *
 * @returns a function that stops: it starts no new batch, waits for the running one, and leaves the group
 */
export async function follow(options: FollowOptions): Promise<() => Promise<void>> {
  const stopController = new AbortController();
  const { signal } = stopController;
  let consumer: Consumer | null = null;
  let rejoining: Promise<void> | null = null;
  // The client stops after errors that it considers permanent. Without a new consumer the process would continue, but no longer update its views.
  const rejoin = async (): Promise<void> => {
    while (!signal.aborted) {
      await sleep(LAST_DELAY_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        consumer = await join(options, signal, gaveUp);
        return;
      } catch (error) {
        options.onFault(error);
      }
    }
  };
  const gaveUp = () => void (rejoining = rejoin());
  consumer = await join(options, signal, gaveUp);
  return async () => {
    stopController.abort();
    await rejoining;
    await consumer?.stop();
    await consumer?.disconnect();
  };
}

/** @param gaveUp is called when the consumer has ended by itself and will not restart */
async function join(options: FollowOptions, stopSignal: AbortSignal, gaveUp: () => void): Promise<Consumer> {
  const { kafka, topic, groupId, handle, maxBatch, onFault } = options;
  const hand = joinBatches(handle, maxBatch, stopSignal);
  const confirm = offsetCommitter(topic);
  const consumer = kafka.consumer({
    groupId,
    sessionTimeout: SESSION_MS,
    heartbeatInterval: HEARTBEAT_MS,
    rebalanceTimeout: 30_000,
    allowAutoTopicCreation: false,
    // The broker answers at once when records arrive. The default of 5 s makes joins and stops slow; 0.1 s would keep idle consumers busy.
    maxWaitTimeInMs: 300,
    maxBytesPerPartition: FEED_BATCH_BYTES_MAX,
    retry: { restartOnFailure: () => Promise.resolve(true) },
  });
  consumer.on(consumer.events.CRASH, ({ payload: { error, restart } }) => {
    if (stopSignal.aborted) return;
    if (!passes(error)) onFault(error);
    if (!restart) gaveUp();
  });
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: PARTITIONS,
      eachBatch: (payload) => handOver(payload, options, { hand, confirm }, stopSignal),
    });
  } catch (error) {
    // The consumer may be connected, and no other code has a reference to it. The next attempt creates another one.
    await consumer.disconnect().catch(onFault);
    throw error;
  }
  return consumer;
}

type Confirm = (next: PartitionOffset, commit: (offsets: OffsetsByTopicPartition) => Promise<void>) => Promise<void>;

/** Commits offsets. If pieces of several partitions were handled as one batch, it commits their offsets with one request. */
function offsetCommitter(topic: string): Confirm {
  let gatheredOffsets: PartitionOffset[] = [];
  let currentSend: Promise<void> | null = null;
  return (next, commit) => {
    gatheredOffsets.push(next);
    currentSend ??= turn().then(() => {
      const partitions = gatheredOffsets;
      [gatheredOffsets, currentSend] = [[], null];
      return commit({ topics: [{ topic, partitions }] });
    });
    return currentSend;
  };
}

async function handOver(
  { batch, heartbeat, isRunning, isStale, resolveOffset, commitOffsetsIfNecessary }: EachBatchPayload,
  { maxBatch, onFault }: FollowOptions,
  { hand, confirm }: { readonly hand: (piece: CommitBatch) => Promise<boolean>; readonly confirm: Confirm },
  stopSignal: AbortSignal,
): Promise<void> {
  for (const { last, ...piece } of pieces(batch.messages, maxBatch)) {
    for (let delay = FIRST_DELAY_MS; ; delay = Math.min(delay * 2, LAST_DELAY_MS)) {
      if (stopSignal.aborted || !isRunning() || isStale()) return;
      try {
        if (await withHeartbeats(heartbeat, () => hand(piece))) break;
      } catch (error) {
        onFault(error);
      }
      await withHeartbeats(heartbeat, () => sleep(delay, undefined, { signal: stopSignal }).catch(() => undefined));
    }
    resolveOffset(last);
    const next = { partition: batch.partition, offset: String(BigInt(last) + 1n) };
    await confirm(next, commitOffsetsIfNecessary);
    await heartbeat();
  }
}

/** Whether the client recovers by itself, as after a moved coordinator or a restarted broker. */
function passes(error: unknown): boolean {
  return error instanceof KafkaJSError && error.retriable;
}

/** Sends heartbeats during the work, because a batch may take longer than a session. */
async function withHeartbeats<T>(heartbeat: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  // The error may be ignored here: a member that was expelled gets it again when it commits its offset.
  const beat = setInterval(() => void heartbeat().catch(() => undefined), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}

/** Splits messages into pieces within the limits of the port. Each piece has its last offset. */
function* pieces(
  messages: readonly KafkaMessage[],
  maxBatch: number,
): Generator<CommitBatch & { readonly last: string }> {
  let commits: Commit[] = [];
  let bytes = 0;
  let first = 0;
  let last = '';
  for (const message of messages) {
    const size = message.value?.length ?? 0;
    // The first message of a piece does not count towards its limit of bytes.
    const full = commits.length === maxBatch || bytes - first + size > FEED_BATCH_BYTES_MAX;
    if (commits.length > 0 && full) {
      yield { commits, bytes, last };
      [commits, bytes] = [[], 0];
    }
    if (commits.length === 0) first = size;
    bytes += size;
    commits.push(commitOf(message));
    last = message.offset;
  }
  if (commits.length > 0) yield { commits, bytes, last };
}
