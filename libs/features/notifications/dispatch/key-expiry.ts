import { organization } from '@assurance/access/domain/organization';
import { serviceAccount, type ServiceAccount } from '@assurance/access/domain/service-account';
import { type Aggregate, orderBy } from '@assurance/contracts/events/aggregate';
import type { DomainEvent } from '@assurance/contracts/events/event';
import { kindOf, streams } from '@assurance/contracts/events/streams';
import { readListing } from '@assurance/event-sourcing/projection/listing';
import { commitsOf, eventsOf, metaOf } from '@assurance/event-sourcing/sealing/read';
import type { Clock, Ids } from '@assurance/event-sourcing/tokens';
import { groupBy, sha256 } from '@assurance/kernel';
import { type Commit, type Documents, type EventStore, getAll, pagesBy } from '@assurance/storage-ports';
import type { Delivery } from '../domain/delivery';
import { KEY_EXPIRY_NUMBER, keyExpiryConfigs, keyNotices, type NoticeDays, noticeDue } from '../domain/key-expiry';
import type { MessageKey } from '../domain/message';
import { digest } from '../domain/messages';
import { notification } from '../domain/notification';
import type { Notification } from '../domain/notification-state';
import type { Ledger } from './ledger';
import { placesOf } from './destinations-of';

/** How often all keys are checked (milliseconds). */
const EVERY_MS = 3600 * 1_000;
/** The consumer of the feed waits if more changed streams than this are pending. */
const WAITING_MAX = 1_000;
/** How many organizations are read together. */
const PAGE = 100;

interface Parts {
  readonly documents: Documents;
  readonly events: EventStore;
  readonly ledger: Pick<Ledger, 'write'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Pick<Ids, 'next'>;
  /** Called after messages were written. */
  readonly onMessages: () => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Announces API keys that expire soon. Every process does this at its start, every hour, and when keys or targets change. The id of a message derives
 * from the key, its expiry, the days before it and the target. Messages are written before the notice of their key, so if a process is killed between
 * them, the next check writes the same messages again.
 */
export class KeyExpiry {
  private timer: NodeJS.Timeout | null = null;
  /** The running work; null if nothing is pending. */
  private currentRun: Promise<void> | null = null;
  /** Changed streams that were not checked yet, by organization. */
  private readonly streamsByOrg = new Map<string, Set<string>>();
  private waitingStreams = 0;
  private looks = false;
  private stopping = false;

  constructor(private readonly parts: Parts) {}

  start(): void {
    const look = () => {
      this.looks = true;
      this.currentRun ??= this.work();
    };
    this.timer = setInterval(look, EVERY_MS);
    this.timer.unref();
    look();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    if (this.timer !== null) clearInterval(this.timer);
    await this.currentRun;
  }

  /**
   * Checks the accounts that commits changed. If commits changed the targets of an organization, it checks all accounts of the organization. It waits
   * if too many streams are pending.
   */
  async follow(batch: readonly Commit[]): Promise<void> {
    const changedCommits = batch.filter(({ stream, org }) => {
      return kindOf(stream) === 'service-account' || stream === streams.notification(org, KEY_EXPIRY_NUMBER);
    });
    for (const [org, commits] of groupBy(changedCommits, (commit) => commit.org)) {
      const streamsOfOrg = this.streamsByOrg.get(org) ?? new Set();
      this.waitingStreams -= streamsOfOrg.size;
      for (const { stream } of commits) streamsOfOrg.add(stream);
      this.waitingStreams += streamsOfOrg.size;
      this.streamsByOrg.set(org, streamsOfOrg);
    }
    if (this.streamsByOrg.size > 0) this.currentRun ??= this.work();
    if (this.waitingStreams > WAITING_MAX) await this.currentRun;
  }

  /** Sends the due announcements of all organizations. */
  async look(): Promise<void> {
    const configs = this.parts.documents.collection(keyExpiryConfigs);
    for await (const page of pagesBy(configs, {}, 'org', PAGE)) {
      for (const { doc } of page) if (!this.stopping) await this.announce(doc.org, null);
    }
  }

