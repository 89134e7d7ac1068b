import { orderBy } from '@assurance/contracts/events/aggregate';
import { pieces } from '@assurance/kernel';
import { type Collection, type Documents, type StoredDocument, pagesBy } from '@assurance/storage-ports';
import { type Attempt, deliveries, type Delivery } from '../domain/delivery';
import { healthId, type TargetHealth, targetHealth } from '../domain/health';
import type { Destinations } from './destinations';

const WRITE_MAX = 500;
const ATTEMPTS_KEPT = 20;
const PAGE = 200;
const ENDED = ['delivered', 'dead'] as const;

/** The state of a message after an attempt. */
export type Next =
  | { readonly state: 'delivered' }
  | { readonly state: 'dead'; readonly reason: string }
  | { readonly state: 'pending'; readonly nextAt: number };

/** Stores every message to every target, before it is sent. */
export class Ledger {
  private readonly deliveries: Collection<Delivery>;
  private readonly health: Collection<TargetHealth>;

  constructor(
    documents: Documents,
    private readonly destinations: Pick<Destinations, 'enqueue'>,
  ) {
    this.deliveries = documents.collection(deliveries);
    this.health = documents.collection(targetHealth);
  }

  /** Stores messages that are not stored yet, then enqueues their destinations. */
  async write(all: ReadonlyMap<string, Delivery>): Promise<void> {
    for (const ids of pieces([...all.keys()], WRITE_MAX)) {
      await this.deliveries.merge(ids, (current, id) => (current === null ? all.get(id) : undefined));
    }
    await this.destinations.enqueue([...all.values()]);
  }

  /** The pending messages of a destination, the next one first. */
  listPending(destination: string, limit: number): Promise<StoredDocument<Delivery>[]> {
    return this.deliveries.find({
      where: { destination, state: 'pending' },
      order: orderBy('nextAt', 'serial'),
      limit,
    });
  }

  /** Records an attempt and the next state. A message that was delivered meanwhile stays delivered. */
  async note(
    { id, doc }: StoredDocument<Delivery>,
    attempt: Attempt | null,
    next: Next,
    settledRecipients?: Delivery['settled'],
  ): Promise<void> {
    await this.deliveries.merge([id], (current) => {
      if (current === null || current.state === 'delivered') return undefined;
      const attempts = attempt === null ? current.attempts : [...current.attempts, attempt].slice(-ATTEMPTS_KEPT);
      const count = attempt === null ? 0 : 1;
      const counts = { attempts, tries: current.tries + count, tried: current.tried + count };
      const reason = next.state === 'dead' ? next.reason : null;
      return {
        ...current,
        ...counts,
        ...(settledRecipients === undefined ? {} : { settled: settledRecipients }),
        state: next.state,
        nextAt: next.state === 'pending' ? next.nextAt : current.nextAt,
        reason,
      };
    });
    if (attempt === null) return;
    await this.health.merge([healthId(doc.target, doc.member?.target ?? null)], (current) => {
      const { lastSuccessAt, lastFailureAt, failures } = current ?? {
        lastSuccessAt: null,
        lastFailureAt: null,
        failures: 0,
      };
      return attempt.delivered
        ? { lastSuccessAt: attempt.at, lastFailureAt, failures: 0 }
        : { lastSuccessAt, lastFailureAt: attempt.at, failures: failures + 1 };
    });
  }

  /** Gives up the pending messages of a destination that are older than a time. */
  async giveUp(destination: string, before: number, reason: string): Promise<void> {
    for (;;) {
      const old = await this.deliveries.find({
        where: { destination, state: 'pending', at: { lte: before } },
        order: orderBy('at'),
        limit: PAGE,
      });
      for (const document of old) await this.note(document, null, { state: 'dead', reason });
      if (old.length < PAGE) return;
    }
  }

  /**
   * Makes dead messages of a notification pending again, so that they are sent again.
   *
   * @param onlyId the id of one message; null for all
   * @returns how many
   */
  async revive(org: string, number: number, onlyId: string | null, now: number): Promise<number> {
    let revivedCount = 0;
    for await (const page of pagesBy(this.deliveries, { org, notification: number }, 'serial', PAGE)) {
      const deadDeliveries = page.filter(({ id, doc }) => doc.state === 'dead' && (onlyId === null || id === onlyId));
      await this.deliveries.merge(
        deadDeliveries.map(({ id }) => id),
        (current) =>
          current?.state === 'dead'
            ? { ...current, ...openAgain(current), state: 'pending', tries: 0, nextAt: now, at: now, reason: null }
            : undefined,
      );
      await this.destinations.enqueue(deadDeliveries.map(({ doc }) => doc));
      revivedCount += deadDeliveries.length;
    }
    return revivedCount;
  }

  /**
   * Removes some ended messages that were stored before a time, the oldest first.
   *
   * @param before integer milliseconds
   * @returns how many; fewer than `limit` when nothing is left
   */
  async forget(before: number, limit: number): Promise<number> {
    let forgotten = 0;
    for (const state of ENDED) {
      const where = { state, at: { lte: before } };
      const old = await this.deliveries.find({ where, order: orderBy('at'), limit: limit - forgotten });
      await this.deliveries.write(old.map(({ id }) => ({ kind: 'forget', id }) as const));
      forgotten += old.length;
      if (forgotten >= limit) break;
    }
    return forgotten;
  }
}

/** Only refused recipients get another attempt. The others do not get the message twice. */
function openAgain({ settled }: Delivery): Pick<Delivery, 'settled'> {
  if (settled === undefined) return {};
  return { settled: Object.fromEntries(Object.entries(settled).filter(([, refusal]) => refusal === null)) };
}
