import type { Commit } from '@assurance/storage-ports';

/** The most bytes of JSON text of cached commits. */
const BYTES_MAX = 8 * 1024 * 1024;
/** The same limit for commits that are cached by position. Consumers are rarely further behind. */
const PLACED_BYTES_MAX = 2 * 1024 * 1024;

export interface RecentCommit {
  readonly commit: Commit;
  /** Bytes of its JSON text. */
  readonly bytes: number;
}

/**
 * Caches the last appended commits for consumers, and the newest commit of recently used streams. Only this process writes, so the cache equals the
 * file. While an append to a stream is running, its newest commit is not cached.
 */
export class RecentCommits {
  private readonly byStream = new Map<string, RecentCommit>();
  private readonly appending = new Map<string, number>();
  private bytes = 0;
  /** Commits by position. */
  private readonly places = new Map<number, RecentCommit>();
  private placesBytes = 0;
  private last = 0;

  constructor(
    private readonly maxBytes = BYTES_MAX,
    private readonly mostPlaced = PLACED_BYTES_MAX,
  ) {}

  newest(stream: string): Commit | undefined {
    const cachedCommit = this.byStream.get(stream);
    if (cachedCommit === undefined) return undefined;
    // A Map keeps the order of insertion, so the last used entry moves to the end.
    this.byStream.delete(stream);
    this.byStream.set(stream, cachedCommit);
    return cachedCommit.commit;
  }

  /** Records that a commit was appended at this position of the file. */
  notePosition(position: number, recentCommit: RecentCommit): void {
    // Positions have no gaps. If one is not cached, no earlier one is cached either.
    if (position !== this.last + 1) this.places.clear();
    if (this.places.size === 0) this.placesBytes = 0;
    this.places.set(position, recentCommit);
    this.last = position;
    this.placesBytes += recentCommit.bytes;
    // Entries are found by number, because an iterator of a Map passes over all recently deleted entries.
    while (this.placesBytes > this.mostPlaced) {
      const oldest = this.last - this.places.size + 1;
      this.placesBytes -= this.places.get(oldest)?.bytes ?? 0;
      this.places.delete(oldest);
    }
  }

  /** Commits after a position, in order; null if the file must be read. */
  after(position: number, limit: number): RecentCommit[] | null {
    if (this.last === 0 || (position < this.last && !this.places.has(position + 1))) return null;
    const recentCommits: RecentCommit[] = [];
    for (let next = position + 1; recentCommits.length < limit; next += 1) {
      const recent = this.places.get(next);
      if (recent === undefined) break;
      recentCommits.push(recent);
    }
    return recentCommits;
  }

  /** Records that a commit was just read as the newest of its stream. */
  read(commit: Commit, bytes: number): void {
    if (!this.appending.has(commit.stream)) this.remember(commit, bytes);
  }

  /** Call it when data or commits of a stream were removed, because cached commits may still contain them. */
  forgetRewritten(stream: string): void {
    this.forget(stream);
    this.places.clear();
  }

  /**
   * Call it when an append begins.
   *
   * @returns to be called when the append has ended; with the commit if it is now the newest of its stream, otherwise null
   */
  begin(stream: string, bytes: number): (appendedCommit: Commit | null) => void {
    this.forget(stream);
    this.appending.set(stream, (this.appending.get(stream) ?? 0) + 1);
    return (appended) => {
      const otherAppends = (this.appending.get(stream) ?? 1) - 1;
      if (otherAppends > 0) this.appending.set(stream, otherAppends);
      else this.appending.delete(stream);
      if (otherAppends === 0 && appended !== null) this.remember(appended, bytes);
    };
  }

  private remember(commit: Commit, bytes: number): void {
    this.forget(commit.stream);
    this.byStream.set(commit.stream, { commit, bytes });
    this.bytes += bytes;
    if (this.bytes <= this.maxBytes) return;
    for (const oldest of this.byStream.keys()) {
      if (this.bytes <= this.maxBytes) break;
      this.forget(oldest);
    }
  }

  private forget(stream: string): void {
    this.bytes -= this.byStream.get(stream)?.bytes ?? 0;
    this.byStream.delete(stream);
  }
}
