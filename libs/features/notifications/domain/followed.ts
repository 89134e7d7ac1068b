import type { CollectionShape } from '@assurance/contracts/events/aggregate';

/** How far the dispatcher followed a stream, and the state of its environment. It is written after the ledger. The document's id is the stream. */
export interface FollowedStream {
  readonly seq: number;
  readonly name: string;
  /** Index of the newest snapshot, 0 before the first. */
  readonly snapshot: number;
  /** The verdict on this snapshot; null if nothing judges it. */
  readonly compliant: boolean | null;
}

export const followedStreams: CollectionShape<FollowedStream> = {
  name: 'notified_streams',
  deferred: 'last',
  indexes: [],
};
