import { type AggregateState, type CollectionShape, index } from '../events/aggregate';
import type { ChangeInfo } from '../events/life';
import type { ControlSettings } from './events';

/** A named requirement. Policies and decisions refer to it by its identifier. */
export interface Control extends ControlSettings, ChangeInfo {
  readonly id: string;
  readonly org: string;
  readonly identifier: string;
  /** Starts at 1. */
  readonly version: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly archived: boolean;
}

/** The states of these aggregates. */
export const controlStates: CollectionShape<AggregateState<Control>> = {
  name: 'controls',
  indexes: [index('by_identifier', 'org', 'archived', 'identifier')],
};

/** Versioned rules for what may run in the environments to which the policy is attached. */
export interface Policy extends ChangeInfo {
  readonly id: string;
  readonly org: string;
  readonly name: string;
  readonly description: string;
  /** The newest version, starting at 1. It is a document of `policyVersions`. */
  readonly version: number;
}

/** The states of these aggregates. */
export const policyStates: CollectionShape<AggregateState<Policy>> = {
  name: 'policies',
  indexes: [index('by_name', 'org', 'name')],
};
