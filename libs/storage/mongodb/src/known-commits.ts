import { forgetOldest } from '@assurance/kernel';
import type { Commit } from '@assurance/storage-ports';
import type { CommitRecord } from './commit-record';

/** Of how many streams the newest known commit is remembered. */
const STREAMS_MAX = 20_000;

type Known = Pick<CommitRecord, 'stream' | 'seq' | 'hash'>;

/** The newest commit of each stream that this process saw. A majority has it, so an append need not look for it again. */
export class KnownCommits {
  private readonly newest = new Map<string, Known>();

  learn({ stream, seq, hash }: Known): void {
    const before = this.newest.get(stream);
    if (before !== undefined && before.seq >= seq) return;
    this.newest.delete(stream);
    this.newest.set(stream, { stream, seq, hash });
    forgetOldest(this.newest, STREAMS_MAX);
  }

  /** Forgets a stream whose commits were removed. */
  forget(stream: string): void {
    this.newest.delete(stream);
  }

  /** Whether the commit before this one is known to be there; not whether its own place is taken. */
  precede({ stream, seq, prev }: Commit): boolean {
    if (seq === 1) return true;
    const known = this.newest.get(stream);
    return known !== undefined && known.seq === seq - 1 && known.hash === prev;
  }
}
