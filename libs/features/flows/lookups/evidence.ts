import { addTo } from '@assurance/kernel';
import { kindOf, streams } from '@assurance/contracts/events/streams';
import type { Provenance } from '@assurance/contracts/flows/events';
import { type Documents, getAll } from '@assurance/storage-ports';
import { type AttestationDocument, TRAIL_SUBJECT } from '../domain/attestation';
import { statusForArtifact } from '../domain/compliance';
import { flow as flows } from '../domain/flow';
import type { TrailEvidence } from '../domain/trail-evidence';
import type { ProvenanceDocument } from '../domain/provenance';
import type { TrailState } from '../domain/requirements';
import { looseArtifact, trail as trails } from '../domain/trail';
import { readAttestationsOfReports } from './attestations';
import { reportsByFingerprint } from './reports-by-fingerprint';
import { templatesOf, requireRecord } from './templates';

/** The committed evidence about a fingerprint from one flow and trail. Policies are evaluated against it. */
export interface Evidence {
  /** The current state of the flow. */
  readonly flow: {
    readonly id: string;
    readonly name: string;
    readonly tags: Readonly<Record<string, string>>;
    /** The commit of the flow's stream that this reflects. */
    readonly seq: number;
  };
  /** The first report of the fingerprint there. Its `trail` is null for the legacy form. */
  readonly first: Provenance;
  /** The stream that reported it. */
  readonly stream: string;
  /** The commit of that stream that this reflects at least; 0 for the legacy form, which has no attestations. */
  readonly seq: number;
  /** The status of the artifact by the trail's template, or by the flow's template for the legacy form. */
  readonly artifactStatus: TrailState;
  /** The verdict of the trail for this artifact. It counts attestations of the trail and of the artifact, not of other artifacts. */
  readonly trailStatus: TrailState;
  /**
   * The newest attestation of each name, on the artifact and on its trail, newest first. If there are several decisions on one control, only the
   * newest. Requirements compare `countsAs` with their type.
   */
  readonly attestations: readonly AttestationDocument[];
}

/**
 * Reads provenance of fingerprints, from documents that are written with aggregate states. Read it after the stream that depends on it (write
 * first, look second).
 *
 * @param fingerprints none of them empty
 * @returns by fingerprint, first report first; unknown fingerprints are left out
 */
export async function readEvidence(
  documents: Documents,
  org: string,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, readonly Evidence[]>> {
  const evidence = new Map<string, Evidence[]>();
  const reports = [...(await reportsByFingerprint(documents, org, new Set(fingerprints))).values()].flat();
  for (const { report, evidence: provenance } of await evidenceOf(documents, reports)) {
    addTo(evidence, report.fingerprint, provenance);
  }
  return evidence;
}

/** Returns the evidence of some reports, in their order. */
export async function evidenceOf(
  documents: Documents,
  reports: readonly ProvenanceDocument[],
): Promise<{ readonly report: ProvenanceDocument; readonly evidence: Evidence }[]> {
  const isLoose = ({ stream }: ProvenanceDocument) => kindOf(stream) === looseArtifact.kind;
  const inTrails = reports.filter((report) => !isLoose(report));
  const flowStreams = reports.map(({ first }) => streams.flow(first.flow.id));
  const states = await getAll(documents.collection(flows.states), flowStreams);
  const trailStreams = inTrails.map(({ stream }) => stream);
  const trailStates = await getAll(documents.collection(trails.states), trailStreams);
  const flowOf = ({ first }: ProvenanceDocument) =>
    requireRecord(states.get(streams.flow(first.flow.id)), `the flow ${first.flow.id}`);
  const templateIdOf = (report: ProvenanceDocument) =>
    isLoose(report)
      ? flowOf(report).templateId
      : requireRecord(trailStates.get(report.stream), report.stream).templateId;
  const templateOf = await templatesOf(documents, reports.map(templateIdOf));
  const attestedOf = await readAttestationsOfReports(documents, inTrails);
  return reports.map((report) => {
    const { fingerprint, stream, first } = report;
    const { id, name, tags, seq } = flowOf(report);
    const attestations = isLoose(report) ? [] : attestedOf(report);
    const { artifactId, template, gitCommit } = first;
    const artifact = { fingerprint, artifactId, template, gitCommit };
    const status = statusForArtifact(templateOf(templateIdOf(report)), artifact, attestations);
    const evidence: Evidence = {
      flow: { id, name, tags, seq },
      first,
      stream,
      seq: trailStates.get(stream)?.seq ?? 0,
      artifactStatus: status.artifact,
      trailStatus: status.trail,
      attestations: currentAttestations(attestations),
    };
    return { report, evidence };
  });
}

/**
 * Keeps the newest attestation of each name on the artifact and on the trail, newest first. A newer decision on the same control replaces older ones.
 */
function currentAttestations(attested: readonly AttestationDocument[]): AttestationDocument[] {
  const seen = new Set<string>();
  const isNewest = (key: string) => !seen.has(key) && seen.add(key).has(key);
  return [...attested]
    .sort((a, b) => b.seq - a.seq)
    .filter(({ subject, name }) => isNewest(`${subject === TRAIL_SUBJECT}/${name}`))
    .filter(({ control }) => control === null || isNewest(`control/${control.identifier}`));
}

/** Returns the part of the evidence that rules read. Only this part is copied to the thread that evaluates. */
export function judgeable({ flow, first, artifactStatus, trailStatus, attestations }: Evidence): TrailEvidence {
  return {
    flow: { name: flow.name, tags: flow.tags },
    first: { trail: first.trail },
    artifactStatus,
    trailStatus,
    attestations: attestations.map(({ name, type, countsAs, compliant, control }) => ({
      name,
      type,
      countsAs,
      compliant,
      control: control === null ? null : { identifier: control.identifier },
    })),
  };
}
