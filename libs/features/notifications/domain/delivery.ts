import { type CollectionShape, index } from '@assurance/contracts/events/aggregate';
import type { Channel } from '@assurance/contracts/notifications/events';
import type { Message } from './message';

/** One attempt to send a message. */
export interface Attempt {
  /** Integer milliseconds. */
  readonly at: number;
  readonly delivered: boolean;
  /** The answer of the target, or why it could not be reached. */
  readonly detail: string;
  readonly ms: number;
}

/**
 * One message to one target in the dispatcher's ledger, stored before it is sent. Its id derives from the event and the target, so an event that is
 * consumed twice is not sent twice.
 */
export interface Delivery {
  /** Id of the organization. */
  readonly org: string;
  readonly notification: number;
  /** Id of the notification's target. */
  readonly target: string;
  /** If the target refers to a configuration: the id of the configuration, and the id of the target inside it. */
  readonly member: { readonly config: string; readonly target: string } | null;
  readonly channel: Channel['type'];
  /** The queue that it waits in. Each destination has one queue. */
  readonly destination: string;
  readonly message: Message;
  /** When it was written: integer milliseconds. */
  readonly at: number;
  /** Orders deliveries of a notification: later ones sort later. */
  readonly serial: string;
  readonly state: 'pending' | 'delivered' | 'dead';
  /** The earliest time of the next attempt: integer milliseconds. */
  readonly nextAt: number;
  /** Attempts since it was written, or since an operator requested that it is sent again. */
  readonly tries: number;
  /** The number of all attempts. */
  readonly tried: number;
  /** The newest attempts, in the order of time. */
  readonly attempts: readonly Attempt[];
  /** Recipients of a mail that do not get it again: null if it was delivered, otherwise the reason of the refusal. Absent: none. */
  readonly settled?: Readonly<Record<string, string | null>>;
  /** Why it is dead. */
  readonly reason: string | null;
}

export const deliveries: CollectionShape<Delivery> = {
  name: 'deliveries',
  indexes: [
    index('by_destination', 'destination', 'state', 'nextAt', 'serial'),
    index('by_age', 'destination', 'state', 'at'),
    index('by_state', 'state', 'at'),
    index('by_notification', 'org', 'notification', 'serial'),
  ],
};
