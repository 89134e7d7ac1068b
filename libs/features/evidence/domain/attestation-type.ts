import { type Aggregate, type CollectionShape, UnexpectedEvent } from '@assurance/contracts/events/aggregate';
import type { EventMeta } from '@assurance/contracts/events/event';
import { AttestationType, attestationTypeStates, CreationInfo } from '@assurance/contracts/evidence/documents';
import type { AttestationTypeDemands, AttestationTypeEvent } from '@assurance/contracts/evidence/events';

/** The rules of a version. They are not in the aggregate state, because they are too large for it. */
export interface AttestationTypeVersion extends AttestationTypeDemands, CreationInfo {
  readonly type: string;
  /** The first version is 1. */
  readonly version: number;
}

export const attestationTypeVersions: CollectionShape<AttestationTypeVersion> = {
  name: 'attestation_type_versions',
  indexes: [],
};

/** The id of a version's document. */
export function versionId(type: string, version: number): string {
  return `${type}/${version}`;
}

export const attestationType: Aggregate<AttestationType, AttestationTypeEvent, 'attestation-type'> = {
  kind: 'attestation-type',
  states: attestationTypeStates,
  schemaVersion: 1,
  evolve(state, event, meta) {
    const lastModifiedAt = meta.at;
    if (event.type === 'AttestationTypeCreated') {
      const { id, name, description } = event.data;
      return { id, org: meta.org, name, description, archived: false, versions: [creationInfo(meta)], lastModifiedAt };
    }
    if (state === null) throw new UnexpectedEvent(event, meta);
    switch (event.type) {
      case 'AttestationTypeRevised': {
        const { description = state.description } = event.data;
        return { ...state, description, versions: [...state.versions, creationInfo(meta)], lastModifiedAt };
      }
      case 'AttestationTypeArchived':
        return { ...state, archived: true, lastModifiedAt };
      case 'AttestationTypeRevived':
        return { ...state, archived: false, lastModifiedAt };
    }
  },
  inlineProjections(state, event, meta) {
    if (event.type !== 'AttestationTypeCreated' && event.type !== 'AttestationTypeRevised') return [];
    const { schema, rules, summary } = event.data;
    const version = event.type === 'AttestationTypeCreated' ? 1 : event.data.version;
    const doc: AttestationTypeVersion = { type: state.id, version, ...creationInfo(meta), schema, rules, summary };
    return [{ collection: attestationTypeVersions, id: versionId(state.id, version), doc }];
  },
};

function creationInfo({ at, actor }: EventMeta): CreationInfo {
  return { at, by: actor };
}
