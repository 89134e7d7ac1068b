import type { PublicEvent } from '@assurance/contracts/notifications/events';

/** A topic that others read. */
export interface PublicEvents {
  /**
   * Publishes events in the order given. They are durable when it resolves. A call that fails may have published some: repeat it, consumers
   * deduplicate.
   *
   * @throws StoreUnavailable
   */
  publish(events: readonly PublicEvent[]): Promise<void>;
}
