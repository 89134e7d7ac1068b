import { NO_ORGANIZATION, streams } from '@assurance/contracts-events';
import { name as register, organization, serviceAccount, user } from '@assurance/model';
import { type Collection, scanPages } from '@assurance/storage-ports';
import { as, each } from './declare';
import type { Register } from '../core/register';
import type { Streams } from '../core/streams';

const PAGE = 500;

interface Named {
  readonly id: string;
  readonly name: string;
  readonly org?: string;
}

/**
 * Registers the names of users, organizations and service accounts from before names had to differ by more than case. Two existing names
 * that differ only by case both stay, and no new name may be like them. A registered name costs one look-up.
 */
export async function noteNames(streamsOf: Streams, names: Register): Promise<void> {
  await noteAll(streamsOf, names, 'account', streamsOf.states(organization));
  await noteAll(streamsOf, names, 'account', streamsOf.states(user));
  await noteAll(streamsOf, names, 'service-account', streamsOf.states(serviceAccount));
}

async function noteAll(
  streamsOf: Streams,
  names: Register,
  kind: 'account' | 'service-account',
  states: Collection<Named>,
): Promise<void> {
  for await (const page of scanPages(states, PAGE)) {
    const all = page.map(({ doc: { id, name, org } }) => {
      const place = kind === 'account' ? NO_ORGANIZATION : (org ?? NO_ORGANIZATION);
      return { id, name, place, stream: streams.name(place, `${kind}-any-case`, name.toLowerCase()) };
    });
    const noted = await streamsOf.states(register).getMany([...new Set(all.map(({ stream }) => stream))]);
    const missing = all.filter(({ stream }) => !noted.has(stream));
    await each(missing, ({ id, name, place }) => names.noteAnyCase(place, kind, name, id, as(place)));
  }
}
