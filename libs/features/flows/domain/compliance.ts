import type { DeclaredAttestation, DeclaredTrail, FlowTemplate } from '@assurance/contracts/flows/events';
import { groupBy } from '@assurance/kernel';
import { type AttestationDocument, subjectsOf, TRAIL_SUBJECT } from './attestation';
import { type AttestationStatus, compareWithRequirements, worstState, type TrailState } from './requirements';

export interface ArtifactStatus {
  readonly fingerprint: string | null;
  readonly artifactId: string | null;
  readonly status: TrailState | 'MISSING';
  readonly attestations: readonly AttestationStatus[];
  readonly unexpected: boolean;
}

export interface TrailStatus {
  readonly status: TrailState;
  readonly attestations: readonly AttestationStatus[];
  /** By the name in the template. */
  readonly artifacts: ReadonlyMap<string, ArtifactStatus>;
}

/** An artifact as reported in a trail. */
export interface ReportedArtifact {
  readonly fingerprint: string;
  readonly artifactId: string;
  readonly template: string | null;
  readonly gitCommit: string;
}

const NOTHING: DeclaredTrail = { attestations: [], artifacts: [] };

/** Returns the requirements of a template. The legacy list requires attestations of every artifact and names no artifact. */
export function requirementsOf(template: FlowTemplate): DeclaredTrail {
  return 'yaml' in template ? (template.trail ?? NOTHING) : NOTHING;
}

/**
 * Compares a trail with its template. A declared item that does not exist is missing. An artifact that is not declared is unexpected, which does not
 * make the trail non-compliant.
 *
 * @param reportedArtifacts the trail's artifacts, newest first; for each template name the newest counts
 * @param attestations the newest attestation of each target and name in the trail, in any order
 */
export function trailStatus(
  template: FlowTemplate,
  reportedArtifacts: readonly ReportedArtifact[],
  attestations: readonly AttestationDocument[],
): TrailStatus {
  const declaredTrail = requirementsOf(template);
  const bySubject = groupBy(attestations, ({ subject }) => subject);
  const ownResult = compareWithRequirements(declaredTrail.attestations, bySubject.get(TRAIL_SUBJECT) ?? []);
  const newest = new Map<string, ReportedArtifact>();
  for (const artifact of reportedArtifacts) {
    if (artifact.template !== null && !newest.has(artifact.template)) newest.set(artifact.template, artifact);
  }
  const awaitedByTemplate = groupBy(attestations.filter(isAwaited), (item) => item.template);
  const artifacts = new Map<string, ArtifactStatus>();
  const states = [ownResult.state];
  for (const name of new Set([
    ...declaredTrail.artifacts.map((artifact) => artifact.name),
    ...newest.keys(),
    ...awaitedByTemplate.keys(),
  ])) {
    const artifact = newest.get(name);
    const judged =
      artifact === undefined
        ? missingArtifactStatus(template, name, awaitedByTemplate.get(name) ?? [])
        : artifactStatus(
            template,
            artifact,
            subjectsOf(artifact).flatMap((subject) => bySubject.get(subject) ?? []),
          );
    artifacts.set(name, judged);
    states.push(judged.status === 'MISSING' ? stateOfMissing(judged) : judged.status);
  }
  return { status: worstState(states), attestations: ownResult.attestations, artifacts };
}

/**
 * Compares one artifact with the template of its trail, or of its flow if it has no trail.
 *
 * @param artifactAttestations the newest attestation of each name on the artifact, in any order
 */
export function artifactStatus(
  template: FlowTemplate,
  artifact: ReportedArtifact,
  artifactAttestations: readonly AttestationDocument[],
): ArtifactStatus & { readonly status: TrailState } {
  const { fingerprint, artifactId, template: name } = artifact;
  const { required, unexpected } = artifactRequirements(template, name);
  const { attestations, state } = compareWithRequirements(required, artifactAttestations);
  return { fingerprint, artifactId, status: state, attestations, unexpected };
}

/**
 * Returns the status of a trail for one of its artifacts. It counts attestations of the trail and of this artifact, but not missing attestations of
 * other artifacts.
 *
 * @param attestations the newest attestations of the trail itself and of the artifact
 */
export function statusForArtifact(
  template: FlowTemplate,
  artifact: ReportedArtifact,
  attestations: readonly AttestationDocument[],
): { readonly artifact: TrailState; readonly trail: TrailState } {
  const isOwn = ({ subject }: AttestationDocument) => subject !== TRAIL_SUBJECT;
  const { status } = artifactStatus(template, artifact, attestations.filter(isOwn));
  const { state } = compareWithRequirements(
    requirementsOf(template).attestations,
    attestations.filter((attestation) => !isOwn(attestation)),
  );
  return { artifact: status, trail: worstState([status, state]) };
}

function missingArtifactStatus(
  template: FlowTemplate,
  name: string,
  awaiting: readonly AttestationDocument[],
): ArtifactStatus {
  const { required, unexpected } = artifactRequirements(template, name);
  const { attestations } = compareWithRequirements(required, awaiting);
  return { fingerprint: null, artifactId: null, status: 'MISSING', attestations, unexpected };
}

/** An artifact that is not required may be absent. Its non-compliant attestations count even before it is reported. */
function stateOfMissing({ attestations, unexpected }: ArtifactStatus): TrailState {
  if (attestations.some(({ compliant }) => compliant === false)) return 'NON-COMPLIANT';
  return unexpected ? 'COMPLIANT' : 'INCOMPLETE';
}

function artifactRequirements(template: FlowTemplate, name: string | null) {
  if ('list' in template) return { required: requirementsOfList(template.list), unexpected: false };
  const declared = requirementsOf(template).artifacts.find((artifact) => artifact.name === name);
  return { required: declared?.attestations ?? [], unexpected: declared === undefined };
}

/** Converts the legacy list. Its name `artifact` means the artifact itself, not an attestation. */
function requirementsOfList(names: readonly string[]): DeclaredAttestation[] {
  return names.filter((name) => name !== 'artifact').map((name) => ({ name, type: '*' }));
}

function isAwaited(
  attestation: AttestationDocument,
): attestation is AttestationDocument & { readonly template: string } {
  return attestation.fingerprint === null && attestation.template !== null;
}
