import { organization } from '@assurance/access/domain/organization';
import type { CollectionShape } from '@assurance/contracts/events/aggregate';
import type { DomainEvent } from '@assurance/contracts/events/event';
import { keyOf, kindOf, streams } from '@assurance/contracts/events/streams';
import type { ArtifactReported, TrailBegun } from '@assurance/contracts/flows/events';
import { commitsOf, eventsOf } from '@assurance/event-sourcing/sealing/read';
import type { Clock, Ids } from '@assurance/event-sourcing/tokens';
import { flow } from '@assurance/flows/domain/flow';
import { groupBy, sha256 } from '@assurance/kernel';
import type { Commit, Engines } from '@assurance/storage-ports';
import { channels } from '../channels/registry';
import type { Delivery } from '../domain/delivery';
import { FLOW_TYPES, flowOccurrencesOf } from '../domain/flow-occurrences';
import { type FollowedStream, followedStreams } from '../domain/followed';
import type { Message } from '../domain/message';
import { digest, type MessageContext, messagePerEvent, testMessage } from '../domain/messages';
import type { Notification } from '../domain/notification-state';
import {
  type Occurrence,
  occurrencesFor,
  occurrencesOf,
  UNWATCHED,
  WATCHED_TYPES,
  watchedAfter,
  type WatchedEnvironment,
} from '../domain/occurrences';
import type { Ledger } from './ledger';
import { listener, type Listeners, notificationAt, NotificationListeners } from './listeners';
import { placesOf } from './destinations-of';
import type { Retention } from './retention';

/** The time of the first run of the dispatcher of this store. Earlier events cause no messages. One document. */
const dispatcherStarts: CollectionShape<{ readonly at: number }> = { name: 'dispatcher', indexes: [] };
const BEGUN = 'begun';

const KINDS = new Set(['environment', 'exposure', 'notification']);
/** Kinds of streams that need no stored state, because each commit alone decides which messages are sent. */
const FLOW_KINDS = new Set(['trail', 'artifact']);
const TESTED = 'NotificationTested';
/** The number of messages that are written in one step. */
const FLUSH = 500;

interface Parts extends Pick<Engines, 'events' | 'documents'> {
  readonly ledger: Ledger;
  readonly retention: Pick<Retention, 'since'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Pick<Ids, 'next'>;
}

/** Consumes the commits of environments and flows, and writes the messages that their events cause into the ledger. */
export class Watch {
  /** The cached time of the first run of the dispatcher of this store, which never changes; null if it was not read yet. */
  private firstRun: number | null = null;

  constructor(private readonly parts: Parts) {}

  /**
   * Processes a batch of commits. Repeats are harmless, because the position in a stream and each message are written once, and a message always has
   * the same id.
   *
   * @returns whether it causes messages
   */
  async follow(batch: readonly Commit[]): Promise<boolean> {
    const relevantCommits = batch.filter(({ stream }) => KINDS.has(kindOf(stream)));
    const ofFlows = batch.filter(({ stream }) => FLOW_KINDS.has(kindOf(stream)));
    const all = groupBy(relevantCommits, ({ stream }) => stream);
    if (all.size === 0 && ofFlows.length === 0) return false;
    const turn = new BatchContext(this.parts, this.parts.clock.now(), await this.since(), [
      ...relevantCommits,
      ...ofFlows,
    ]);
    const { documents, events } = this.parts;
    const followedById = await documents.collection(followedStreams).getMany([...all.keys()]);
    const newestStreams = new Map<string, FollowedStream>();
    for (const [stream, commits] of all) {
      let now: FollowedStream = followedById.get(stream) ?? { ...UNWATCHED, seq: 0 };
      for (const commit of commits) {
        if (commit.seq <= now.seq) continue;
        for await (const missingCommit of commitsOf(events, stream, now.seq + 1, commit.seq - 1)) {
          now = await turn.take(now, missingCommit);
        }
        now = await turn.take(now, commit);
      }
      if (now.seq > (followedById.get(stream)?.seq ?? 0)) newestStreams.set(stream, now);
    }
    for (const commit of ofFlows) await turn.takeOfFlow(commit);
    await turn.flush();
    const writes = [...newestStreams].map(([id, doc]) => ({ kind: 'forward', id, seq: doc.seq, doc }) as const);
    if (writes.length > 0) await documents.collection(followedStreams).write(writes);
    return turn.causesMessages;
  }

