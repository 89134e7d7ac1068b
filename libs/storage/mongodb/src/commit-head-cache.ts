import { forgetOldest } from '@assurance/kernel';
import type { Commit } from '@assurance/storage-ports';
import type { CommitRecord } from './commit-record';

/** The most streams in the cache. */
const STREAMS_MAX = 20_000;

type CommitHead = Pick<CommitRecord, 'stream' | 'seq' | 'hash'>;

/**
 * The newest commit of each stream that this process has seen. A majority has stored it, so an append need not read it
 * again.
 */
export class CommitHeadCache {
  private readonly newest = new Map<string, CommitHead>();

  remember({ stream, seq, hash }: CommitHead): void {
    const before = this.newest.get(stream);
    if (before !== undefined && before.seq >= seq) return;
    this.newest.delete(stream);
    this.newest.set(stream, { stream, seq, hash });
    forgetOldest(this.newest, STREAMS_MAX);
  }

  /** Forgets a stream after its commits were removed. */
  forget(stream: string): void {
    this.newest.delete(stream);
  }

  /** Whether the previous commit is known to be stored. The position of this commit may still be taken. */
  isAfterHead({ stream, seq, prev }: Commit): boolean {
    if (seq === 1) return true;
    const head = this.newest.get(stream);
    return head !== undefined && head.seq === seq - 1 && head.hash === prev;
  }
}
