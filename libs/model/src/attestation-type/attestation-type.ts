import {
  type Aggregate,
  type AttestationTypeDemands,
  type AttestationTypeEvent,
  type CollectionShape,
  type EventMeta,
  index,
  UnexpectedEvent,
} from '@assurance/contracts-events';

/** When a version was made (integer milliseconds), and by whom (an id). */
export interface Made {
  readonly at: number;
  readonly by: string;
}

/** A type of attestations that an organization made for itself. What its versions ask for are documents of their own. */
export interface AttestationType {
  readonly id: string;
  readonly org: string;
  readonly name: string;
  readonly description: string | null;
  readonly archived: boolean;
  /** Of each version, the first one first: the newest has the number of them. */
  readonly versions: readonly Made[];
  /** Integer milliseconds. */
  readonly lastModifiedAt: number;
}

/** The rules of a version. They are too large for an aggregate state. */
export interface AttestationTypeVersion extends AttestationTypeDemands, Made {
  readonly type: string;
  /** From 1. */
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
  states: {
    name: 'attestation_types',
    indexes: [index('by_name', 'org', 'archived', 'name')],
  },
  schemaVersion: 1,
  evolve(state, event, meta) {
    const lastModifiedAt = meta.at;
    if (event.type === 'AttestationTypeCreated') {
      const { id, name, description } = event.data;
      return { id, org: meta.org, name, description, archived: false, versions: [made(meta)], lastModifiedAt };
    }
    if (state === null) throw new UnexpectedEvent(event, meta);
    switch (event.type) {
      case 'AttestationTypeRevised': {
        const { description = state.description } = event.data;
        return { ...state, description, versions: [...state.versions, made(meta)], lastModifiedAt };
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
    const doc: AttestationTypeVersion = { type: state.id, version, ...made(meta), schema, rules, summary };
    return [{ collection: attestationTypeVersions, id: versionId(state.id, version), doc }];
  },
};

function made({ at, actor }: EventMeta): Made {
  return { at, by: actor };
}
