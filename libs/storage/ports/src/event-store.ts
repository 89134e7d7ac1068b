import type { Commit } from './commit';

/**
 * The outcome of an append.
 * - `appended`: durable (it survives a power cut) and visible to every later read. Appending the same commit (same id)
 * again gives `appended` and changes nothing.
 * - `conflict`: another commit has this (stream, seq); rarely none has, if the write of a competitor did not last.
 * Nothing was written. Load and decide again. A stored commit never gets this.
 * - `gap`: the previous commit is missing: the one at `seq - 1` with the hash `prev` (`commitHash`). Nothing was
 * written. So the next commit of a process that lost the race is not appended to the commit of the winner.
 */
export type AppendOutcome = 'appended' | 'conflict' | 'gap';

/** The newest commit of an actor in one stream. */
export interface StreamPosition {
  readonly stream: string;
  readonly seq: number;
}

/** A page of all commits of the store, for rebuilds and checks. */
export interface CommitPage {
  readonly commits: readonly Commit[];
  /** Pass it to read the next page; null at the present end. */
  readonly next: string | null;
  /**
   * On a last page: the start of a later scan that returns only commits appended since this scan began. Absent if the engine cannot
   * tell.
   */
  readonly since?: string;
}

/**
 * The log of record: commits in streams, never rewritten.
 * Only the data of events can be removed, where digests and hashes stay, and whole streams.
 *
 * Every promise has one test in the conformance suite, which every engine passes. A write with an unknown result throws
 * `StoreUnavailable`; repeating it with the same commit is safe.
 */
export interface EventStore {
  /**
   * Adds one commit. Its outcome does not depend on other appends. Of concurrent appends at one (stream, seq), at most one is
   * `appended`.
   *
   * @throws CommitTooLarge when the commit is larger than `COMMIT_BYTES_MAX`
   * @throws StoreUnavailable
   * @throws StoreFull when there is no space: nothing was written
   * @throws StoreBusy when `APPENDS_AT_ONCE_MAX` appends are running, or fewer large ones: nothing was written
   */
  append(commit: Commit): Promise<AppendOutcome>;

  /** The newest commit of a stream, null when it has none. */
  newest(stream: string): Promise<Commit | null>;

  /** Commits of a stream with `from <= seq`, ascending, at most `limit` (1 to 1,000). Fewer than that are all there are. */
  read(stream: string, from: number, limit: number): Promise<Commit[]>;

  /** The commit that made a snapshot: the first of the stream whose index says so; null when there is none. */
  bySnapshot(stream: string, snapshot: number): Promise<Commit | null>;

  /**
   * The newest commit of a stream at or before a time, null when there is none. Within a stream, times and snapshots never decrease; the
   * caller of `append` ensures that.
   *
   * @param at integer milliseconds
   */
  asOf(stream: string, at: number): Promise<Commit | null>;

  /**
   * The newest seq of an actor in each stream of some kinds, since a time. Reads positions only, not commits.
   *
   * @param since integer milliseconds
   * @param kinds first segments of streams
   */
  recentOf(actor: string, since: number, kinds: ReadonlySet<string>): Promise<StreamPosition[]>;

  /**
   * All commits, each stream in order; `after` is the `next` of a page, null for the beginning. All pages together are the store at one
   * instant: every commit from before the first page once, and none from after it. If a commit is included, the commits that it followed
   * in any stream are included too.
   *
   * @param limit 1 to 1,000; a page also ends early when it grows large
   */
  scan(after: string | null, limit: number): Promise<CommitPage>;

  /**
   * Stores data outside commits by digest, once for each organization, in chunks, so that every engine accepts 20 MB and more. Durable
   * when it resolves. Putting it again changes nothing. Errors as `append`.
   *
   * @param text canonical JSON
   * @returns SHA-256 of the text's UTF-8 bytes
   */
  putData(org: string, text: string): Promise<string>;

  /** The data put under a digest by this organization, null when there is none (another organization's is never seen). */
  readData(org: string, digest: string): Promise<string | null>;

  /**
   * Removes the data of a commit's events under some digests, inside the commit and outside it. The rest of the commit stays, and with it
   * its hash. Outside data that other commits of the organization name under the same digest goes too: use it for data that names what it is
   * about. Durable when it resolves; again, and for a commit that is not there, it does nothing.
   */
  dropData(stream: string, seq: number, digests: readonly string[]): Promise<void>;

  /**
   * Removes a whole stream: its commits, the newest first, and the data outside them that they name, which other commits of the organization
   * lose too. For streams of an organization that is erased: nothing may append to them any more. Durable when it resolves. A removal that was
   * interrupted leaves the beginning of the stream, and again it removes the rest. Without such a stream it does nothing.
   */
  removeStream(stream: string): Promise<void>;

  /**
   * Removes data that was put under a digest. Only for data that no commit names as that of an event. Durable when it resolves; again it removes
   * what was left when it was interrupted.
   *
   * @param size its bytes, or more
   */
  removeData(org: string, digest: string, size: number): Promise<void>;
}

/** The maximum of concurrent appends of an engine. More are refused, so that no queue grows without bound. */
export const APPENDS_AT_ONCE_MAX = 4_096;

/** The largest commit in bytes of JSON: it must pass the feed in one message (256 KiB with its envelope). */
export const COMMIT_BYTES_MAX = 240 * 1024;
