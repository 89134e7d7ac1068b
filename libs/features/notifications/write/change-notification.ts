import { streams } from '@assurance/contracts/events/streams';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type { NotificationType } from '@assurance/contracts/notifications/events';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { commitAuthorOf } from '@assurance/http/command-caller';
import { commandBy } from '@assurance/http/commands';
import { err, ok, type Result } from '@assurance/kernel';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideDeleteNotification, decideTestNotification } from '../domain/delete-notification';
import { notification } from '../domain/notification';
import type { Notification } from '../domain/notification-state';
import { Secrets } from './secrets';
import { TargetSealing } from './targets';

/** Deletes a notification, or tests its targets. If a type is given, notifications of the other type are unknown. */
export class ChangeNotification extends commandBy<{
  number: number;
  change: 'delete' | 'test';
  type?: NotificationType;
}>() {}

@CommandHandler(ChangeNotification)
export class ChangeNotificationHandler implements ICommandHandler<ChangeNotification> {
  constructor(
    private readonly streams: Streams,
    private readonly secrets: Secrets,
  ) {}

  async execute({ caller, number, change, type }: ChangeNotification): Promise<Result<null, FeatureRefusal>> {
    let before: Notification | null = null;
    const stream = streams.notification(caller.org.id, number);
    const outcome = await this.streams.run(notification, stream, commitAuthorOf(caller), ({ state }) => {
      before = state;
      return change === 'delete' ? decideDeleteNotification(state, type ?? null) : decideTestNotification(state);
    });
    if (outcome.kind === 'refused') return err(outcome.refusal);
    await new TargetSealing(this.secrets, caller.org.id, this.streams.sources.id).removeUnused(before, outcome.state);
    return ok(null);
  }
}
