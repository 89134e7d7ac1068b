import type { ErasureRecord, OrganizationErased } from '@assurance/contracts-events';
import { canonicalJson, sha256 } from '@assurance/kernel';
import type { Signer, StreamCheckpoint } from '../checkpoints';

/** The newest commit of a stream that is removed, and how much the stream held. */
export interface RemovedStream extends StreamCheckpoint {
  readonly commits: number;
  readonly events: number;
}

/** The signed text of a record. */
export function erasureText(record: ErasureRecord): string {
  return canonicalJson(record);
}

/** The event that says which streams of an organization are removed, signed. */
export function signErasure(
  signer: Signer,
  what: Pick<ErasureRecord, 'organization' | 'name' | 'at' | 'by' | 'despiteHolds' | 'leftOut'>,
  streams: readonly RemovedStream[],
): OrganizationErased {
  const removed = streams
    .map(({ stream, seq, hash }) => ({ stream: sha256(stream), seq, hash }))
    .sort((a, b) => (a.stream < b.stream ? -1 : 1));
  const sum = (of: 'commits' | 'events') => streams.reduce((total, one) => total + one[of], 0);
  const counts = { streams: streams.length, commits: sum('commits'), events: sum('events') };
  const record: ErasureRecord = { ...what, ...counts, removed, key: signer.key };
  return { type: 'OrganizationErased', version: 1, data: { record, signature: signer.sign(erasureText(record)) } };
}
