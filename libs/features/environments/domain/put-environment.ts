import type { Environment } from '@assurance/contracts/environments/documents';
import type {
  EnvironmentCreated,
  EnvironmentRevived,
  EnvironmentSettings,
  EnvironmentType,
  EnvironmentUpdated,
} from '@assurance/contracts/environments/events';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type { PolicyAttached, PolicyDetached, PolicyRef } from '@assurance/contracts/policies/events';
import { accepted, changedOf, type Decision, noChange, refused } from '@assurance/kernel';
import { type AttachRefusal, changesOfPolicies } from './standards';

/** The settings that a caller gives. An absent field keeps its value. */
export interface PutEnvironment extends Partial<EnvironmentSettings> {
  readonly name: string;
  readonly type: EnvironmentType;
  /** All that are to be attached; absent keeps those that are. */
  readonly policies?: readonly PolicyRef[] | undefined;
}

export type PutEnvironmentRefusal = FeatureRefusal<'environment-type-changed' | 'forbidden'> | AttachRefusal;

export interface PutEnvironmentFacts {
  /** The id that a new environment gets. */
  readonly id: string;
  /** Whether the caller may change an environment that exists; one that may not can only create. */
  readonly mayUpdate: boolean;
  /** The policies that are attached. */
  readonly attachedPolicies: readonly PolicyRef[];
}

type PutEnvironmentEvent =
  EnvironmentCreated | EnvironmentRevived | EnvironmentUpdated | PolicyAttached | PolicyDetached;

/**
 * Creates an environment or updates its settings. It revives an archived one. Only a revival may change the type. An empty description does
 * not replace an existing one. If policies are given, the environment has exactly these afterwards. A caller that may only create must not
 * change an existing environment or attach a policy. A PUT without a change is accepted from every caller.
 */
export function decidePutEnvironment(
  state: Environment | null,
  { name, type, policies, ...input }: PutEnvironment,
  facts: PutEnvironmentFacts,
): Decision<PutEnvironmentEvent, PutEnvironmentRefusal> {
  const policyChanges = changesOfPolicies(
    state?.name ?? name,
    facts.attachedPolicies,
    policies ?? facts.attachedPolicies,
  );
  if (!policyChanges.ok) return refused(policyChanges.refusal);
  const memberNames = type === 'logical' ? input.includedEnvironments : null;
  if (state === null) {
    const settings: EnvironmentSettings = {
      description: input.description ?? '',
      includeScaling: input.includeScaling ?? false,
      requireProvenance: input.requireProvenance ?? false,
      includedEnvironments: type === 'logical' ? (memberNames ?? []) : null,
      ...(input.reportEvery ? { reportEvery: input.reportEvery } : {}),
    };
    if (policyChanges.value.length > 0 && !facts.mayUpdate) return refused({ kind: 'forbidden' });
    const data = { id: facts.id, name, type, ...settings };
    return accepted({ type: 'EnvironmentCreated', version: 1, data }, ...policyChanges.value);
  }
  if (state.type !== type && !state.archived)
    return refused({ kind: 'environment-type-changed', current: state.type, requested: type });
  const changes = changedOf<EnvironmentSettings>(state, {
    description: input.description === '' ? undefined : input.description,
    includeScaling: input.includeScaling,
    requireProvenance: input.requireProvenance,
    includedEnvironments: memberNames ?? undefined,
    reportEvery: changedInterval(state, input.reportEvery),
  });
  const events: PutEnvironmentEvent[] = [];
  if (state.archived)
    events.push({ type: 'EnvironmentRevived', version: 1, data: state.type === type ? {} : { type } });
  if (changes !== null) events.push({ type: 'EnvironmentUpdated', version: 1, data: changes });
  events.push(...policyChanges.value);
  const [first, ...rest] = events;
  if (first === undefined) return noChange;
  return facts.mayUpdate ? accepted(first, ...rest) : refused({ kind: 'forbidden' });
}

/** The new interval of reports; undefined if it does not change. No setting is the same as 0. */
export function changedInterval(
  { reportEvery = 0 }: Pick<Environment, 'reportEvery'>,
  requestedTime?: number,
): number | undefined {
  return requestedTime === reportEvery ? undefined : requestedTime;
}
