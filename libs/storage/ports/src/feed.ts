import type { Commit } from './commit';

/** A running consumer of the feed. */
export interface FeedConsumer {
  /** Commits that are in the feed and that this group has not confirmed yet. */
  lag(): Promise<number>;
  /** Takes no new batch, waits for the running one, commits its position and leaves the group. */
  stop(): Promise<void>;
}

/** Bounds of the batches of a consumer. */
export interface FeedOptions {
  /** The most commits a batch holds (1 to 1,000). */
  readonly maxBatch: number;
}

/**
 * Delivers every commit of the event store to consumer groups.
 *
 * Promises: each commit reaches each group at least once, in order for each stream. Batches are bounded in number and bytes
 * (`FEED_BATCH_BYTES_MAX`). The position of a group moves only after `handle` resolved, and survives a restart. A new group starts at
 * the first commit. When `handle` rejects, the same commits are delivered again. Not promised: an order across streams, no repeats, no
 * gaps after a repair (a consumer that sees a gap reads the missing commits from the store).
 */
export interface Feed {
  consume(
    group: string,
    handle: (batch: readonly Commit[]) => Promise<void>,
    options: FeedOptions,
  ): Promise<FeedConsumer>;
}

/** The most bytes of commits in one batch, beyond its first commit. */
export const FEED_BATCH_BYTES_MAX = 4 * 1024 * 1024;
