import type { AggregateState } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import type { NotificationEvent } from '@assurance/contracts/notifications/events';
import { historyOf, metaOf } from '@assurance/event-sourcing/sealing/read';
import { pieces } from '@assurance/kernel';
import { type Condition, type Documents, type Engines, getAll, type StoredDocument } from '@assurance/storage-ports';
import { listening, SCHEMAS_WITHOUT_LISTENING } from '../domain/listening';
import { notification } from '../domain/notification';
import type { Notification } from '../domain/notification-state';
import { type TargetConfig, targetConfig } from '../domain/target-config';
import { configsIn } from './destinations-of';

/** More than an organization may have. Concurrent creations may exceed the limit by a few. */
const ALL = 1_000;

/** Notifications with the target configurations that they refer to. */
export interface Listeners {
  readonly notifications: readonly Notification[];
  readonly configs: ReadonlyMap<string, TargetConfig>;
}

type Ports = Pick<Engines, 'events' | 'documents'>;

/** How many environments and flows are looked up together. */
const TOGETHER = 64;

/**
 * Finds the notifications that list environments or flows, or listed them at a time or later. It looks up all sources together, and reads no other
 * notifications. A caller that sends reads each notification in its state at that time (`notificationAt`).
 */
export class NotificationListeners {
  private cachedListing: Promise<ReadonlyMap<string, readonly string[]>> | undefined;
  private readonly old = new Map<string, Promise<readonly StoredDocument<AggregateState<Notification>>[]>>();

  /**
   * @param sources ids of all environments and flows that will be looked up
   * @param since integer milliseconds
   */
  constructor(
    private readonly documents: Documents,
    private readonly sources: readonly string[],
    readonly since: number,
  ) {}

  /** The notifications that list a flow. */
  async ofFlow(flow: string): Promise<Listeners> {
    const notifications = await this.readListing(flow);
    return withConfigs(
      this.documents,
      [...notifications.values()].filter(({ deleted }) => !deleted),
    );
  }

  /** The notifications that list an environment. */
  async of(org: string, environment: string): Promise<Listeners> {
    const notifications = await this.readListing(environment);
    const old = this.old.get(org) ?? this.ofEarlierRelease(org);
    this.old.set(org, old);
    const results = new Map([...(await old).map(({ id, doc }) => [id, doc] as const), ...notifications]);
    return withConfigs(
      this.documents,
      [...results.values()].filter(({ deleted }) => !deleted),
    );
  }

  private async readListing(source: string) {
    this.cachedListing ??= this.read();
    return getAll(this.states, (await this.cachedListing).get(source) ?? []);
  }

  /** Streams of notifications by environment or flow. */
  private async read(): Promise<ReadonlyMap<string, readonly string[]>> {
    const idsByEnvironment = new Map<string, string[]>();
    for (const group of pieces(this.sources, TOGETHER)) {
      const results = await this.find({ in: group });
      const all = results.length < ALL ? results : (await Promise.all(group.map((id) => this.find(id)))).flat();
      for (const { doc } of all) {
        const ids = idsByEnvironment.get(doc.environment);
        if (ids === undefined) idsByEnvironment.set(doc.environment, [doc.notification]);
        else ids.push(doc.notification);
      }
    }
    return idsByEnvironment;
  }

  private find(environment: Condition) {
    const where = { environment, until: { gte: this.since } };
    return this.documents.collection(listening).find({ where, limit: ALL });
  }

  /** Notifications that have no `ListeningDocument` yet. Their next event creates the documents. */
  private ofEarlierRelease(org: string): Promise<readonly StoredDocument<AggregateState<Notification>>[]> {
    return this.states.find({ where: { org, deleted: false, fold: { in: SCHEMAS_WITHOUT_LISTENING } }, limit: ALL });
  }

  private get states() {
    return this.documents.collection(notification.states);
  }
}

/** One notification, unless it was deleted. */
export async function listener({ documents }: Ports, stream: string): Promise<Listeners> {
  const aggregateState = await documents.collection(notification.states).get(stream);
  return withConfigs(documents, aggregateState === null || aggregateState.deleted ? [] : [aggregateState]);
}

async function withConfigs(documents: Documents, notifications: readonly Notification[]): Promise<Listeners> {
  const inOrder = [...notifications].sort((a, b) => a.number - b.number);
  return { notifications: inOrder, configs: await configsOf({ documents }, inOrder) };
}

export async function configsOf(
  { documents }: Pick<Ports, 'documents'>,
  notifications: readonly Pick<Notification, 'targets'>[],
): Promise<ReadonlyMap<string, TargetConfig>> {
  const ids = [...new Set(notifications.flatMap(({ targets }) => configsIn(targets)))];
  const states = await getAll(documents.collection(targetConfig.states), ids.map(streams.targetConfig));
  return new Map([...states.values()].map((aggregateState) => [aggregateState.id, aggregateState]));
}

/**
 * The state of a notification at a time; null before it was created. So events from before an environment was listed cause no messages, even if they
 * are read later. If the last change is in the future, a clock was set back since, and the present state counts.
 *
 * @param at integer milliseconds, like `now`
 */
export async function notificationAt(
  { events }: Pick<Ports, 'events'>,
  aggregateState: Notification,
  at: number,
  now: number,
): Promise<Notification | null> {
  if (aggregateState.lastModifiedAt <= at || aggregateState.lastModifiedAt > now) return aggregateState;
  if (aggregateState.createdAt > at) return null;
  let state: Notification | null = null;
  const stream = streams.notification(aggregateState.org, aggregateState.number);
  for await (const { commit, event } of historyOf<NotificationEvent>(events, stream)) {
    if (commit.at > at) break;
    state = notification.evolve(state, event, metaOf(commit));
  }
  return state;
}
