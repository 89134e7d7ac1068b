import { COMMITS } from '@assurance/event-sourcing/feed/feed-strategy';
import type { Commit } from '@assurance/storage-ports';
import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { PublicEventPublisher } from './announce';
import { Dispatcher } from './dispatcher';

/** Identifies the consumer of this role among the consumers of the process. */
export const DISPATCHER_FEED = Symbol('notification-dispatcher');
/** The consumer that sends messages to people and programs outside of the service. */
export const PUBLIC_FEED = Symbol('cloudevents');

/** Consumes the feed, to send notifications and public events. */
@Controller()
export class NotificationFeedController {
  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly announce: PublicEventPublisher,
  ) {}

  @EventPattern(COMMITS, DISPATCHER_FEED)
  async follow(@Payload() batch: readonly Commit[]): Promise<void> {
    await this.dispatcher.follow(batch);
  }

  @EventPattern(COMMITS, PUBLIC_FEED)
  async notifyOthers(@Payload() batch: readonly Commit[]): Promise<void> {
    await this.announce.follow(batch);
  }
}
