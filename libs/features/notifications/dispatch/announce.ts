import type { PublicEvent } from '@assurance/contracts/notifications/events';
import { CLOCK, type Clock, PORTS, type Ports, PUBLIC_EVENTS } from '@assurance/event-sourcing/tokens';
import type { Commit, PublicEvents } from '@assurance/storage-ports';
import { Inject, Injectable } from '@nestjs/common';
import { DeploymentResults } from '../lookups/deployment-results';
import { PublicEventsOfCommits } from '../lookups/public-events';

/** How many events are published at once, because a large report causes many. */
const FLUSH = 500;

/** Publishes events for other programs. It stores nothing. Events have ids of their commits, so publishing a commit again is harmless. */
@Injectable()
export class PublicEventPublisher {
  private readonly publicEvents: PublicEventsOfCommits;

  constructor(
    @Inject(PORTS) ports: Ports,
    @Inject(CLOCK) clock: Clock,
    @Inject(PUBLIC_EVENTS) private readonly topic: PublicEvents | null,
  ) {
    this.publicEvents = new PublicEventsOfCommits(ports.events, new DeploymentResults(ports, clock));
  }

  /**
   * Publishes the events of a batch. The offset of the consumer moves after the whole batch is published. After a fault, events are published again
   * with the same ids.
   */
  async follow(batch: readonly Commit[]): Promise<void> {
    if (this.topic === null) return;
    let pendingEvents: PublicEvent[] = [];
    for (const commit of batch) {
      for (const event of await this.publicEvents.of(commit)) {
        pendingEvents.push(event);
        if (pendingEvents.length < FLUSH) continue;
        await this.topic.publish(pendingEvents);
        pendingEvents = [];
      }
    }
    if (pendingEvents.length > 0) await this.topic.publish(pendingEvents);
  }
}
