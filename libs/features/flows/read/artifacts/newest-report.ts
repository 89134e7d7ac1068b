import type { ArtifactReported } from '@assurance/contracts/flows/events';
import { commitAt, eventsOf } from '@assurance/event-sourcing/sealing/read';
import type { EventStore } from '@assurance/storage-ports';
import type { ProvenanceDocument } from '../../domain/provenance';

/** Reads the newest report of an artifact in a stream. It returns null if the document does not name the commit of the report. */
export async function newestReport(
  store: EventStore,
  { stream, fingerprint, latest }: ProvenanceDocument,
): Promise<ArtifactReported['data'] | null> {
  if (latest === undefined) return null;
  const commit = await commitAt(store, stream, latest.seq);
  const events = (await eventsOf(store, commit, isReport)) as ArtifactReported[];
  return events.find(({ data }) => data.fingerprint === fingerprint)?.data ?? null;
}

function isReport(type: string): boolean {
  return type === ('ArtifactReported' satisfies ArtifactReported['type']);
}
