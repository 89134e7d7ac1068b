import { commitHash } from '@assurance/event-sourcing/sealing/seal';
import { type Commit, setTrace, traceOf } from '@assurance/storage-ports';
import { Timestamp } from 'mongodb';

/** A stored commit: its fields, its id as the key, and its hash, which the `prev` of the next commit must equal. */
export interface CommitRecord extends Omit<Commit, 'id'> {
  readonly _id: string;
  readonly hash: string;
  /** The replica set's time of the insert. If a commit could be read before another insert began, it has the earlier time. */
  readonly landed: Timestamp;
  /** The span that caused the commit. It is not part of the commit (`traceOf`). */
  readonly trace?: string;
}

/** The index by stream and seq. */
export const PLACE = 'place';

/** The server replaces this value with its time. */
const WHEN_IT_LANDS = new Timestamp({ t: 0, i: 0 });

export function toRecord(commit: Commit): CommitRecord {
  const { id, ...rest } = commit;
  const trace = traceOf(commit);
  return {
    _id: id,
    ...rest,
    hash: commitHash(commit),
    landed: WHEN_IT_LANDS,
    ...(trace === null ? {} : { trace }),
  };
}

export function toCommit({ _id, hash: _, landed: __, trace, ...rest }: CommitRecord): Commit {
  const commit = { id: _id, ...rest };
  setTrace(commit, trace);
  return commit;
}
