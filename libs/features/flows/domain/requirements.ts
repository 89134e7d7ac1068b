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
  /** The template does not ask for it. */
  readonly unexpected: boolean;
}

/** Compares required with existing attestations, and gives the verdict. */
export interface Met {
  readonly attestations: readonly AttestationStatus[];
  readonly state: TrailState;
}

/** The fields of an attestation that requirements compare. */
export type Attested = Pick<
  AttestationDocument,
  'id' | 'seq' | 'name' | 'type' | 'countsAs' | 'compliant' | 'overriddenId' | 'control'
>;

/**
 * Compares attestations of one trail or artifact with the requirements. The newest attestation of a name counts. An attestation that is
 * not required is unexpected, and makes the status non-compliant only if it is non-compliant itself. An attestation of another type than
 * required does not satisfy the requirement. An override satisfies every type, because it replaces the status of the name.
 */
export function met(asked: readonly DeclaredAttestation[], attested: readonly Attested[]): Met {
  const newest = newestOf(attested, ({ name }) => name);
  const decided = newestOf(attested.filter(isDecision), ({ control }) => control?.identifier ?? null);
  const expected = new Set<Attested>();
  const statuses = asked.map((wanted): AttestationStatus => {
    const found = newest.get(wanted.name);
    if (found === undefined || !meets(found, wanted)) return missing(wanted);
    expected.add(found);
    return complete(found, false);
  });
  const others = [...newest.values()].filter((one) => !expected.has(one)).sort((a, b) => a.seq - b.seq);
  // Several decisions on one control: the newest counts.
  const states = [...newest.values()].map((one) => (decided.get(one.control?.identifier ?? null) ?? one).compliant);
  const state = states.includes(false)
    ? 'NON-COMPLIANT'
    : statuses.some(({ status }) => status === 'MISSING')
      ? 'INCOMPLETE'
      : 'COMPLIANT';
  return { attestations: [...statuses, ...others.map((one) => complete(one, true))], state };
}

function meets({ type, countsAs }: Attested, wanted: DeclaredAttestation): boolean {
  return wanted.type === '*' || type === 'override' || countsAs === wanted.type;
}

function isDecision({ control }: Attested): boolean {
  return control !== null;
}

function newestOf<Key>(attested: readonly Attested[], keyOf: (one: Attested) => Key): Map<Key, Attested> {
  const newest = new Map<Key, Attested>();
  for (const one of attested) {
    const other = newest.get(keyOf(one));
    if (other === undefined || other.seq < one.seq) newest.set(keyOf(one), one);
  }
  return newest;
}

function missing({ name, type }: DeclaredAttestation): AttestationStatus {
  const nothing = { attestationId: null, overriddenId: null, status: 'MISSING', compliant: null } as const;
  return { name, type, ...nothing, unexpected: false };
}

function complete({ id, name, countsAs, overriddenId, compliant }: Attested, unexpected: boolean): AttestationStatus {
  return { name, type: countsAs, attestationId: id, overriddenId, status: 'COMPLETE', compliant, unexpected };
}

/** Non-compliant wins over incomplete, incomplete over compliant. */
export function together(parts: readonly TrailState[]): TrailState {
  if (parts.includes('NON-COMPLIANT')) return 'NON-COMPLIANT';
  return parts.includes('INCOMPLETE') ? 'INCOMPLETE' : 'COMPLIANT';
}
