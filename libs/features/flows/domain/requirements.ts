import type { DeclaredAttestation } from '@assurance/contracts/flows/events';
import type { AttestationDocument } from './attestation';

export type TrailState = 'COMPLIANT' | 'NON-COMPLIANT' | 'INCOMPLETE';

/** A required attestation, or one that exists without being required, and its status. */
export interface AttestationStatus {
  readonly name: string;
  /** The required type while the attestation is missing; otherwise its `countsAs`. */
  readonly type: string;
  readonly attestationId: string | null;
  readonly overriddenId: string | null;
  readonly status: 'MISSING' | 'COMPLETE';
  /** Null while it is missing. */
  readonly compliant: boolean | null;
  /** Whether the template does not require it. */
  readonly unexpected: boolean;
}

/** The result of comparing required with existing attestations, and the verdict. */
export interface RequirementResult {
  readonly attestations: readonly AttestationStatus[];
  readonly state: TrailState;
}

/** The fields of an attestation that requirements compare. */
export type ComparedAttestation = Pick<
  AttestationDocument,
  'id' | 'seq' | 'name' | 'type' | 'countsAs' | 'compliant' | 'overriddenId' | 'control'
>;

/**
 * Compares attestations of one trail or artifact with the requirements. The newest attestation of a name counts. An attestation that is not required
 * is unexpected. It makes the status non-compliant only if it is non-compliant itself. An attestation of another type does not satisfy a requirement.
 * An override satisfies every type, because it replaces the status of the name.
 */
export function compareWithRequirements(
  requirements: readonly DeclaredAttestation[],
  attestations: readonly ComparedAttestation[],
): RequirementResult {
  const newest = newestOf(attestations, ({ name }) => name);
  const decisionsByControl = newestOf(attestations.filter(isDecision), ({ control }) => control?.identifier ?? null);
  const expectedAttestations = new Set<ComparedAttestation>();
  const statuses = requirements.map((requirement): AttestationStatus => {
    const attestation = newest.get(requirement.name);
    if (attestation === undefined || !matchesRequirement(attestation, requirement)) return missingStatus(requirement);
    expectedAttestations.add(attestation);
    return statusOfAttestation(attestation, false);
  });
  const otherAttestations = [...newest.values()]
    .filter((attestation) => !expectedAttestations.has(attestation))
    .sort((a, b) => a.seq - b.seq);
  // If there are several decisions on one control, the newest counts.
  const states = [...newest.values()].map(
    (attestation) => (decisionsByControl.get(attestation.control?.identifier ?? null) ?? attestation).compliant,
  );
  const state = states.includes(false)
    ? 'NON-COMPLIANT'
    : statuses.some(({ status }) => status === 'MISSING')
      ? 'INCOMPLETE'
      : 'COMPLIANT';
  return { attestations: [...statuses, ...otherAttestations.map((other) => statusOfAttestation(other, true))], state };
}

function matchesRequirement({ type, countsAs }: ComparedAttestation, requirement: DeclaredAttestation): boolean {
  return requirement.type === '*' || type === 'override' || countsAs === requirement.type;
}

function isDecision({ control }: ComparedAttestation): boolean {
  return control !== null;
}

function newestOf<Key>(
  attested: readonly ComparedAttestation[],
  keyOf: (attestation: ComparedAttestation) => Key,
): Map<Key, ComparedAttestation> {
  const newest = new Map<Key, ComparedAttestation>();
  for (const attestation of attested) {
    const other = newest.get(keyOf(attestation));
    if (other === undefined || other.seq < attestation.seq) newest.set(keyOf(attestation), attestation);
  }
  return newest;
}

function missingStatus({ name, type }: DeclaredAttestation): AttestationStatus {
  const nothing = { attestationId: null, overriddenId: null, status: 'MISSING', compliant: null } as const;
  return { name, type, ...nothing, unexpected: false };
}

function statusOfAttestation(
  { id, name, countsAs, overriddenId, compliant }: ComparedAttestation,
  unexpected: boolean,
): AttestationStatus {
  return { name, type: countsAs, attestationId: id, overriddenId, status: 'COMPLETE', compliant, unexpected };
}

/** Non-compliant wins over incomplete, incomplete over compliant. */
export function worstState(parts: readonly TrailState[]): TrailState {
  if (parts.includes('NON-COMPLIANT')) return 'NON-COMPLIANT';
  return parts.includes('INCOMPLETE') ? 'INCOMPLETE' : 'COMPLIANT';
}
