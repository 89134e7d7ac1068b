import type { Commit } from '@assurance/storage-ports';

/** The most bytes of JSON text whose commits are remembered. */
const BYTES_MAX = 8 * 1024 * 1024;

interface Remembered {
  readonly commit: Commit;
  readonly bytes: number;
}

/**
 * The newest commit of streams that were used lately, so that it is read and parsed once. This process alone appends to the file, and commits
 * never change: what is remembered is what the file holds, unless an append to the stream is under way. Then nobody knows but the file.
 */
export class RecentCommits {
  private readonly known = new Map<string, Remembered>();
  private readonly appending = new Map<string, number>();
  private bytes = 0;

  constructor(private readonly most = BYTES_MAX) {}

  newest(stream: string): Commit | undefined {
    const found = this.known.get(stream);
    if (found === undefined) return undefined;
    // A Map keeps the order of insertion: what was used last goes last.
    this.known.delete(stream);
    this.known.set(stream, found);
    return found.commit;
  }

  /** The commit of this id, if it is its stream's newest and remembered. */
  byId(stream: string, id: string): Commit | undefined {
    const commit = this.known.get(stream)?.commit;
    return commit?.id === id ? commit : undefined;
  }

  /** That a commit was just read as its stream's newest. */
  read(commit: Commit, bytes: number): void {
    if (!this.appending.has(commit.stream)) this.remember(commit, bytes);
  }

  /**
   * That an append begins.
   *
   * @returns to be called when it ended: with the commit where it is its stream's newest now
   */
  begin(stream: string, bytes: number): (appended: Commit | null) => void {
    this.forget(stream);
    this.appending.set(stream, (this.appending.get(stream) ?? 0) + 1);
    return (appended) => {
      const others = (this.appending.get(stream) ?? 1) - 1;
      if (others > 0) this.appending.set(stream, others);
      else this.appending.delete(stream);
      if (others === 0 && appended !== null) this.remember(appended, bytes);
    };
  }

  private remember(commit: Commit, bytes: number): void {
    this.forget(commit.stream);
    this.known.set(commit.stream, { commit, bytes });
    this.bytes += bytes;
    for (const oldest of this.known.keys()) {
      if (this.bytes <= this.most) break;
      this.forget(oldest);
    }
  }

  private forget(stream: string): void {
    this.bytes -= this.known.get(stream)?.bytes ?? 0;
    this.known.delete(stream);
  }
}
