import { byteLength, sha256 } from '@assurance/kernel';
import type { Commit, StoredEvent } from '@assurance/storage-ports';

/** The position of the previous commit, and its hash (`commitHash`). */
export interface Link {
  readonly seq: number;
  readonly hash: string;
}

/**
 * The fault of a commit's place in the chain of its stream; null if there is none.
 *
 * @param before the stream's commit at `seq - 1`, null when there is none
 */
export function linkFault({ seq, prev }: Pick<Commit, 'seq' | 'prev'>, before: Link | null): string | null {
  if (seq === 1) return prev === null ? null : 'it is the first of its stream and names one before it';
  if (before === null) return `the commit ${seq - 1} before it is gone`;
  return prev === before.hash ? null : `it does not follow the commit ${seq - 1} that is there: prev is not its hash`;
}

/**
 * The fault of an event's data; null if there is none.
 *
 * @param text the data as it was read, null if it is missing
 */
export function dataFault({ type, digest, size }: StoredEvent, text: string | null): string | null {
  if (text === null) return `the data of ${type} is gone (${digest})`;
  if (sha256(text) !== digest) return `the data of ${type} does not have the digest ${digest}`;
  return byteLength(text) === size ? null : `the data of ${type} has ${byteLength(text)} bytes, not ${size}`;
}
