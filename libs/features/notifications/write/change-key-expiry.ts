import { streams } from '@assurance/contracts/events/streams';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type { ChannelTargetInput } from '@assurance/contracts/notifications/bodies/targets';
import type { NotificationEvent } from '@assurance/contracts/notifications/events';
import { type Loaded, Streams } from '@assurance/event-sourcing/command/streams';
import { by } from '@assurance/http/command-caller';
import { commandBy } from '@assurance/http/commands';
import { type Decision, no, ok, refused, type Result } from '@assurance/kernel';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideDeleteKeyExpiry, decidePutKeyExpiry, KEY_EXPIRY_NUMBER } from '../domain/key-expiry';
import { notification, type Notification } from '../domain/notification';
import { givenChannel } from './given';
import { Secrets } from './secrets';
import { TargetSealing } from './targets';

/** Sets where warnings of ending API keys go; stops them where no targets are given. */
export class ChangeKeyExpiry extends commandBy<{ targets: readonly ChannelTargetInput[] | null }>() {}

@CommandHandler(ChangeKeyExpiry)
export class ChangeKeyExpiryHandler implements ICommandHandler<ChangeKeyExpiry> {
  constructor(
    private readonly streams: Streams,
    private readonly secrets: Secrets,
  ) {}

  async execute({ caller, targets }: ChangeKeyExpiry): Promise<Result<null, FeatureRefusal>> {
    const { org } = caller;
    const given = targets?.map(givenChannel) ?? null;
    const sealing = new TargetSealing(this.secrets, org.id, this.streams.sources.id);
    let before: Notification | null = null;
    const decide = async ({ state }: Loaded<Notification>): Promise<Decision<NotificationEvent, FeatureRefusal>> => {
      before = state;
      if (given === null) return decideDeleteKeyExpiry(state);
      const placed = await sealing.place(given, state?.targets ?? []);
      return placed.ok ? decidePutKeyExpiry(state, { targets: placed.value }) : refused(placed.refusal);
    };
    const stream = streams.notification(org.id, KEY_EXPIRY_NUMBER);
    const ended = await this.streams.run(notification, stream, by(caller), decide);
    await sealing.settle(before, ended.kind === 'refused' ? before : ended.state);
    return ended.kind === 'refused' ? no(ended.refusal) : ok(null);
  }
}
