import { type CollectionShape, type DomainEvent, keyOf, kindOf } from '@assurance/contracts-events';
import type { Clock, Ids } from '@assurance/http';
import { sha256 } from '@assurance/kernel';
import { organization } from '@assurance/model-access';
import { type Delivery, type Message, type Notification } from '@assurance/model-notification';
import { channels } from '@assurance/notification-channels';
import {
  type About,
  apart,
  digest,
  heard,
  type Occurrence,
  occurrencesOf,
  testMessage,
  UNWATCHED,
  WATCHED_TYPES,
  type Watched,
  watchedAfter,
} from '@assurance/notification-rules';
import type { Commit, Engines } from '@assurance/storage-ports';
import { commitsOf, eventsOf } from '@assurance/storage-records';
import { streams } from '@assurance/contracts-events';
import type { Ledger } from './ledger';
import { asOf, type Listeners, listenersOf } from './listeners';
import { placesOf } from './places';

/** How far a stream was followed, and what is remembered of its environment: written after the ledger. The document's id is the stream. */
interface Followed extends Watched {
  readonly seq: number;
}
const followed: CollectionShape<Followed> = { name: 'notified_streams', indexes: [] };

/** When the dispatcher of this store first ran: what happened before is told to nobody. One document. */
const begun: CollectionShape<{ readonly at: number }> = { name: 'dispatcher', indexes: [] };
const BEGUN = 'begun';

const KINDS = new Set(['environment', 'notification']);
const TESTED = 'NotificationTested';
/** How many messages are written at once. */
const FLUSH = 500;

/** Follows environments, and writes into the ledger what their events are to whom. */
export class Watch {
  constructor(
    private readonly engines: Pick<Engines, 'events' | 'documents'>,
    private readonly ledger: Ledger,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly ids: Pick<Ids, 'next'>,
  ) {}

  /** Takes a batch of commits. Harmless when they come again: what a stream was followed to, and each message, is written once. */
  async follow(batch: readonly Commit[]): Promise<void> {
    const all = byStream(batch.filter(({ stream }) => KINDS.has(kindOf(stream))));
    if (all.size === 0) return;
    const turn = new Turn(this.engines, this.ledger, this.clock.now(), await this.since(), this.ids);
    const known = await this.engines.documents.collection(followed).getMany([...all.keys()]);
    const reached = new Map<string, Followed>();
    for (const [stream, commits] of all) {
      let now: Followed = known.get(stream) ?? { ...UNWATCHED, seq: 0 };
      for (const commit of commits) {
        if (commit.seq <= now.seq) continue;
        for await (const missing of commitsOf(this.engines.events, stream, now.seq + 1, commit.seq - 1)) {
          now = await turn.take(now, missing);
        }
        now = await turn.take(now, commit);
      }
      if (now.seq > (known.get(stream)?.seq ?? 0)) reached.set(stream, now);
    }
    await turn.flush();
    const writes = [...reached].map(([id, doc]) => ({ kind: 'forward', id, seq: doc.seq, doc }) as const);
    if (writes.length > 0) await this.engines.documents.collection(followed).write(writes);
  }

  /** Set at the first commit that is ever seen; one in the future was set by a clock that has been set back since, and does not count. */
  private async since(): Promise<number> {
    const now = this.clock.now();
    const documents = this.engines.documents.collection(begun);
    await documents.merge([BEGUN], (known) => (known === null ? { at: now } : undefined));
    const at = (await documents.get(BEGUN))?.at ?? now;
    return at > now ? 0 : at;
  }
}

/** One batch: what is read once for all of it, and what is to be written. */
class Turn {
  private readonly listeners = new Map<string, Listeners>();
  private readonly names = new Map<string, string>();
  private messages = new Map<string, Delivery>();

  constructor(
    private readonly engines: Pick<Engines, 'events' | 'documents'>,
    private readonly ledger: Ledger,
    private readonly now: number,
    private readonly since: number,
    private readonly ids: Pick<Ids, 'next'>,
  ) {}

  /** @returns what is remembered after the commit */
  async take(before: Followed, commit: Commit): Promise<Followed> {
    const isWanted = (type: string) => WATCHED_TYPES.has(type) || type === TESTED;
    const events = await eventsOf(this.engines.events, commit, isWanted);
    let watched: Watched = before;
    const occurred: Occurrence[] = [];
    for (const event of events) {
      occurred.push(...occurrencesOf(watched, event));
      watched = watchedAfter(watched, event);
    }
    if (commit.at >= this.since) {
      if (occurred.length > 0) await this.tell(commit, watched, occurred);
      if (events.some(isTest)) await this.test(commit);
    }
    if (this.messages.size >= FLUSH) await this.flush();
    return { ...watched, seq: commit.seq };
  }

  async flush(): Promise<void> {
    if (this.messages.size > 0) await this.ledger.write(this.messages);
    this.messages = new Map();
  }

  private async tell(
    commit: Commit,
    { name, snapshot, compliant }: Watched,
    occurred: readonly Occurrence[],
  ): Promise<void> {
    const listeners = await this.listenersOf(commit.org);
    for (const head of listeners.notifications) {
      const then = await asOf(this.engines, head, commit.at, this.now);
      const mine = then === null ? [] : heard(then, keyOf(commit.stream), occurred);
      if (mine.length === 0) continue;
      const about: About = {
        org: await this.nameOf(commit.org),
        notification: head.name,
        environment: name,
        at: commit.at,
        snapshot: snapshot === 0 ? null : { index: snapshot, compliant },
      };
      const all = digest(about, mine);
      this.address(commit, head, listeners, (each) => (each === 'event' ? apart(about, mine) : [all]));
    }
  }

  private async test(commit: Commit): Promise<void> {
    const listeners = await this.listenersOf(commit.org);
    const head = listeners.notifications.find(({ org, number }) => commit.stream === streams.notification(org, number));
    if (head === undefined) return;
    const org = await this.nameOf(commit.org);
    const message = testMessage({ org, notification: head.name, environment: null, at: commit.at, snapshot: null });
    this.address(commit, head, listeners, () => [message]);
  }

  private address(
    { stream, seq, org }: Commit,
    head: Notification,
    { configs }: Listeners,
    messages: (each: 'event' | 'snapshot') => readonly Message[],
  ): void {
    for (const { target, member, channel, destination } of placesOf(head, configs)) {
      for (const [index, message] of messages(channels[channel.type].each).entries()) {
        const what = [stream, seq, head.number, target, member?.target ?? '', index];
        this.messages.set(sha256(what.join('\n')).slice(0, 32), {
          ...{ org, notification: head.number, target, member, channel: channel.type, destination, message },
          ...{ at: this.now, serial: this.ids.next(), state: 'pending', nextAt: this.now },
          ...{ tries: 0, tried: 0, attempts: [], reason: null },
        });
      }
    }
  }

  private async listenersOf(org: string): Promise<Listeners> {
    const listeners = this.listeners.get(org) ?? (await listenersOf(this.engines, org));
    this.listeners.set(org, listeners);
    return listeners;
  }

  private async nameOf(org: string): Promise<string> {
    const heads = this.engines.documents.collection(organization.heads);
    const name = this.names.get(org) ?? (await heads.get(streams.organization(org)))?.name ?? org;
    this.names.set(org, name);
    return name;
  }
}

function isTest({ type }: DomainEvent): boolean {
  return type === TESTED;
}

function byStream(batch: readonly Commit[]): Map<string, Commit[]> {
  const all = new Map<string, Commit[]>();
  for (const commit of batch) all.set(commit.stream, [...(all.get(commit.stream) ?? []), commit]);
  return all;
}
