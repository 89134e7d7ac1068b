import { type Mark, Marks } from '@assurance/due';
import { WAIT_MAX_MS } from '@assurance/notification-rules';
import type { CollectionDefinition, Documents } from '@assurance/storage-ports';

/** That there is something to send somewhere. */
export type ToSend = Record<never, never>;

/** One document a destination: who sends there now, and until when nobody does. */
export const dueDestinations: CollectionDefinition<Mark<ToSend>> = {
  name: 'due_destinations',
  indexes: [
    {
      name: 'by_time',
      fields: [
        ['due', 'asc'],
        ['notBefore', 'asc'],
      ],
    },
  ],
};

/** How long a process may send to a destination before others may. */
const LEASE_MS = 20_000;

/** The queues, by destination. */
export class Destinations extends Marks<ToSend> {
  /** @param now integer milliseconds */
  constructor(documents: Documents, now: () => number) {
    super(documents.collection(dueDestinations), now, {
      leaseMs: LEASE_MS,
      restMaxMs: WAIT_MAX_MS,
      together: (_said, next) => next,
      cleared: (mark) => mark,
    });
  }
}