  /** Works until nothing is pending. Never rejects. */
  private async work(): Promise<void> {
    for (let next = this.next(); next !== null && !this.stopping; next = this.next()) {
      await next().catch((error: unknown) => this.parts.onFailure(error));
    }
    this.currentRun = null;
  }

  private next(): (() => Promise<void>) | null {
    if (this.looks) {
      this.looks = false;
      return () => this.look();
    }
    for (const [org, changed] of this.streamsByOrg) {
      this.streamsByOrg.delete(org);
      this.waitingStreams -= changed.size;
      return () => this.announce(org, changed);
    }
    return null;
  }

  /** @param changedStreams streams that may have newer commits than their stored states; null: checks all accounts in their stored state */
  private async announce(org: string, changedStreams: ReadonlySet<string> | null): Promise<void> {
    const { documents } = this.parts;
    const stream = streams.notification(org, KEY_EXPIRY_NUMBER);
    const state = await this.newestOf(notification, stream);
    if (state === null || state.deleted) return;
    if (changedStreams === null || changedStreams.has(stream)) {
      const accounts = readListing<ServiceAccount>(documents.collection(serviceAccount.states), {
        where: { org },
        order: orderBy('name'),
        matches: () => true,
      });
      for await (const { id, doc } of accounts)
        if (changedStreams?.has(id) !== true) await this.announceKeys(state, doc);
    }
    for (const id of changedStreams ?? []) {
      const account = id === stream ? null : await this.newestOf(serviceAccount, id);
      if (account !== null) await this.announceKeys(state, account);
    }
  }

  /** The stored state with the commits after it, because this consumer may get a commit before the state is written. */
  private async newestOf<State extends object, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: string,
  ): Promise<State | null> {
    const { documents, events } = this.parts;
    const storedState = await documents.collection(aggregate.states).get(stream);
    let state: State | null = storedState;
    for await (const commit of commitsOf(events, stream, (storedState?.seq ?? 0) + 1)) {
      for (const event of await eventsOf(events, commit)) {
        state = aggregate.evolve(state, event as Event, metaOf(commit));
      }
    }
    return state;
  }

  private async announceKeys(state: Notification, { name, keys, deleted }: ServiceAccount): Promise<void> {
    if (deleted) return;
    const expiring = keys.filter(({ expiresAt }) => expiresAt !== 0).map(({ id }) => id);
    const notices = await getAll(this.parts.documents.collection(keyNotices), expiring);
    for (const key of keys) {
      const { id, description, expiresAt } = key;
      const days = noticeDue(key, notices.get(id) ?? null, this.parts.clock.now());
      if (days !== null) await this.write(state, { id, description, account: name, expiresAt }, days);
    }
  }

  private async write(state: Notification, key: MessageKey, days: NoticeDays): Promise<void> {
    const { documents, ledger, clock, ids } = this.parts;
    const { org, name } = state;
    const at = clock.now();
    const orgName = (await documents.collection(organization.states).get(streams.organization(org)))?.name ?? org;
    const context = { org: orgName, notification: name, environment: null, at, snapshot: null };
    const description = `The API key ${key.id} (${key.description}) of the service account ${key.account} ends at ${new Date(key.expiresAt * 1_000).toISOString()}`;
    const message = digest(context, [{ type: 'API_KEY_EXPIRING', description, artifact: null, key }]);
    const deliveries = placesOf(state, new Map()).map(({ target, member, channel, destination }) => {
      const delivery: Delivery = {
        org,
        notification: KEY_EXPIRY_NUMBER,
        target,
        member,
        channel: channel.type,
        destination,
        message,
        at,
        serial: ids.next(),
        state: 'pending',
        nextAt: at,
        tries: 0,
        tried: 0,
        attempts: [],
        reason: null,
      };
      return [sha256([key.id, key.expiresAt, days, target].join('\n')).slice(0, 32), delivery] as const;
    });
    await ledger.write(new Map(deliveries));
    await documents.collection(keyNotices).merge([key.id], () => ({ expiresAt: key.expiresAt, days }));
    this.parts.onMessages();
  }
}
