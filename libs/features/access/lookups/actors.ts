import { streams } from '@assurance/contracts/events/streams';
import { type Documents, getAll } from '@assurance/storage-ports';
import { serviceAccount } from '../domain/service-account';
import { user } from '../domain/user';

/** Looks up the name of an actor: a user, a service account, or the id itself (`bootstrap`, `system`). */
export type ActorNameLookup = (id: string) => Promise<string>;

/** A look-up of actor names. It looks up each name once. */
export function actorsOf(documents: Documents): ActorNameLookup {
  const cache = new Map<string, Promise<string>>();
  const look = async (id: string) => {
    const person = await documents.collection(user.states).get(streams.user(id));
    if (person !== null) return person.name;
    return (await documents.collection(serviceAccount.states).get(streams.serviceAccount(id)))?.name ?? id;
  };
  return (id) => {
    const name = cache.get(id) ?? look(id);
    cache.set(id, name);
    return name;
  };
}

/** Looks up the names of many actors, in two reads. */
export async function actorNames(documents: Documents, ids: readonly string[]): Promise<(id: string) => string> {
  const distinctIds = [...new Set(ids)];
  const people = await getAll(documents.collection(user.states), distinctIds.map(streams.user));
  const otherIds = distinctIds.filter((id) => !people.has(streams.user(id)));
  const accounts = await getAll(documents.collection(serviceAccount.states), otherIds.map(streams.serviceAccount));
  return (id) => people.get(streams.user(id))?.name ?? accounts.get(streams.serviceAccount(id))?.name ?? id;
}
