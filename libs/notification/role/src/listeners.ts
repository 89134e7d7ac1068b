import { type NotificationEvent, streams } from '@assurance/contracts-events';
import {
  listening,
  type Notification,
  notification,
  NOT_LISTENING_FOLDS,
  type TargetConfig,
  targetConfig,
} from '@assurance/model';
import { type Documents, type Engines, getAll } from '@assurance/storage-ports';
import { commitsOf, eventsOf, metaOf } from '@assurance/storage-records';
import { configsIn } from './places';

/** More than an organization may have: several made at the same moment may end a handful above. */
const ALL = 1_000;

/** Notifications with the target configurations that they name. */
export interface Listeners {
  readonly notifications: readonly Notification[];
  readonly configs: ReadonlyMap<string, TargetConfig>;
}

type Ports = Pick<Engines, 'events' | 'documents'>;

/**
 * The notifications that list an environment, or did at a time: nothing else is read of an organization's others. Whoever sends looks at each as
 * it stood then (`asOf`).
 *
 * @param since integer milliseconds
 */
export async function listenersTo(
  { documents }: Ports,
  org: string,
  environment: string,
  since: number,
): Promise<Listeners> {
  const heads = documents.collection(notification.heads);
  const places = await documents.collection(listening).find({
    where: { environment, until: { gte: since } },
    limit: ALL,
  });
  const listed = await getAll(
    heads,
    places.map(({ doc }) => doc.notification),
  );
  // Of an earlier release, until something happens to them.
  const where = { org, deleted: false, fold: { in: NOT_LISTENING_FOLDS } };
  const old = await heads.find({ where, limit: ALL });
  const found = new Map([...old.map(({ id, doc }) => [id, doc] as const), ...listed]);
  return withConfigs(
    documents,
    [...found.values()].filter(({ deleted }) => !deleted),
  );
}

/** One notification, unless it was deleted. */
export async function listener({ documents }: Ports, stream: string): Promise<Listeners> {
  const head = await documents.collection(notification.heads).get(stream);
  return withConfigs(documents, head === null || head.deleted ? [] : [head]);
}

async function withConfigs(documents: Documents, notifications: readonly Notification[]): Promise<Listeners> {
  const inOrder = [...notifications].sort((one, other) => one.number - other.number);
  return { notifications: inOrder, configs: await configsOf({ documents }, inOrder) };
}

export async function configsOf(
  { documents }: Pick<Ports, 'documents'>,
  notifications: readonly Pick<Notification, 'targets'>[],
): Promise<ReadonlyMap<string, TargetConfig>> {
  const ids = [...new Set(notifications.flatMap(({ targets }) => configsIn(targets)))];
  const heads = await getAll(documents.collection(targetConfig.heads), ids.map(streams.targetConfig));
  return new Map([...heads.values()].map((head) => [head.id, head]));
}

/**
 * A notification as it stood at a time, null before it was made: what happened before an environment was listed is not told because it is read
 * later. One that was changed in the future was so by a clock that has been set back since; it counts as it is.
 *
 * @param at integer milliseconds, as `now`
 */
export async function asOf(
  { events }: Pick<Ports, 'events'>,
  head: Notification,
  at: number,
  now: number,
): Promise<Notification | null> {
  if (head.lastModifiedAt <= at || head.lastModifiedAt > now) return head;
  if (head.createdAt > at) return null;
  let state: Notification | null = null;
  for await (const commit of commitsOf(events, streams.notification(head.org, head.number))) {
    if (commit.at > at) break;
    for (const event of await eventsOf(events, commit)) {
      state = notification.evolve(state, event as NotificationEvent, metaOf(commit));
    }
  }
  return state;
}
