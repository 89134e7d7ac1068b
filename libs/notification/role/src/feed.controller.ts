import { COMMITS } from '@assurance/http';
import type { Commit } from '@assurance/storage-ports';
import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { Dispatcher } from './dispatcher';

/** Tells this role's consumer from others in the process. */
export const DISPATCHER_FEED = Symbol('notification-dispatcher');

/** Follows the feed, to tell what happens. */
@Controller()
export class NotificationFeedController {
  constructor(private readonly dispatcher: Dispatcher) {}

  @EventPattern(COMMITS, DISPATCHER_FEED)
  async follow(@Payload() batch: readonly Commit[]): Promise<void> {
    await this.dispatcher.follow(batch);
  }
}
