import type { Commit } from './commit';

/** A running consumer of the feed. */
export interface FeedConsumer {
  /** Commits that are in the feed and that this group has not confirmed yet. */
  lag(): Promise<number>;
  /** Takes no new batch, waits for the one under way, commits its position, leaves the group. */
  stop(): Promise<void>;
}

/** How a consumer wants its batches. */
export interface FeedOptions {
  /** The most commits a batch holds (1 to 1,000). */
  readonly maxBatch: number;
}

/**
 * Every commit of the event store, handed to consumer groups.
 *
 * Promises: each commit reaches each group at least once; in order per stream; batches are bounded in number and bytes
 * (`FEED_BATCH_BYTES_MAX`); a group's position moves on only after `handle` resolved, and survives a restart; a group that is new starts at the
 * first commit; when `handle` rejects, the same commits come again. Not promised: an order across streams, no repeats, no gaps after a repair
 * (a consumer that sees a gap in a stream reads the missing commits from the store).
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
