import { type Mark, Marks } from '@assurance/due';
import type { Delivery } from '@assurance/model';
import { WAIT_MAX_MS } from '@assurance/notification-rules';
import type { CollectionDefinition, Documents } from '@assurance/storage-ports';

/** That there is something to send somewhere. */
export type ToSend = Record<never, never>;

type Marked = CollectionDefinition<Mark<ToSend>>;

const indexes: Marked['indexes'] = [
  {
    name: 'by_time',
    fields: [
      ['due', 'asc'],
      ['notBefore', 'asc'],
    ],
  },
];

/** One document a destination of HTTP: who sends there now, and until when nobody does. */
export const dueDestinations: Marked = { name: 'due_destinations', indexes };

/** The same of mail, whose destinations share a few connections: who has one of them takes a destination. */
export const dueMail: Marked = { name: 'due_mail', indexes };

/** How long a process may send to a destination before others may. */
const LEASE_MS = 20_000;

/** The queues, by destination: those of mail apart from all others. */
export class Destinations {
  readonly direct: Marks<ToSend>;
  readonly mail: Marks<ToSend>;

  /** @param now integer milliseconds */
  constructor(documents: Documents, now: () => number) {
    const marksIn = (definition: Marked) =>
      new Marks<ToSend>(documents.collection(definition), now, {
        leaseMs: LEASE_MS,
        restMaxMs: WAIT_MAX_MS,
        together: (_said, next) => next,
        cleared: (mark) => mark,
      });
    this.direct = marksIn(dueDestinations);
    this.mail = marksIn(dueMail);
  }

  /** Marks where deliveries go to. */
  async mark(deliveries: readonly Pick<Delivery, 'destination' | 'channel'>[]): Promise<void> {
    const [mail, others] = [deliveries.filter(isMail), deliveries.filter((one) => !isMail(one))];
    if (others.length > 0) await this.direct.mark(marksOf(others));
    if (mail.length > 0) await this.mail.mark(marksOf(mail));
  }
}

/** Whether a delivery goes by one of the connections to the mail server. A destination never changes in that. */
export function isMail({ channel }: Pick<Delivery, 'channel'>): boolean {
  return channel === 'EMAIL';
}

function marksOf(deliveries: readonly Pick<Delivery, 'destination'>[]): Map<string, ToSend> {
  return new Map(deliveries.map(({ destination }) => [destination, {}]));
}
