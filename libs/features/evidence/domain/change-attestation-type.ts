import type { AttestationType } from '@assurance/contracts/evidence/documents';
import type {
  AttestationTypeArchived,
  AttestationTypeCreated,
  AttestationTypeDemands,
  AttestationTypeRevised,
  AttestationTypeRevived,
} from '@assurance/contracts/evidence/events';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { accepted, type Decision, noChange, refused } from '@assurance/kernel';
/** The most versions of a type. The aggregate state lists all of them. */
export const VERSIONS_MAX = 200;

export interface PostAttestationType extends AttestationTypeDemands {
  readonly name: string;
  /** If missing or empty: a new type gets no description, and an existing type keeps its own. */
  readonly description?: string;
}

export type PostAttestationTypeRefusal = FeatureRefusal<'too-many-versions'>;

/**
 * Creates a custom attestation type, or adds a version to an existing one. It revives the type if it is archived.
 *
 * @param facts.id the id of a new type
 */
export function decidePostAttestationType(
  state: AttestationType | null,
  { name, description = '', schema, rules, summary }: PostAttestationType,
  { id }: { readonly id: string },
): Decision<AttestationTypeCreated | AttestationTypeRevised | AttestationTypeRevived, PostAttestationTypeRefusal> {
  const demands: AttestationTypeDemands = { schema, rules, summary };
  if (state === null) {
    const data = { id, name, description: description === '' ? null : description, ...demands };
    return accepted({ type: 'AttestationTypeCreated', version: 1, data });
  }
  const version = state.versions.length + 1;
  if (version > VERSIONS_MAX) return refused({ kind: 'too-many-versions', limit: VERSIONS_MAX });
  const changedDescription = description === '' || description === state.description ? {} : { description };
  const typeRevised: AttestationTypeRevised = {
    type: 'AttestationTypeRevised',
    version: 1,
    data: { version, ...changedDescription, ...demands },
  };
  return state.archived
    ? accepted<AttestationTypeRevived, AttestationTypeRevised>(
        { type: 'AttestationTypeRevived', version: 1, data: {} },
        typeRevised,
      )
    : accepted(typeRevised);
}

/** Archives a type. If it is already archived, nothing changes. An archived type can still be read and used. */
export function decideArchiveAttestationType({ archived }: AttestationType): Decision<AttestationTypeArchived, never> {
  return archived ? noChange : accepted({ type: 'AttestationTypeArchived', version: 1, data: {} });
}
