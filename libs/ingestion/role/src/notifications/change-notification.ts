import { streams } from '@assurance/contracts-events';
import { decideDeleteNotification, decideTestNotification } from '@assurance/ingestion-domain';
import { no, ok, type Result } from '@assurance/kernel';
import { type FeatureRefusal, notification, type Notification } from '@assurance/model';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { commandBy } from '../commands';
import { by } from '../core/caller';
import { Streams } from '../core/streams';
import { Secrets } from './secrets';
import { TargetSealing } from './targets';

/** Deletes a notification, or asks for a test of its targets. */
export class ChangeNotification extends commandBy<{ number: number; change: 'delete' | 'test' }>() {}

@CommandHandler(ChangeNotification)
export class ChangeNotificationHandler implements ICommandHandler<ChangeNotification> {
  constructor(
    private readonly streams: Streams,
    private readonly secrets: Secrets,
  ) {}

  async execute({ caller, number, change }: ChangeNotification): Promise<Result<null, FeatureRefusal>> {
    let before: Notification | null = null;
    const stream = streams.notification(caller.org.id, number);
    const ended = await this.streams.run(notification, stream, by(caller), ({ state }) => {
      before = state;
      return change === 'delete' ? decideDeleteNotification(state) : decideTestNotification(state);
    });
    if (ended.kind === 'refused') return no(ended.refusal);
    await new TargetSealing(this.secrets, caller.org.id, this.streams.sources.id).settle(before, ended.state);
    return ok(null);
  }
}
