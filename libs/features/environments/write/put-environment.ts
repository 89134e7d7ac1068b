import { OrganizationLimits } from '@assurance/access/write/organization-limits';
import { Register } from '@assurance/access/write/register';
import type { EnvironmentType } from '@assurance/contracts/environments/events';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { commitAuthorOf } from '@assurance/http/command-caller';
import { commandBy } from '@assurance/http/commands';
import { err, ok, type Result } from '@assurance/kernel';
import type { Part } from '@assurance/storage-ports';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decidePutEnvironment } from '../domain/put-environment';
import { Activity } from './activity';
import { Environments, type LoadedEnvironment } from './environments';
import { ImmediateJudgement } from './judging/judge-again';
import { membersOf } from './members';
import { changesPolicies, PoliciesOfBodies } from './policies-of';
import { NOT_REPORTED } from './settings-after';

export interface EnvironmentInput {
  readonly name: string;
  readonly type: EnvironmentType;
  readonly description?: string;
  readonly includeScaling?: boolean;
  readonly requireProvenance?: boolean;
  /** Seconds; 0: learned. */
  readonly reportEvery?: number;
  /** Names of member environments. */
  readonly includedEnvironments?: readonly string[];
  /** Names of all the policies that it is to have. */
  readonly policies?: readonly string[];
}

/** Creates an environment; updates or revives one that exists, which the caller may do if `mayUpdate`. */
export class PutEnvironment extends commandBy<{ input: EnvironmentInput; mayUpdate: boolean }, 'made' | 'kept'>() {}

@CommandHandler(PutEnvironment)
export class PutEnvironmentHandler implements ICommandHandler<PutEnvironment> {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly environments: Environments,
    private readonly limits: OrganizationLimits,
    private readonly activity: Activity,
    private readonly policies: PoliciesOfBodies,
    private readonly judge: ImmediateJudgement,
  ) {}

  async execute({ caller, input, mayUpdate }: PutEnvironment): Promise<Result<'made' | 'kept', FeatureRefusal>> {
    const { includedEnvironments, policies, ...settings } = input;
    if (input.type === 'logical' && (input.reportEvery ?? 0) > 0) return err(NOT_REPORTED);
    const refs = policies === undefined ? ok(undefined) : await this.policies.findByNames(caller.org, policies);
    if (!refs.ok) return refs;
    const names = input.type === 'logical' ? includedEnvironments : undefined;
    const members = names === undefined ? null : await membersOf(this.register, this.environments, caller, names);
    if (members?.ok === false) return members;
    const value = {
      ...settings,
      policies: refs.value,
      ...(members === null ? {} : { includedEnvironments: members.value }),
    };
    const newEnvironment = { id: this.streams.sources.id() };
    const id = await this.register.take(
      caller.org.id,
      'environment',
      input.name,
      newEnvironment,
      commitAuthorOf(caller),
      (holder) => this.environments.holder(holder),
    );
    let isNew = false;
    let expectedParts: readonly Part[] = [];
    const decide = async (current: LoadedEnvironment | null) => {
      isNew = current === null;
      if (isNew) await this.limits.checkOneMore(caller.org.id, 'environments');
      const state = current?.environment ?? null;
      const attachedPolicies = await this.policies.attachedTo(refs.value === undefined ? null : state);
      const decision = decidePutEnvironment(state, value, { id, mayUpdate, attachedPolicies });
      expectedParts = await this.activity.expectedAfter(state, decision);
      return this.policies.judgeable(decision, caller, current, refs.value ?? []);
    };
    const outcome = await this.environments.run<FeatureRefusal>(id, commitAuthorOf(caller), decide, {
      partsBeside: () => expectedParts,
    });
    if (outcome.kind === 'refused') return err(outcome.refusal);
    if (outcome.kind === 'committed' && changesPolicies(outcome.events)) await this.judge.judgeAgain(id, caller, null);
    return ok(isNew ? 'made' : 'kept');
  }
}
