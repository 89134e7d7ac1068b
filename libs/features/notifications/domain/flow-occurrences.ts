import type { DomainEvent } from '@assurance/contracts/events/event';
import type { AttestationReported } from '@assurance/contracts/evidence/events';
import type { ArtifactReported, Provenance } from '@assurance/contracts/flows/events';
import type { MessageArtifact } from './message';
import type { Occurrence } from './occurrences';

/** The types of watched events of trails, and of artifacts without a trail. The data of other events is not read. */
export const FLOW_TYPES: ReadonlySet<string> = new Set(['TrailBegun', 'ArtifactReported', 'AttestationReported']);

/**
 * The occurrences that an event of a trail causes. A trail starts once, however it began. Only the first report of an artifact in a trail is an
 * occurrence of provenance. Each attestation is an occurrence, including an override.
 */
export function flowOccurrencesOf(event: DomainEvent): Occurrence[] {
  switch (event.type) {
    case 'TrailBegun':
      return [{ trigger: 'ON_STARTED_TRAIL', type: 'TRAIL_STARTED', description: 'The trail started', artifact: null }];
    case 'ArtifactReported':
      return provenance((event as ArtifactReported).data);
    case 'AttestationReported':
      return [attestation((event as AttestationReported).data)];
    default:
      return [];
  }
}

function provenance({ fingerprint, provenance: reported, first }: ArtifactReported['data']): Occurrence[] {
  if (first !== null) return [];
  const artifact = artifactOf(fingerprint, reported);
  const description = 'The provenance of the artifact was reported';
  return [{ trigger: 'ON_ATTESTED_PROVENANCE', type: 'PROVENANCE_ATTESTED', description, artifact }];
}

function artifactOf(
  fingerprint: string,
  { artifactId, filename, flow, trail, gitCommit, commitUrl, buildUrl }: Provenance,
): MessageArtifact {
  const provenance = { flow: flow.name, artifactId, trail, gitCommit, commitUrl, buildUrl };
  return { name: filename, fingerprint, compliant: null, provenance };
}

function attestation({ id, name, type, compliant, target }: AttestationReported['data']): Occurrence {
  const artifact =
    target.kind === 'artifact'
      ? { name: target.filename, fingerprint: target.fingerprint, compliant: null, provenance: null }
      : null;
  const description = `The attestation ${name} (${type}) was reported: ${compliant ? 'compliant' : 'not compliant'}`;
  return {
    trigger: 'ON_ATTESTATION',
    type: 'ATTESTATION_REPORTED',
    description,
    artifact,
    attestation: { id, name, type, compliant },
  };
}
