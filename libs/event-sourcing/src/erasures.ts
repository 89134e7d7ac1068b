import type { ErasureRecord, OmittedParts, OrganizationErased } from '@assurance/contracts/access/events';
import { streams as streamIds } from '@assurance/contracts/events/streams';
import { canonicalJson, sha256 } from '@assurance/kernel';
import type { StreamCheckpoint } from './checkpoints/checkpoint';
import { signedBy, type Signer } from './checkpoints/keys';

/** The newest commit of a removed stream, and how many commits and events the stream held. */
export interface RemovedStream extends StreamCheckpoint {
  readonly commits: number;
  readonly events: number;
}

/** The signed text of a record. */
function erasureText(record: ErasureRecord): string {
  return canonicalJson(record);
}

/** Makes the signed event that lists the removed streams of an organization. */
export function signErasure(
  signer: Signer,
  what: Pick<ErasureRecord, 'organization' | 'name' | 'at' | 'by' | 'despiteHolds' | 'leftOut'>,
  streams: readonly RemovedStream[],
): OrganizationErased {
  const removedStreams = streams
    .map(({ stream, seq, hash }) => ({ stream: sha256(stream), seq, hash }))
    .sort((a, b) => (a.stream < b.stream ? -1 : 1));
  const sum = (of: 'commits' | 'events') => streams.reduce((total, removedStream) => total + removedStream[of], 0);
  const counts = { streams: streams.length, commits: sum('commits'), events: sum('events') };
  const record: ErasureRecord = { ...what, ...counts, removed: removedStreams, key: signer.key };
  return { type: 'OrganizationErased', version: 1, data: { record, signature: signer.sign(erasureText(record)) } };
}

/**
 * One erased organization, as its signed records describe it. `at` is the time of the first record. `leftOut` is from the newest
 * one; null when the operation did not finish and must be run again.
 */
export type ErasedOrganization = Pick<
  ErasureRecord,
  'organization' | 'name' | 'at' | 'by' | 'despiteHolds' | 'leftOut' | 'streams' | 'events'
>;

/** Distinguishes streams that were erased with their organization from lost streams. It uses only signed records. */
export class ErasedStreams {
  /** The SHA-256 of the id of each stream. */
  private readonly streams = new Set<string>();
  private readonly erasedOrganizations = new Map<string, ErasedOrganization>();
  /** The public keys that signed records, each with the stream of one of these records. */
  readonly signedWith = new Map<string, string>();

  get all(): ErasedOrganization[] {
    return [...this.erasedOrganizations.values()];
  }

  /**
   * Adds a record from an organization's own stream.
   *
   * @returns the fault of the record; null if there is none and the record was added
   */
  take(stream: string, { data: { record, signature } }: OrganizationErased): string | null {
    const { organization, name, by, streams, events, removed, leftOut, key } = record;
    if (!signedBy(key, erasureText(record), signature)) return 'the signature of its erasure is not that of its key';
    if (stream !== streamIds.organization(organization)) return 'its erasure is that of another organization';
    for (const removedStream of removed) this.streams.add(removedStream.stream);
    this.signedWith.set(key, stream);
    const before = this.erasedOrganizations.get(organization);
    const { at, despiteHolds } = before ?? record;
    const counts = { streams: streams + (before?.streams ?? 0), events: events + (before?.events ?? 0) };
    this.erasedOrganizations.set(organization, { organization, name, at, by, despiteHolds, leftOut, ...counts });
    return null;
  }

  /** Whether a record names a stream. If so, any of its commits may be missing, also one that came after the record. */
  has(stream: string): boolean {
    return this.streams.has(sha256(stream));
  }

  /** The parts of an organization that checkpoints may omit; null during the erasure, undefined without a record of an erasure. */
  partsLeftOut(organization: string): OmittedParts | null | undefined {
    return this.erasedOrganizations.get(organization)?.leftOut;
  }
}