  /** Records the first run of the dispatcher of this store. Only events after it cause messages, however late they arrive. */
  async begin(): Promise<number> {
    const [documents, now] = [this.parts.documents.collection(dispatcherStarts), this.parts.clock.now()];
    await documents.merge([BEGUN], (current) => (current === null ? { at: now } : undefined));
    return (await documents.get(BEGUN))?.at ?? now;
  }

  /**
   * The time before which no messages are sent: before the first run of the dispatcher, and before the oldest entries of the ledger,
   * because their messages would be sent again. A first run in the future was recorded by a clock that has been set back, and does not
   * count.
   */
  private async since(): Promise<number> {
    const { clock, retention } = this.parts;
    const at = (this.firstRun ??= await this.begin());
    const now = clock.now();
    return Math.max(at > now ? 0 : at, retention.since);
  }
}

/** One batch of commits: the data that is read once for the batch, and the messages to write. */
class BatchContext {
  private readonly listeners: NotificationListeners;
  /** By environment or flow. */
  private readonly listenersBySource = new Map<string, Listeners>();
  private readonly names = new Map<string, string>();
  /** The messages to write by id, in the order of their events. */
  private messages = new Map<string, Omit<Delivery, 'serial'>>();
  causesMessages = false;

  constructor(
    private readonly parts: Parts,
    private readonly now: number,
    private readonly since: number,
    batch: readonly Commit[],
  ) {
    const followed = batch.map(({ stream }) => stream).filter((stream) => kindOf(stream) !== 'notification');
    const sources = new Set(followed.map(sourceOf));
    const first = batch.reduce((least, { at }) => Math.min(least, at), now);
    this.listeners = new NotificationListeners(parts.documents, [...sources], Math.max(first, since));
  }

  /** @returns the stored state after the commit */
  async take(before: FollowedStream, commit: Commit): Promise<FollowedStream> {
    const isWatched = (type: string) => WATCHED_TYPES.has(type) || type === TESTED;
    const events = await eventsOf(this.parts.events, commit, isWatched);
    let watchedEnvironment: WatchedEnvironment = before;
    const occurrences: Occurrence[] = [];
    for (const event of events) {
      occurrences.push(...occurrencesOf(watchedEnvironment, event, commit));
      watchedEnvironment = watchedAfter(watchedEnvironment, event);
    }
    if (commit.at >= this.since) {
      if (occurrences.length > 0) await this.tell(commit, aboutEnvironment(watchedEnvironment), occurrences);
      if (events.some(({ type }) => type === TESTED)) await this.test(commit);
    }
    if (this.messages.size >= FLUSH) await this.flush();
    return { ...watchedEnvironment, seq: commit.seq };
  }

