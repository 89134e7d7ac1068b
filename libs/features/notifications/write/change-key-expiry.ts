import { streams } from '@assurance/contracts/events/streams';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type { ChannelTargetInput } from '@assurance/contracts/notifications/bodies/targets';
import type { NotificationEvent } from '@assurance/contracts/notifications/events';
import { type LoadedStream, Streams } from '@assurance/event-sourcing/command/streams';
import { commitAuthorOf } from '@assurance/http/command-caller';
import { commandBy } from '@assurance/http/commands';
import { type Decision, err, ok, refused, type Result } from '@assurance/kernel';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideDeleteKeyExpiry, decidePutKeyExpiry, KEY_EXPIRY_NUMBER } from '../domain/key-expiry';
import { notification } from '../domain/notification';
import type { Notification } from '../domain/notification-state';
import { targetUpdateOf } from './target-updates';
import { Secrets } from './secrets';
import { TargetSealing } from './targets';

/** Sets the targets of warnings about expiring API keys. Stops the warnings if no targets are given. */
export class ChangeKeyExpiry extends commandBy<{ targets: readonly ChannelTargetInput[] | null }>() {}

@CommandHandler(ChangeKeyExpiry)
export class ChangeKeyExpiryHandler implements ICommandHandler<ChangeKeyExpiry> {
  constructor(
    private readonly streams: Streams,
    private readonly secrets: Secrets,
  ) {}

  async execute({ caller, targets }: ChangeKeyExpiry): Promise<Result<null, FeatureRefusal>> {
    const { org } = caller;
    const updates = targets?.map(targetUpdateOf) ?? null;
    const sealing = new TargetSealing(this.secrets, org.id, this.streams.sources.id);
    let before: Notification | null = null;
    const decide = async ({
      state,
    }: LoadedStream<Notification>): Promise<Decision<NotificationEvent, FeatureRefusal>> => {
      before = state;
      if (updates === null) return decideDeleteKeyExpiry(state);
      const sealedTargets = await sealing.sealTargets(updates, state?.targets ?? []);
      return sealedTargets.ok
        ? decidePutKeyExpiry(state, { targets: sealedTargets.value })
        : refused(sealedTargets.refusal);
    };
    const stream = streams.notification(org.id, KEY_EXPIRY_NUMBER);
    const outcome = await this.streams.run(notification, stream, commitAuthorOf(caller), decide);
    await sealing.removeUnused(before, outcome.kind === 'refused' ? before : outcome.state);
    return outcome.kind === 'refused' ? err(outcome.refusal) : ok(null);
  }
}
