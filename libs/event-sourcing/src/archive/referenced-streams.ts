import type { NameEvent, UserEvent } from '@assurance/contracts/access/events';
import { NO_ORGANIZATION, streams } from '@assurance/contracts/events/streams';
import type { Commit, EventStore } from '@assurance/storage-ports';
import { commitsOf, eventsOf } from '../sealing/read';

type EventReader = Pick<EventStore, 'read' | 'readData' | 'newest'>;

/** The id of the organization that has a name; null if there is none. */
export async function findOrganizationByName(events: EventReader, name: string): Promise<string | null> {
  const accountName = await events.newest(streams.name(NO_ORGANIZATION, 'account', name));
  if (accountName === null) return null;
  const last = (await eventsOf(events, accountName)).at(-1) as NameEvent | undefined;
  const id = last?.data.id ?? '';
  return (await events.newest(streams.organization(id))) === null ? null : id;
}

/** The id of the member, if a commit changes a membership of the organization; null for other commits. */
export function memberIn({ stream }: Commit, org: string): string | null {
  const prefix = streams.membership(org, '');
  return stream.startsWith(prefix) ? stream.slice(prefix.length) : null;
}

/**
 * Reads the streams outside an organization to which its commits refer. These are the stream of its name and, for each principal that was ever
 * a member, the streams of the user with its keys, of its personal organization and of its name.
 */
export async function* readReferencedStreams(
  events: EventReader,
  org: string,
  name: string,
  members: ReadonlySet<string>,
): AsyncGenerator<Commit> {
  const accounts = new Set([name]);
  for (const id of members) {
    for await (const commit of commitsOf(events, streams.user(id))) {
      for (const event of (await eventsOf(events, commit)) as UserEvent[]) {
        if (event.type === 'UserCreated') accounts.add(event.data.name);
      }
      yield commit;
    }
    if (id === org) continue;
    yield* commitsOf(events, streams.organization(id));
    yield* commitsOf(events, streams.membership(id, id));
  }
  for (const account of accounts) yield* commitsOf(events, streams.name(NO_ORGANIZATION, 'account', account));
}
