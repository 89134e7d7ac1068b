import type { Commit } from './commit';

/**
 * How an append ended.
 * - `appended`: durable (it survives a power cut), and visible to every read that starts from now on. Appending the very
 *   same commit (same id) again gives `appended` and changes nothing.
 * - `conflict`: another commit has this (stream, seq), or now and then nobody has (a rival's write that did not last).
 *   Nothing was written. Load again, decide again: that is right in both cases. A commit that is already stored never
 *   gets it.
 * - `gap`: the commit before it is not there: the one at `seq - 1` whose hash (`commitHash`) is `prev`. So a loser's next
 *   commit is not taken for the winner's. Nothing was written.
 */
export type AppendOutcome = 'appended' | 'conflict' | 'gap';

/** The newest commit of one stream among those that an actor made. */
export interface StreamPosition {
  readonly stream: string;
  readonly seq: number;
}

/** A page of all commits of the store, for rebuilds and checks. */
export interface CommitPage {
  readonly commits: readonly Commit[];
  /** Pass it on to read what follows; null when there is nothing more now. */
  readonly next: string | null;
  /**
   * On a last page, where the engine can tell: passed to `scan` it begins another one, of what was appended since this one began and that
   * alone. Left out: only a scan of everything holds that.
   */
  readonly since?: string;
}

/**
 * The log of record: commits, grouped into streams, never rewritten.
 *
 * Every promise here has one test in `storage/conformance`, which every engine passes.
 * A write whose fate is unknown is told as `StoreUnavailable`; repeating it with the same commit is safe.
 */
export interface EventStore {
  /**
   * Adds one commit. Its outcome is its own, whatever other appends it is grouped with; at most one of several concurrent
   * appends of one (stream, seq) is `appended`.
   *
   * @throws CommitTooLarge when the commit is larger than `COMMIT_BYTES_MAX`
   * @throws StoreUnavailable
   * @throws StoreFull when there is no room: nothing was written
   * @throws StoreBusy when `APPENDS_AT_ONCE_MAX` appends are under way, or fewer of many bytes: nothing was written
   */
  append(commit: Commit): Promise<AppendOutcome>;

  /** The newest commit of a stream, null when it has none. */
  newest(stream: string): Promise<Commit | null>;

  /** Commits of a stream with `from <= seq`, ascending, at most `limit` (1 to 1,000). */
  read(stream: string, from: number, limit: number): Promise<Commit[]>;

  /** The commit that made a snapshot: the first of the stream whose index says so; null when there is none. */
  bySnapshot(stream: string, snapshot: number): Promise<Commit | null>;

  /**
   * The newest commit of a stream made at or before a time, null when there is none. Within a stream neither times nor snapshots ever fall:
   * who appends sees to that.
   *
   * @param at integer milliseconds
   */
  asOf(stream: string, at: number): Promise<Commit | null>;

  /**
   * For each stream of some kinds in which an actor committed since a time: the newest such seq. Reads positions alone, whatever commits hold.
   *
   * @param since integer milliseconds
   * @param kinds first segments of streams
   */
  recentOf(actor: string, since: number, kinds: ReadonlySet<string>): Promise<StreamPosition[]>;

  /**
   * All commits in an order in which each stream's own order holds; `after` is a page's `next`, null for the beginning.
   * Pages together hold every commit that was there when the first was asked for, once, and none that was appended after
   * the first came: they are the store as of one instant. What a commit followed, in any stream, is held where it is.
   *
   * @param limit 1 to 1,000; a page also ends early when it grows large
   */
  scan(after: string | null, limit: number): Promise<CommitPage>;

  /**
   * Stores data outside commits, by digest, once per organization; in chunks, so that 20 MB and more pass every engine.
   * Durable when it resolves. Putting it again changes nothing. Fails as `append` does.
   *
   * @param text canonical JSON
   * @returns SHA-256 of the text's UTF-8 bytes
   */
  putData(org: string, text: string): Promise<string>;

  /** The data put under a digest by this organization, null when there is none (another organization's is never seen). */
  readData(org: string, digest: string): Promise<string | null>;
}

/** The most appends that an engine has under way at once: more are refused, so that what waits never grows without end. */
export const APPENDS_AT_ONCE_MAX = 4_096;

/** The largest commit in bytes of JSON: it must pass the feed in one message (256 KiB with its envelope). */
export const COMMIT_BYTES_MAX = 240 * 1024;
