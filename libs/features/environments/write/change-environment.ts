import { decideArchiveEnvironment } from '@assurance/access/domain/naming/archive';
import { decideMoveEnvironment } from '@assurance/access/domain/naming/move';
import { decideRenameEnvironment } from '@assurance/access/domain/naming/rename';
import { type ChangeTags, decideTagEnvironment } from '@assurance/access/domain/naming/tags';
import { Register } from '@assurance/access/write/register';
import { Spaces } from '@assurance/access/write/spaces';
import type { Environment, Running } from '@assurance/contracts/environments/documents';
import type { EnvironmentEvent } from '@assurance/contracts/environments/events';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type { PolicyRef } from '@assurance/contracts/policies/events';
import { commitAuthorOf, type Caller } from '@assurance/http/command-caller';
import { commandBy } from '@assurance/http/commands';
import { type Decision, err, noChange, ok, refused, type Result } from '@assurance/kernel';
import { Policies } from '@assurance/policies/write/policies';
import type { Part } from '@assurance/storage-ports';
import { CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { type AllowArtifact, decideAllowArtifact } from '../domain/allow-list';
import { decideJoin } from '../domain/join-environment';
import { decidePatchEnvironment } from '../domain/patch-environment';
import { decideAttachPolicies, decideDetachPolicies } from '../domain/standards';
import { Activity } from './activity';
import { Environments, type LoadedEnvironment } from './environments';
import { ImmediateJudgement } from './judging/judge-again';
import { Judgement } from './judging/judging';
import { membersOf } from './members';
import { changesPolicies, PoliciesOfBodies } from './policies-of';
import { NOT_REPORTED } from './settings-after';

/** A change of an existing environment. */
export type EnvironmentChange =
  /** Members and policies by name. */
  | {
      readonly kind: 'patch';
      readonly description?: string;
      readonly includeScaling?: boolean;
      /** Seconds; 0: learned. */
      readonly reportEvery?: number;
      readonly includedEnvironments?: readonly string[];
      readonly policies?: readonly string[];
    }
  /** Again is no second event. */
  | { readonly kind: 'archive' }
  | { readonly kind: 'rename'; readonly name: string }
  /** The id of the space that it goes to. */
  | { readonly kind: 'move'; readonly space: string }
  /** The name of the environment that becomes a member. */
  | { readonly kind: 'join'; readonly member: string }
  | { readonly kind: 'tag'; readonly tags: ChangeTags }
  /** Policies by name. */
  | { readonly kind: 'attach' | 'detach'; readonly policies: readonly string[] }
  | { readonly kind: 'allow'; readonly entry: AllowArtifact };

/** Changes an environment of this name, or of this alias. Ends with `allowed` for a new entry of the allow-list. */
export class ChangeEnvironment extends commandBy<
  { environment: string; change: EnvironmentChange },
  'allowed' | null
>() {}

@CommandHandler(ChangeEnvironment)
export class ChangeEnvironmentHandler implements ICommandHandler<ChangeEnvironment> {
  constructor(
    private readonly register: Register,
    private readonly environments: Environments,
    private readonly policies: Policies,
    private readonly inBodies: PoliciesOfBodies,
    private readonly judge: ImmediateJudgement,
    private readonly spaces: Spaces,
    private readonly judgement: Judgement,
    private readonly activity: Activity,
  ) {}

  async execute({ caller, environment: name, change }: ChangeEnvironment): Promise<CommandResult<ChangeEnvironment>> {
    const unknown = { kind: 'environment-unknown', org: caller.org.name, name } as const;
    const id = await this.register.find(caller.org.id, 'environment', name);
    if (id === null) return err(unknown);
    let expected: readonly Part[] = [];
    const decide = async (current: LoadedEnvironment | null, at: number) => {
      if (current === null) return refused(unknown);
      if (current.environment.archived) {
        return change.kind === 'archive' ? noChange : refused({ kind: 'environment-archived', name } as const);
      }
      const decision = await this.decide(caller, current, change, at);
      expected = await this.activity.expectedAfter(current.environment, decision);
      return decision;
    };
    const ended = await this.environments.run<FeatureRefusal>(id, commitAuthorOf(caller), decide, {
      partsBeside: () => expected,
    });
    if (ended.kind === 'refused') return err(ended.refusal);
    if (ended.kind !== 'committed') return ok(null);
    await this.judgeAfter(id, caller, change, ended.events);
    return ok(ended.events.some(({ type }) => type === 'ArtifactAllowed') ? 'allowed' : null);
  }

  /** Judges the environment again before the answer, so that the caller of the change sees the new verdict. */
  private async judgeAfter(
    id: string,
    caller: Caller,
    change: EnvironmentChange,
    events: readonly EnvironmentEvent[],
  ): Promise<void> {
    if (changesPolicies(events)) await this.judge.judgeAgain(id, caller, null);
    if (change.kind === 'allow') await this.judge.judgeAgain(id, caller, [change.entry.fingerprint]);
  }

  private async decide(
    caller: Caller,
    current: LoadedEnvironment,
    change: EnvironmentChange,
    at: number,
  ): Promise<Decision<EnvironmentEvent, FeatureRefusal>> {
    const { environment, newest, running } = current;
    switch (change.kind) {
      case 'archive':
        return decideArchiveEnvironment(environment);
      case 'tag':
        return decideTagEnvironment(environment, change.tags);
      case 'rename': {
        const as = { id: environment.id, at: newest.seq };
        const isOwn =
          change.name === environment.name ||
          (await this.register.take(caller.org.id, 'environment', change.name, as, commitAuthorOf(caller), (holder) =>
            this.environments.holder(holder),
          )) === environment.id;
        return decideRenameEnvironment(environment, change, { isOwn });
      }
      case 'move': {
        const decision = decideMoveEnvironment(environment, change, { tree: await this.spaces.of(caller.org.id) });
        return decision.kind === 'refused' ? refused({ ...decision.refusal, org: caller.org.name }) : decision;
      }
      case 'join': {
        const member = await this.physical(caller, change.member);
        return member.ok ? decideJoin(environment, { member: member.value }) : refused(member.refusal);
      }
      case 'attach':
      case 'detach': {
        const refs = await this.policies.findByNames(caller.org, change.policies);
        if (!refs.ok) return refused(refs.refusal);
        if (change.kind === 'detach') return decideDetachPolicies(environment, refs.value);
        const decision = decideAttachPolicies(environment, refs.value);
        const problem = decision.kind === 'events' ? await this.attachProblem(environment, running, refs.value) : null;
        return problem === null ? decision : refused({ kind: 'invalid', errors: { policy_names: problem } });
      }
      case 'allow': {
        const entry = await this.environments.allowedEntry(environment.id, change.entry.fingerprint);
        return decideAllowArtifact(environment, change.entry, { entry, at });
      }
      case 'patch':
        return this.patch(caller, current, change);
    }
  }

  private async patch(
    caller: Caller,
    current: LoadedEnvironment,
    { includedEnvironments: names, policies, ...settings }: Extract<EnvironmentChange, { readonly kind: 'patch' }>,
  ): Promise<Decision<EnvironmentEvent, FeatureRefusal>> {
    const { environment } = current;
    if (environment.type === 'logical' && (settings.reportEvery ?? 0) > 0) return refused(NOT_REPORTED);
    const members =
      names === undefined || environment.type !== 'logical'
        ? null
        : await membersOf(this.register, this.environments, caller, names);
    if (members?.ok === false) return refused(members.refusal);
    const refs = policies === undefined ? ok(undefined) : await this.inBodies.findByNames(caller.org, policies);
    if (!refs.ok) return refused(refs.refusal);
    const attachedPolicies = await this.inBodies.attachedTo(refs.value === undefined ? null : environment);
    const included = members === null ? {} : { includedEnvironments: members.value };
    const decision = decidePatchEnvironment(
      environment,
      { ...settings, policies: refs.value, ...included },
      { attachedPolicies },
    );
    return this.inBodies.judgeable(decision, caller, current, refs.value ?? []);
  }

  /** The reason why the environment cannot be judged by these policies in addition to its own; null if it can. */
  private attachProblem(
    { org, policies }: Environment,
    running: readonly Running[],
    refs: readonly PolicyRef[],
  ): Promise<string | null> {
    const ids = [...new Set([...policies, ...refs.map(({ id }) => id)])];
    const runningNames = running.map(({ name }) => name);
    return this.judgement.attachProblem(org, ids, runningNames);
  }

  /** The id of a physical environment that can be a member. */
  private async physical({ org }: Caller, name: string): Promise<Result<string, FeatureRefusal>> {
    const id = await this.register.find(org.id, 'environment', name);
    const loaded = id === null ? null : await this.environments.find(id);
    if (loaded === null) return err({ kind: 'environment-unknown', org: org.name, name });
    const { environment } = loaded;
    if (environment.archived) return err({ kind: 'environment-archived', name });
    if (environment.type === 'logical') return err({ kind: 'member-not-physical', name });
    return ok(environment.id);
  }
}
