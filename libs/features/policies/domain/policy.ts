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
import { endsOf } from './exceptions';

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

/** A policy with exceptions that will end. */
export interface ExceptionEndDocument {
  readonly org: string;
  readonly policy: string;
  /** The next end (integer milliseconds). */
  readonly due: number;
}

/** One document for each policy with an exception in its newest version that will end. */
export const exceptionEnds: CollectionShape<ExceptionEndDocument> = {
  name: 'policy_exception_ends',
  indexes: [index('by_end', 'due', 'policy')],
};

/** The id of a version's document. */
export function policyVersionId(policy: string, version: number): string {
  return `${policy}/${version}`;
}

export const policy: Aggregate<Policy, PolicyEvent, 'policy'> = {
  kind: 'policy',
  states: policyStates,
  schemaVersion: 2,
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
      case 'PolicyExceptionsEnded':
        return state;
    }
  },
  inlineProjections(state, event, meta) {
    if (event.type === 'PolicyDescribed') return [];
    if (event.type === 'PolicyExceptionsEnded') return [endDocument(state, event.data.next)];
    const version = { collection: policyVersions, id: policyVersionId(state.id, state.version) };
    // Exceptions that ended before are not part of the version.
    const end = endsOf(event.data.rules).find((one) => one > meta.at) ?? null;
    return [{ ...version, doc: versionDocument(state, event.data, meta) }, endDocument(state, end)];
  },
};

function endDocument({ id, org }: Policy, due: number | null): InlineProjection {
  const doc: ExceptionEndDocument | null = due === null ? null : { org, policy: id, due };
  return { collection: exceptionEnds, id, doc };
}

/** The version of a policy that an event creates; null if it creates none. */
export function versionBy(state: Policy, event: PolicyEvent, meta: EventMeta): PolicyVersionDocument | null {
  const makesNone = event.type === 'PolicyDescribed' || event.type === 'PolicyExceptionsEnded';
  return makesNone ? null : versionDocument(state, event.data, meta);
}

function versionDocument(
  { id, name, version }: Policy,
  { comment, yaml, rules }: PolicyText,
  { at, actor }: EventMeta,
): PolicyVersionDocument {
  return { policy: id, name, version, comment, yaml, rules, at, by: actor };
}
