import type { Commit } from '@assurance/storage-ports';

/** What was committed, in the order in which the store took it. */
export interface Changes {
  /**
   * What came next: one commit or more, as many as are there; null when nothing came for a second or so.
   *
   * @throws CannotResume when the position that was asked for is gone
   * @throws StoreUnavailable
   */
  next(): Promise<ChangeBatch | null>;
  close(): Promise<void>;
}

export interface ChangeBatch {
  readonly commits: readonly Commit[];
  /** Where to go on after these. */
  readonly position: string;
}

/** What a store tells of its new commits. */
export interface ChangeSource {
  /**
   * Follows what is committed after a position.
   *
   * @param after null: from this very moment on
   */
  follow(after: string | null): Promise<Changes>;
  /** Commits made at or after a time (integer milliseconds; 0: all), by stream and seq, in bounded pages. */
  since(at: number): AsyncIterable<readonly Commit[]>;
}

/** What a store took up to now, for whoever looks at it now and then. */
export interface ChangeLog extends Pick<ChangeSource, 'since'> {
  /** The position of this very moment: all that is committed from now on comes after it. */
  now(): Promise<string>;
  /**
   * All that was committed after a position before this was asked for, in bounded batches, in the order in which the store took it. The last
   * batch may be empty: nothing but where to go on.
   *
   * @throws CannotResume when the position is gone, or is none of this store
   * @throws StoreUnavailable
   */
  after(position: string): AsyncIterable<ChangeBatch>;
}

/** What takes commits to the consumers. */
export interface Publisher {
  /** Each stream in the order given; all in-sync replicas have them when it resolves. */
  publish(commits: readonly Commit[]): Promise<void>;
  /** How many messages the topic was ever given; fewer than were published tell that it was made anew. */
  given(): Promise<number>;
}

/** The store no longer knows what followed a position. */
export class CannotResume extends Error {
  override readonly name = 'CannotResume';
}
