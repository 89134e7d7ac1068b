import type { Commit } from './commit';

/**
 * The outcome of an append.
 * - `appended`: durable (it survives a power cut) and visible to every later read. Appending the same commit (same id)
 * again gives `appended` and changes nothing.
 * - `conflict`: another commit has this (stream, seq). In rare cases no commit has it, because the write of a competitor
 * did not last. Nothing was written. Load and decide again. A commit that is stored already never gets this outcome.
 * - `gap`: the previous commit is missing: the one at `seq - 1` with the hash `prev` (`commitHash`). Nothing was
 * written. This prevents that a process that lost a race appends its next commit to the commit of the winner.
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
 * Two things can be removed: the data of events, while digests and hashes stay, and whole streams.
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

  /** Commits of a stream with `from <= seq`, ascending, at most `limit` (1 to 1,000). If there are fewer, they are the last ones. */
  read(stream: string, from: number, limit: number): Promise<Commit[]>;

  /** The commit that made a snapshot: the first commit of the stream with this snapshot in its index. Null if there is none. */
  bySnapshot(stream: string, snapshot: number): Promise<Commit | null>;

  /**
   * The newest commit of a stream at or before a time, null when there is none. Within a stream, times and snapshots never decrease; the
   * caller of `append` ensures that.
   *
   * @param at integer milliseconds
   */
  asOf(stream: string, at: number): Promise<Commit | null>;

  /**
   * The newest seq that an actor wrote since a time, in each stream of the given kinds. Reads positions only, not commits.
   *
   * @param since integer milliseconds
   * @param kinds first segments of streams
   */
  recentOf(actor: string, since: number, kinds: ReadonlySet<string>): Promise<StreamPosition[]>;

  /**
   * All commits, each stream in order; `after` is the `next` of a page, null for the beginning. All pages together show the store at one
   * instant: they contain each commit that was appended before the first page once, and no later commit. If a commit is included, the
   * commits that it followed in any stream are included too.
   *
   * @param limit 1 to 1,000; a page also ends early when it grows large
   */
  scan(after: string | null, limit: number): Promise<CommitPage>;

  /**
   * Stores data outside commits by digest, once for each organization, in chunks, so that every engine accepts 20 MB and more. Durable
   * when it resolves. Putting it again changes nothing. It throws the same errors as `append`.
   *
   * @param text canonical JSON
   * @returns SHA-256 of the text's UTF-8 bytes
   */
  putData(org: string, text: string): Promise<string>;

  /** The data that this organization put under a digest; null if there is none. Data of other organizations is never returned. */
  readData(org: string, digest: string): Promise<string | null>;

  /**
   * Removes the data of a commit's events under some digests, inside the commit and outside it. The rest of the commit and its hash stay. If
   * other commits of the organization refer to the same data outside commits, they lose it too: use this for data that names what it is
   * about. Durable when it resolves. A repeated call does nothing, nor does a call for a commit that does not exist.
   */
  dropData(stream: string, seq: number, digests: readonly string[]): Promise<void>;

  /**
   * Removes a whole stream: its commits, the newest first, and the data outside commits that they refer to. Other commits of the organization
   * lose that data too. Use it for streams of an erased organization: nothing may append to them any more. Durable when it resolves. An
   * interrupted removal leaves the beginning of the stream, and a repeated call removes the rest. It does nothing if there is no such stream.
   */
  removeStream(stream: string): Promise<void>;

  /**
   * Removes data that was put under a digest. Use it only for data that no event of a commit refers to. Durable when it resolves. After an
   * interruption, a repeated call removes the rest.
   *
   * @param size the size of the data in bytes, or more
   */
  removeData(org: string, digest: string, size: number): Promise<void>;
}

/** The maximum of concurrent appends of an engine. More are refused, so that no queue grows without bound. */
export const APPENDS_AT_ONCE_MAX = 4_096;

/** The largest commit in bytes of JSON: it must pass the feed in one message (256 KiB with its envelope). */
export const COMMIT_BYTES_MAX = 240 * 1024;