  /** Processes a commit of a trail, or of an artifact without one. It reads the events only if a notification lists the flow. */
  async takeOfFlow(commit: Commit): Promise<void> {
    if (commit.at < this.since || (await this.listenersTo(commit)).notifications.length === 0) return;
    const events = await eventsOf(this.parts.events, commit, (type) => FLOW_TYPES.has(type));
    const occurred = events.flatMap(flowOccurrencesOf);
    if (occurred.length === 0) return;
    const name = flowNameIn(events) ?? (await this.flowName(sourceOf(commit.stream)));
    const trail = { flow: name, trail: trailIn(commit.stream) };
    await this.tell(commit, { environment: null, snapshot: null, trail }, occurred);
    if (this.messages.size >= FLUSH) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.messages.size === 0) return;
    this.causesMessages = true;
    // Ids of the same millisecond have no order, so they are sorted. Messages are sent in the order of their serials.
    const serials = Array.from(this.messages, () => this.parts.ids.next()).sort();
    const numbered = Array.from(
      this.messages,
      ([id, message], i) => [id, { ...message, serial: serials[i] ?? '' }] as const,
    );
    await this.parts.ledger.write(new Map(numbered));
    this.messages = new Map();
  }

  private async tell(
    commit: Commit,
    where: Pick<MessageContext, 'environment' | 'snapshot' | 'trail'>,
    occurred: readonly Occurrence[],
  ): Promise<void> {
    const listeners = await this.listenersTo(commit);
    for (const aggregateState of listeners.notifications) {
      const then = await notificationAt(this.parts, aggregateState, commit.at, this.now);
      const occurrences = then === null ? [] : occurrencesFor(then, sourceOf(commit.stream), occurred);
      if (occurrences.length === 0) continue;
      const context: MessageContext = {
        org: await this.nameOf(commit.org),
        notification: aggregateState.name,
        at: commit.at,
        ...where,
      };
      const all = digest(context, occurrences);
      this.address(commit, aggregateState, listeners, (grouping) =>
        grouping === 'event' ? messagePerEvent(context, occurrences) : [all],
      );
    }
  }

  private async test(commit: Commit): Promise<void> {
    const listeners = await listener(this.parts, commit.stream);
    const [aggregateState] = listeners.notifications;
    if (aggregateState === undefined) return;
    const org = await this.nameOf(commit.org);
    const about = { org, notification: aggregateState.name, environment: null, at: commit.at, snapshot: null };
    const message = testMessage(about);
    this.address(commit, aggregateState, listeners, () => [message]);
  }

  private address(
    { stream, seq, org }: Commit,
    aggregateState: Notification,
    { configs }: Listeners,
    messages: (grouping: 'event' | 'snapshot') => readonly Message[],
  ): void {
    for (const { target, member, channel, destination } of placesOf(aggregateState, configs)) {
      for (const [index, message] of messages(channels[channel.type].each).entries()) {
        const idParts = [stream, seq, aggregateState.number, target, member?.target ?? '', index];
        this.messages.set(sha256(idParts.join('\n')).slice(0, 32), {
          org,
          notification: aggregateState.number,
          target,
          member,
          channel: channel.type,
          destination,
          message,
          at: this.now,
          state: 'pending',
          nextAt: this.now,
          tries: 0,
          tried: 0,
          attempts: [],
          reason: null,
        });
      }
    }
  }

  private async listenersTo({ org, stream, at }: Commit): Promise<Listeners> {
    const source = sourceOf(stream);
    if (FLOW_KINDS.has(kindOf(stream))) {
      const them = this.listenersBySource.get(source) ?? (await this.listeners.ofFlow(source));
      this.listenersBySource.set(source, them);
      return them;
    }
    // The commit is older than the time of the listeners of the batch, so they are read for its time.
    if (at < this.listeners.since) return new NotificationListeners(this.parts.documents, [source], at).of(org, source);
    const them = this.listenersBySource.get(source) ?? (await this.listeners.of(org, source));
    this.listenersBySource.set(source, them);
    return them;
  }

  private async flowName(id: string): Promise<string> {
    const name = this.names.get(id) ?? (await this.parts.documents.collection(flow.states).get(streams.flow(id)))?.name;
    this.names.set(id, name ?? id);
    return name ?? id;
  }

  private async nameOf(org: string): Promise<string> {
    const states = this.parts.documents.collection(organization.states);
    const name = this.names.get(org) ?? (await states.get(streams.organization(org)))?.name ?? org;
    this.names.set(org, name);
    return name;
  }
}

function aboutEnvironment({
  name,
  snapshot,
  compliant,
}: WatchedEnvironment): Pick<MessageContext, 'environment' | 'snapshot'> {
  return { environment: name, snapshot: snapshot === 0 ? null : { index: snapshot, compliant } };
}

/** The id of the environment, or of the flow, that a stream belongs to. */
function sourceOf(stream: string): string {
  const [source = ''] = keyOf(stream).split('/', 1);
  return source;
}

/** The name of the trail of a stream; null for an artifact without one. */
function trailIn(stream: string): string | null {
  return kindOf(stream) === 'trail' ? keyOf(stream).slice(sourceOf(stream).length + 1) : null;
}

/** The name of the flow, if events contain it. */
function flowNameIn(events: readonly DomainEvent[]): string | null {
  for (const event of events) {
    if (event.type === 'TrailBegun') return (event as TrailBegun).data.flow.name;
    if (event.type === 'ArtifactReported') return (event as ArtifactReported).data.provenance.flow.name;
  }
  return null;
}
