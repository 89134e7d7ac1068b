import { commitHash } from '@assurance/storage-records';
import type { Commit } from '@assurance/storage-ports';

/** A commit as it is stored: its own fields, its id as the key, and its hash, against which the next one's `prev` is checked. */
export interface CommitRecord extends Omit<Commit, 'id'> {
  readonly _id: string;
  readonly hash: string;
}

export function toRecord(commit: Commit): CommitRecord {
  const { id, ...rest } = commit;
  return { _id: id, ...rest, hash: commitHash(commit) };
}

export function toCommit({ _id, hash: _, ...rest }: CommitRecord): Commit {
  return { id: _id, ...rest };
}
