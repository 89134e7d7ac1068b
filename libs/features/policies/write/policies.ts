import { OrganizationLimits } from '@assurance/access/write/organization-limits';
import { Register, StreamsByName } from '@assurance/access/write/register';
import { streams } from '@assurance/contracts/events/streams';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type { PolicyRef } from '@assurance/contracts/policies/events';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { commitAuthorOf, type Caller } from '@assurance/http/command-caller';
import { commandBy } from '@assurance/http/commands';
import { err, ok, type Result } from '@assurance/kernel';
import { Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { policy, policyVersionId, policyVersions } from '../domain/policy';
import { decidePutPolicy, type PutPolicy as Given } from '../domain/put-policy';
import { unknownControls } from '../lookups/unknown-controls';
import { Controls } from './controls';

/** The policies of organizations, for commands that refer to them by name. */
@Injectable()
export class Policies extends StreamsByName {
  /** The policies in the order of the names. The first unknown name is refused. */
  async findByNames(org: Caller['org'], names: readonly string[]): Promise<Result<PolicyRef[], FeatureRefusal>> {
    const refs: PolicyRef[] = [];
    for (const name of names) {
      const id = await this.register.find(org.id, 'policy', name);
      const ref = id === null ? null : await this.byId(id);
      if (ref === null) return err({ kind: 'policy-unknown', org: org.name, name });
      refs.push(ref);
    }
    return ok(refs);
  }

  /** A policy by its id; null when there is none. */
  async byId(id: string): Promise<PolicyRef | null> {
    const { state } = await this.streams.load(policy, streams.policy(id));
    return state === null ? null : { id: state.id, name: state.name };
  }
}

/** Creates a policy, or adds its next version. */
export class PutPolicy extends commandBy<{ input: Given }, 'made' | 'kept'>() {}

@CommandHandler(PutPolicy)
export class PutPolicyHandler implements ICommandHandler<PutPolicy> {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly controls: Controls,
    private readonly limits: OrganizationLimits,
  ) {}

  async execute({ caller, input }: PutPolicy): Promise<Result<'made' | 'kept', FeatureRefusal>> {
    const { org } = caller;
    const errors = await this.controlErrors(org.id, input);
    if (Object.keys(errors).length > 0) return err({ kind: 'invalid', errors });
    const { sources, engines } = this.streams;
    if (input.yaml === null && (await this.register.find(org.id, 'policy', input.name)) === null)
      return err({ kind: 'policy-file-missing' });
    const id = await this.register.claim(org.id, 'policy', input.name, sources.id(), commitAuthorOf(caller));
    let isNew = false;
    const outcome = await this.streams.run(policy, streams.policy(id), commitAuthorOf(caller), async ({ state }) => {
      isNew = state === null;
      if (isNew) await this.limits.checkOneMore(org.id, 'policies');
      const newest =
        state === null
          ? null
          : await engines.documents.collection(policyVersions).get(policyVersionId(id, state.version));
      return decidePutPolicy(state, input, { id, yaml: newest?.yaml ?? null });
    });
    return outcome.kind === 'refused' ? err(outcome.refusal) : ok(isNew ? 'made' : 'kept');
  }

  /** A policy may only name existing controls. */
  private async controlErrors(org: string, input: Given): Promise<Record<string, string>> {
    if (input.yaml === null) return {};
    return unknownControls(
      'policy_file',
      input.rules,
      async (identifier) => (await this.controls.find(org, identifier)) !== null,
    );
  }
}
