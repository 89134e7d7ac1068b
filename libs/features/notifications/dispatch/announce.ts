import type { PublicEvent } from '@assurance/contracts/notifications/events';
import { PORTS, PUBLIC_EVENTS } from '@assurance/event-sourcing/tokens';
import type { Commit, EventStore, PublicEvents } from '@assurance/storage-ports';
import { Inject, Injectable } from '@nestjs/common';
import { PublicEventsOfCommits } from '../lookups/public-events';

/** How many events are published at once, because a large report causes many. */
const FLUSH = 500;

/** Publishes events for other programs. It stores nothing. The events depend only on the log, so publishing a commit again is harmless. */
@Injectable()
export class PublicEventPublisher {
  private readonly publicEvents: PublicEventsOfCommits;

  constructor(
    @Inject(PORTS) { events }: { readonly events: Pick<EventStore, 'read' | 'readData' | 'bySnapshot'> },
    @Inject(PUBLIC_EVENTS) private readonly topic: PublicEvents | null,
  ) {
    this.publicEvents = new PublicEventsOfCommits(events);
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
