import type { DeclaredAttestation, DeclaredTrail, FlowTemplate } from '@assurance/contracts-events';

export type TrailState = 'COMPLIANT' | 'NON-COMPLIANT' | 'INCOMPLETE';

/** An attestation that a template asks for, and what is known of it. */
export interface AttestationStatus {
  readonly name: string;
  readonly type: string;
  readonly attestationId: string | null;
  readonly overriddenId: string | null;
  readonly status: 'MISSING' | 'COMPLETE';
  /** Null while it is missing. */
  readonly compliant: boolean | null;
  /** The template does not ask for it. */
  readonly unexpected: boolean;
}

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

/** An artifact as a trail knows it. */
export interface ReportedArtifact {
  readonly fingerprint: string;
  readonly artifactId: string;
  readonly template: string | null;
}

const NOTHING: DeclaredTrail = { attestations: [], artifacts: [] };

/** What a template asks for. The legacy list asks for attestations of every artifact, none by its name. */
export function declaredBy(template: FlowTemplate): DeclaredTrail {
  return 'yaml' in template ? (template.trail ?? NOTHING) : NOTHING;
}

/**
 * A trail against its template (WIRE 25, 2 and 3): what is declared and not there is missing; an artifact that is not declared is
 * unexpected, which by itself does not hurt.
 *
 * @param reported the trail's artifacts, newest first: of one name in the template the newest counts
 */
export function trailStatus(template: FlowTemplate, reported: readonly ReportedArtifact[]): TrailStatus {
  const declared = declaredBy(template);
  const attestations = declared.attestations.map(missing);
  const newest = new Map<string, ReportedArtifact>();
  for (const artifact of reported) {
    if (artifact.template !== null && !newest.has(artifact.template)) newest.set(artifact.template, artifact);
  }
  const artifacts = new Map<string, ArtifactStatus>();
  for (const { name, attestations: asked } of declared.artifacts) {
    const artifact = newest.get(name);
    artifacts.set(name, artifact === undefined ? notReported(asked) : artifactStatus(template, artifact));
  }
  for (const [name, artifact] of newest) {
    if (!artifacts.has(name)) artifacts.set(name, artifactStatus(template, artifact));
  }
  const all = [...artifacts.values()].map(({ status }) => status);
  return { status: together([...attestations.map(stateOf), ...all]), attestations, artifacts };
}

/** One artifact against the template of its trail, or of its flow where it has none. */
export function artifactStatus(
  template: FlowTemplate,
  artifact: ReportedArtifact,
): ArtifactStatus & { readonly status: TrailState } {
  const { fingerprint, artifactId, template: name } = artifact;
  const declared = declaredBy(template).artifacts.find((one) => one.name === name);
  const asked = 'list' in template ? listed(template.list) : (declared?.attestations ?? []);
  const attestations = asked.map(missing);
  const unexpected = 'yaml' in template && declared === undefined;
  return { fingerprint, artifactId, status: together(attestations.map(stateOf)), attestations, unexpected };
}

function notReported(asked: readonly DeclaredAttestation[]): ArtifactStatus {
  const attestations = asked.map(missing);
  return { fingerprint: null, artifactId: null, status: 'MISSING', attestations, unexpected: false };
}

/** The legacy list: the artifact itself is one of its names. */
function listed(names: readonly string[]): DeclaredAttestation[] {
  return names.filter((name) => name !== 'artifact').map((name) => ({ name, type: '*' }));
}

function missing({ name, type }: DeclaredAttestation): AttestationStatus {
  const nothing = { attestationId: null, overriddenId: null, status: 'MISSING', compliant: null } as const;
  return { name, type, ...nothing, unexpected: false };
}

function stateOf({ status, compliant }: AttestationStatus): TrailState | 'MISSING' {
  if (status === 'MISSING') return 'MISSING';
  return compliant === true ? 'COMPLIANT' : 'NON-COMPLIANT';
}

/** Non-compliant wins over incomplete, incomplete over compliant. */
function together(parts: readonly (TrailState | 'MISSING')[]): TrailState {
  if (parts.includes('NON-COMPLIANT')) return 'NON-COMPLIANT';
  return parts.every((part) => part === 'COMPLIANT') ? 'COMPLIANT' : 'INCOMPLETE';
}
