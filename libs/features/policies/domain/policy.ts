import {
  type Aggregate,
  type CollectionShape,
  index,
  type InlineProjection,
  UnexpectedEvent,
} from '@assurance/contracts/events/aggregate';
import type { EventMeta } from '@assurance/contracts/events/event';
import { Policy, policyStates } from '@assurance/contracts/policies/documents';
import type { PolicyEvent, PolicyText } from '@assurance/contracts/policies/events';

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
  states: policyStates,
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
