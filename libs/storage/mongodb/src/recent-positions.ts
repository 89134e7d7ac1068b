import type { AggregationCursor, Collection } from 'mongodb';
import type { StreamPosition } from '@assurance/storage-ports';
import type { CommitRecord } from './commit-record';

/** The index on actor, time, stream and seq. It contains all requested fields, so no commit is read. */
export const ACTOR = 'actor';

/** The newest seq of each stream of some kinds in which an actor committed since a time (integer milliseconds). */
export function recentOf(
  records: Collection<CommitRecord>,
  actor: string,
  since: number,
  kinds: ReadonlySet<string>,
): AggregationCursor<StreamPosition> {
  // '0' is the character after '/'.
  const ofKind = [...kinds].map((kind) => ({ stream: { $gte: `${kind}/`, $lt: `${kind}0` } }));
  return records.aggregate<StreamPosition>(
    [
      { $match: { actor, at: { $gte: since }, $or: ofKind } },
      { $project: { _id: 0, stream: 1, seq: 1 } },
      { $group: { _id: '$stream', seq: { $max: '$seq' } } },
      { $project: { _id: 0, stream: '$_id', seq: 1 } },
    ],
    { hint: ACTOR },
  );
}
