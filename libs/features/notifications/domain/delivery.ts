import { type CollectionShape, index } from '@assurance/contracts/events/aggregate';
import type { Channel } from '@assurance/contracts/notifications/events';
import type { Message } from './message';

/** One try to send a message. */
export interface Attempt {
  /** Integer milliseconds. */
  readonly at: number;
  readonly delivered: boolean;
  /** The answer of the target, or why it could not be reached. */
  readonly detail: string;
  readonly ms: number;
}

/**
 * One message to one target in the dispatcher's ledger, stored before it is sent. Its id is made of the event and the target, so an event
 * that is delivered twice is not sent twice.
 */
export interface Delivery {
  /** Id of the organization. */
  readonly org: string;
  readonly notification: number;
  /** Id of the notification's target. */
  readonly target: string;
  /** Where the target names a configuration: its id, and that of the target inside it. */
  readonly member: { readonly config: string; readonly target: string } | null;
  readonly channel: Channel['type'];
  /** The queue that it waits in: one for each place that messages go to. */
  readonly destination: string;
  readonly message: Message;
  /** When it was written: integer milliseconds. */
  readonly at: number;
  /** Orders deliveries of a notification: later ones sort later. */
  readonly serial: string;
  readonly state: 'pending' | 'delivered' | 'dead';
  /** Not to be tried before: integer milliseconds. */
  readonly nextAt: number;
  /** Tries since it was written, or since an operator had it sent again. */
  readonly tries: number;
  /** All tries there were. */
  readonly tried: number;
  /** The newest, oldest first. */
  readonly attempts: readonly Attempt[];
  /** Recipients of a mail to whom it is not sent again: null got it, a text says why it was refused. Absent: none. */
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
