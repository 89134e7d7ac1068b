import type { PublicEvent } from '@assurance/contracts/notifications/events';

/** A topic that other systems read. */
export interface PublicEvents {
  /**
   * Publishes events in the given order. They are durable when it resolves. A failed call may have published some of them: repeat it.
   * Consumers ignore repeated events.
   *
   * @throws StoreUnavailable
   */
  publish(events: readonly PublicEvent[]): Promise<void>;
}
