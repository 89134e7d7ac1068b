import {
  type Aggregate,
  type CollectionShape,
  type EventMeta,
  index,
  type InlineProjection,
  type PolicyEvent,
  type PolicyText,
  UnexpectedEvent,
} from '@assurance/contracts-events';
import type { Life } from '../life';

/** Versioned rules on what may run in the environments that they are attached to. */
export interface Policy extends Life {
  readonly id: string;
  readonly org: string;
  readonly name: string;
  readonly description: string;
  /** The newest, from 1: a document of `policyVersions`. */
  readonly version: number;
}

/** A version of a policy: it never changes. */
export interface PolicyVersionDocument extends PolicyText {
  readonly policy: string;
  readonly name: string;
  readonly version: number;
  /** Integer milliseconds. */
  readonly at: number;
  /** Id of the user or service account. */
  readonly by: string;
}

export const policyVersions: CollectionShape<PolicyVersionDocument> = {
  name: 'policy_versions',
  indexes: [index('by_policy', 'policy', '-version')],
};

/** The id of a version's document. */
export function policyVersionId(policy: string, version: number): string {
  return `${policy}/${version}`;
}

export const policy: Aggregate<Policy, PolicyEvent, 'policy'> = {
  kind: 'policy',
  states: {
    name: 'policies',
    indexes: [index('by_name', 'org', 'name')],
  },
  schemaVersion: 1,
  evolve(state, event, meta) {
    if (event.type === 'PolicyCreated') {
      const { id, name, description } = event.data;
      const { org, at, actor } = meta;
      return { id, org, name, description, version: 1, createdAt: at, createdBy: actor, lastModifiedAt: at };
    }
    if (state === null) throw new UnexpectedEvent(event, meta);
    switch (event.type) {
      case 'PolicyDescribed':
        return { ...state, description: event.data.description, lastModifiedAt: meta.at };
      case 'PolicyRevised':
        return { ...state, version: event.data.version, lastModifiedAt: meta.at };
    }
  },
  inlineProjections(state, event, meta) {
    return event.type === 'PolicyDescribed' ? [] : [versionDocument(state, event.data, meta)];
  },
};

function versionDocument(
  { id, name, version }: Policy,
  { comment, yaml, rules }: PolicyText,
  { at, actor }: EventMeta,
): InlineProjection {
  const doc: PolicyVersionDocument = { policy: id, name, version, comment, yaml, rules, at, by: actor };
  return { collection: policyVersions, id: policyVersionId(id, version), doc };
}
