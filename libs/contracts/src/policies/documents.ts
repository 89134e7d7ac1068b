import { type AggregateState, type CollectionShape, index } from '../events/aggregate';
import type { ChangeInfo } from '../events/life';
import type { ControlSettings, EvaluatedTrail, EvaluationFailure } from './events';

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

/** An evaluation of a policy in Rego. */
export interface Evaluation {
  readonly id: string;
  readonly org: string;
  /** Id of the user or service account. */
  readonly requestedBy: string;
  /** Integer milliseconds, as the following ones. */
  readonly requestedAt: number;
  readonly recordedAt: number;
  readonly trails: readonly EvaluatedTrail[];
  readonly digest: string;
  readonly status: 'pending' | 'completed' | 'failed';
  /** Of a failed evaluation. */
  readonly error?: EvaluationFailure;
}

/** The states of these aggregates. */
export const evaluationStates: CollectionShape<AggregateState<Evaluation>> = {
  name: 'evaluations',
  indexes: [index('by_time', 'org', '-requestedAt', '-id')],
};

/** The result of a completed evaluation, under the id of its stream. */
export const evaluationResults: CollectionShape<{ /** JSON text. */ readonly result: string }> = {
  name: 'evaluation_results',
  indexes: [],
};
