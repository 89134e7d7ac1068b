import { type NotificationEvent, streams } from '@assurance/contracts-events';
import { type Notification, notification, type TargetConfig, targetConfig } from '@assurance/model-notification';
import { type Engines, getAll } from '@assurance/storage-ports';
import { commitsOf, eventsOf, metaOf } from '@assurance/storage-records';
import { configsIn } from './places';

/** More than an organization may have: several made at the same moment may end a handful above. */
const ALL = 1_000;

/** The notifications of one organization, read once for a batch. */
export interface Listeners {
  readonly notifications: readonly Notification[];
  readonly configs: ReadonlyMap<string, TargetConfig>;
}

type Ports = Pick<Engines, 'events' | 'documents'>;

export async function listenersOf({ documents }: Ports, org: string): Promise<Listeners> {
  const found = await documents.collection(notification.heads).find({
    where: { org, deleted: false },
    order: [['number', 'asc']],
    limit: ALL,
  });
  const notifications = found.map(({ doc }) => doc);
  return { notifications, configs: await configsOf({ documents }, notifications) };
}

export async function configsOf(
  { documents }: Pick<Ports, 'documents'>,
  notifications: readonly Pick<Notification, 'targets'>[],
): Promise<ReadonlyMap<string, TargetConfig>> {
  const ids = notifications.flatMap(({ targets }) => configsIn(targets));
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
