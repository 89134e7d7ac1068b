import type {
  AttestationEvent,
  AttestationPayloadKept,
  AttestationReported,
  ComponentsListed,
  FindingsListed,
} from '@assurance/contracts/evidence/events';
import { BrokenRecord, commitAt, eventsOf } from '@assurance/event-sourcing/sealing/read';
import type { AttestationDocument } from '@assurance/flows/domain/attestation';
import type { EventStore } from '@assurance/storage-ports';

/** An attestation as it was recorded. */
export interface RecordedAttestation {
  readonly document: AttestationDocument;
  readonly reported: AttestationReported['data'];
  /** Null if it was not requested, because its size has no limit. */
  readonly payload: AttestationPayloadKept['data'] | null;
  /** Bytes of the payload. */
  readonly size: number;
  /** Id of the reporter. */
  readonly actor: string;
}

/** Reads an attestation from its commit. */
export async function recordedAttestation(
  store: EventStore,
  attestation: AttestationDocument,
  detail: 'listed' | 'whole',
): Promise<RecordedAttestation> {
  const commit = await commitAt(store, attestation.stream, attestation.seq);
  const types: ReadonlySet<string> = new Set<AttestationEvent['type']>(
    detail === 'whole' ? ['AttestationReported', 'AttestationPayloadKept'] : ['AttestationReported'],
  );
  const events = (await eventsOf(store, commit, (type) => types.has(type))) as Exclude<
    AttestationEvent,
    ComponentsListed | FindingsListed
  >[];
  let reportData: AttestationReported['data'] | null = null;
  let payload: AttestationPayloadKept['data'] | null = null;
  for (const event of events) {
    if (event.data.id !== attestation.id) continue;
    if (event.type === 'AttestationReported') reportData = event.data;
    else payload = event.data;
  }
  if (reportData === null) throw new BrokenRecord(`attestation ${attestation.id} is not in its commit`);
  const size = commit.events.reduce((sum, event) => sum + event.size, 0);
  return { document: attestation, reported: reportData, payload, size, actor: commit.actor };
}
