import type { Commit } from '@assurance/storage-ports';
import type { StreamCheckpoint } from '../checkpoints/checkpoint';

/** Commits in the order in which the store accepted them. */
export interface Changes {
  /**
   * The next commits, at least one; null if none came for about a second.
   *
   * @throws CannotResume if the requested position no longer exists
   * @throws StoreUnavailable
   */
  next(): Promise<ChangeBatch | null>;
  close(): Promise<void>;
}

export interface ChangeBatch {
  readonly commits: readonly Commit[];
  /** The position after these commits. */
  readonly position: string;
}

/** Reads the new commits of a store. */
export interface ChangeSource {
  /**
   * Follows the commits after a position.
   *
   * @param after null: from now on
   */
  follow(after: string | null): Promise<Changes>;
  /** Commits made at or after a time (integer milliseconds; 0: all), by stream and seq, in bounded pages. */
  since(at: number): AsyncIterable<readonly Commit[]>;
}

export interface PlacesBatch {
  /** The position of each commit, and the hash that was stored with it. */
  readonly places: readonly StreamCheckpoint[];
  /** The position after these commits. */
  readonly position: string;
}

/** Reads the commits of a store up to now, for readers that poll. */
export interface ChangeLog {
  /** The current position. All later commits come after it. */
  now(): Promise<string>;
  /**
   * The places of all commits in the store, in bounded batches, each stream in the order of its seq.
   *
   * @throws StoreUnavailable
   */
  all(): AsyncIterable<PlacesBatch['places']>;
  /**
   * The places of all commits after a position that were made before this call, in bounded batches, in the order in which the store accepted
   * them. The last batch may be empty. Then it only states where to continue.
   *
   * @throws CannotResume if the position no longer exists, or belongs to another store
   * @throws StoreUnavailable
   */
  after(position: string): AsyncIterable<PlacesBatch>;
}

/** Publishes commits to the consumers. */
export interface Publisher {
  /**
   * Publishes commits, each stream in the given order. When the call resolves, all in-sync replicas have the commits. A call that fails may have
   * published some of them. It is safe to repeat it, because the feed may deliver a commit more than once.
   *
   * @throws StoreUnavailable
   */
  publish(commits: readonly Commit[]): Promise<void>;
  /** How many messages the topic has ever received. If they are fewer than were published, the topic was created again. */
  messageCount(): Promise<number>;
}

/** The store no longer knows which changes followed a position. */
export class CannotResume extends Error {
  override readonly name = 'CannotResume';
}
