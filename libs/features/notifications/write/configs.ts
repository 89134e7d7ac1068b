import { Register, StreamsByName } from '@assurance/access/write/register';
import { orderBy } from '@assurance/contracts/events/aggregate';
import type { Holder } from '@assurance/contracts/events/holder';
import { streams } from '@assurance/contracts/events/streams';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type { ChannelTargetInput } from '@assurance/contracts/notifications/bodies/targets';
import type { ChannelTarget, TargetConfigEvent } from '@assurance/contracts/notifications/events';
import { type LoadedStream, Streams } from '@assurance/event-sourcing/command/streams';
import { RefusalError } from '@assurance/http';
import { commitAuthorOf, type Caller } from '@assurance/http/command-caller';
import { commandBy } from '@assurance/http/commands';
import { type Decision, err, ok, refused, type Result } from '@assurance/kernel';
import { Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideDeleteTargetConfig, decidePutTargetConfig } from '../domain/change-target-config';
import { notification, NOTIFICATIONS_MAX } from '../domain/notification';
import { TARGET_CONFIGS_MAX, targetConfig, type TargetConfig } from '../domain/target-config';
import { targetUpdateOf } from './target-updates';
import { Secrets } from './secrets';
import { TargetSealing } from './targets';

/** Target configurations by name. */
@Injectable()
export class TargetConfigs extends StreamsByName {
  /** The id of the configuration with a name; null if there is none. */
  async find(org: string, name: string): Promise<string | null> {
    const id = await this.register.find(org, 'target-config', name);
    return id === null || (await this.holder(id))?.name !== name ? null : id;
  }

  /** The name of a configuration and the seq of its stream. */
  holder(id: string): Promise<Holder | null> {
    return this.streams.holder(targetConfig, streams.targetConfig(id));
  }
}

/** Creates a target configuration, or replaces its targets. Without targets, it deletes the configuration. */
export class ChangeTargetConfig extends commandBy<
  { name: string; targets: readonly ChannelTargetInput[] | null },
  'made' | 'kept'
>() {}

@CommandHandler(ChangeTargetConfig)
export class ChangeTargetConfigHandler implements ICommandHandler<ChangeTargetConfig> {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly configs: TargetConfigs,
    private readonly secrets: Secrets,
  ) {}

  async execute({ caller, name, targets }: ChangeTargetConfig): Promise<Result<'made' | 'kept', FeatureRefusal>> {
    const { org } = caller;
    const id = targets === null ? await this.configs.find(org.id, name) : await this.idFor(caller, name);
    if (id === null) return err({ kind: 'target-config-unknown', name, org: org.name });
    const updates = targets?.map(targetUpdateOf) ?? null;
    const sealing = new TargetSealing(this.secrets, org.id, this.streams.sources.id);
    let before: TargetConfig | null = null;
    const decide = async ({
      state,
    }: LoadedStream<TargetConfig>): Promise<Decision<TargetConfigEvent, FeatureRefusal>> => {
      before = state;
      if (updates === null) {
        return decideDeleteTargetConfig(state, { name, org: org.name }, { usedBy: await this.userOf(org.id, id) });
      }
      const sealedTargets = await sealing.sealTargets(updates, state?.targets ?? []);
      if (!sealedTargets.ok) return refused(sealedTargets.refusal);
      return decidePutTargetConfig(state, { name, targets: sealedTargets.value as readonly ChannelTarget[] }, { id });
    };
    const outcome = await this.streams.run(targetConfig, streams.targetConfig(id), commitAuthorOf(caller), decide);
    await sealing.removeUnused(before, outcome.kind === 'refused' ? before : outcome.state);
    return outcome.kind === 'refused' ? err(outcome.refusal) : ok(before === null ? 'made' : 'kept');
  }

  private async idFor(caller: Caller, name: string): Promise<string> {
    const { org } = caller;
    const existingId = await this.configs.find(org.id, name);
    if (existingId !== null) return existingId;
    const aggregateStates = this.streams.states(targetConfig);
    if ((await aggregateStates.count({ org: org.id, deleted: false })) >= TARGET_CONFIGS_MAX) {
      throw new RefusalError({ kind: 'too-many', things: 'target configurations', limit: TARGET_CONFIGS_MAX });
    }
    const newConfig = { id: this.streams.sources.id() };
    return this.register.take(org.id, 'target-config', name, newConfig, commitAuthorOf(caller), (holder) =>
      this.configs.holder(holder),
    );
  }

  /** The name of a notification that refers to a configuration. */
  private async userOf(org: string, config: string): Promise<string | null> {
    const all = await this.streams.states(notification).find({
      where: { org, deleted: false },
      order: orderBy('number'),
      limit: NOTIFICATIONS_MAX * 2,
    });
    const user = all.find(({ doc }) =>
      doc.targets.some((target) => target.type === 'NESTED_CONFIG' && target.config === config),
    );
    return user?.doc.name ?? null;
  }
}
