import type { Environment } from '@assurance/contracts/environments/documents';
import type { EnvironmentEvent } from '@assurance/contracts/environments/events';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type { PolicyRef } from '@assurance/contracts/policies/events';
import type { Caller } from '@assurance/http/command-caller';
import { type Decision, err, refused, type Result } from '@assurance/kernel';
import { Policies } from '@assurance/policies/write/policies';
import { Injectable } from '@nestjs/common';
import type { LoadedEnvironment } from './environments';
import { Judgement } from './judging/judging';

/** Policies as bodies of environments name them (`policies`). */
@Injectable()
export class PoliciesOfBodies {
  constructor(
    private readonly policies: Policies,
    private readonly judgement: Judgement,
  ) {}

  /** Finds policies by their names. An unknown name is an error of the field. */
  async findByNames(
    org: Caller['org'],
    names: readonly string[],
  ): Promise<Result<readonly PolicyRef[], FeatureRefusal>> {
    const result = await this.policies.findByNames(org, names);
    if (result.ok || result.refusal.kind !== 'policy-unknown') return result;
    return err({ kind: 'invalid', errors: { policies: `Policy '${result.refusal.name}' does not exist` } });
  }

  /** The attached ones. */
  async attachedTo(environment: Pick<Environment, 'policies'> | null): Promise<readonly PolicyRef[]> {
    const refs: PolicyRef[] = [];
    for (const id of environment?.policies ?? []) refs.push((await this.policies.byId(id)) ?? { id, name: id });
    return refs;
  }

  /** The decision, refused where the environment cannot be judged by all of the given policies. */
  async judgeable<Event extends EnvironmentEvent, Refusal>(
    decision: Decision<Event, Refusal>,
    { org }: Caller,
    current: LoadedEnvironment | null,
    refs: readonly PolicyRef[],
  ): Promise<Decision<Event, Refusal | FeatureRefusal>> {
    if (decision.kind !== 'events' || !decision.events.some(({ type }) => type === 'PolicyAttached')) return decision;
    const ids = [...new Set(refs.map(({ id }) => id))];
    const names = (current?.running ?? []).map(({ name }) => name);
    const problem = await this.judgement.attachProblem(org.id, ids, names);
    return problem === null ? decision : refused({ kind: 'invalid', errors: { policies: problem } });
  }
}

/** Whether events attach or detach a policy. */
export function changesPolicies(events: readonly EnvironmentEvent[]): boolean {
  return events.some(({ type }) => type === 'PolicyAttached' || type === 'PolicyDetached');
}
