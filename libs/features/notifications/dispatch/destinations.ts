import { WorkQueue } from '@assurance/event-sourcing/work-queue/work-queue';
import type { Documents } from '@assurance/storage-ports';
import type { Delivery } from '../domain/delivery';
import { WAIT_MAX_MS } from '../domain/retry';
import { destinationItems, mailItems, type DestinationWork } from './destination-queue';

/** How long a process has a destination for itself. After this time, another process may send to it (milliseconds). */
const LEASE_MS = 20_000;

/** The queues of destinations. Mail has its own queue. */
export class Destinations {
  readonly directQueue: WorkQueue<DestinationWork>;
  readonly mail: WorkQueue<DestinationWork>;

  /** @param now integer milliseconds */
  constructor(documents: Documents, now: () => number) {
    const marksIn = (definition: typeof destinationItems) =>
      new WorkQueue<DestinationWork>(documents.collection(definition), now, {
        leaseMs: LEASE_MS,
        pauseMaxMs: WAIT_MAX_MS,
        together: (_previous, next) => next,
        cleared: (item) => item,
      });
    this.directQueue = marksIn(destinationItems);
    this.mail = marksIn(mailItems);
  }

  /** Enqueues the destinations of deliveries. */
  async enqueue(deliveries: readonly Pick<Delivery, 'destination' | 'channel'>[]): Promise<void> {
    const [mail, others] = [deliveries.filter(isMail), deliveries.filter((delivery) => !isMail(delivery))];
    if (others.length > 0) await this.directQueue.enqueue(itemsOf(others));
    if (mail.length > 0) await this.mail.enqueue(itemsOf(mail));
  }
}

/** Whether a delivery uses a connection to the mail server. This never changes for a destination. */
export function isMail({ channel }: Pick<Delivery, 'channel'>): boolean {
  return channel === 'EMAIL';
}

function itemsOf(deliveries: readonly Pick<Delivery, 'destination'>[]): Map<string, DestinationWork> {
  return new Map(deliveries.map(({ destination }) => [destination, {}]));
}
