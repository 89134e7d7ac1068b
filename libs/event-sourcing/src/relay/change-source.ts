import type { Commit } from '@assurance/storage-ports';
import type { StreamCheckpoint } from '../checkpoints/checkpoint';

/** Commits in the order in which the store accepted them. */
export interface Changes {
  /**
   * The next commits, at least one; null if none came for about a second.
   *
   * @throws CannotResume when the position that was asked for is gone
   * @throws StoreUnavailable
   */
  next(): Promise<ChangeBatch | null>;
  close(): Promise<void>;
}

export interface ChangeBatch {
  readonly commits: readonly Commit[];
  /** The position after these. */
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
  /** Of each commit its place, and the hash that was stored with it. */
  readonly places: readonly StreamCheckpoint[];
  /** The position after these. */
  readonly position: string;
}

/** Reads the commits of a store up to now, for readers that poll. */
export interface ChangeLog {
  /** The current position: everything that is committed from now on comes after it. */
  now(): Promise<string>;
  /**
   * The places of all commits in the store, in bounded batches, each stream in the order of its seq.
   *
   * @throws StoreUnavailable
   */
  all(): AsyncIterable<PlacesBatch['places']>;
  /**
   * The places of all commits after a position that were made before this was asked for, in bounded batches, in the order in which the store
   * accepted them. The last batch may be empty: it only says where to continue.
   *
   * @throws CannotResume if the position no longer exists, or belongs to another store
   * @throws StoreUnavailable
   */
  after(position: string): AsyncIterable<PlacesBatch>;
}

/** Publishes commits to the consumers. */
export interface Publisher {
  /**
   * Publishes commits, each stream in the order given. All in-sync replicas have them when it resolves. A call that fails may have published
   * some: repeating it is safe, for the feed promises no "only once".
   *
   * @throws StoreUnavailable
   */
  publish(commits: readonly Commit[]): Promise<void>;
  /** How many messages the topic has ever received. Fewer than were published show that the topic was created anew. */
  messageCount(): Promise<number>;
}

/** The store no longer knows what followed a position. */
export class CannotResume extends Error {
  override readonly name = 'CannotResume';
}
