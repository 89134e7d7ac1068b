import { holderOf, loadNewestByName, type Stores } from '@assurance/access/lookups/named';
import type { Organization } from '@assurance/access/lookups/organization';
import type { Environment } from '@assurance/contracts/environments/documents';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import { readListing, hasTags } from '@assurance/event-sourcing/projection/listing';
import { err, ok } from '@assurance/kernel';
import { type Documents, getAll } from '@assurance/storage-ports';
import { environment } from '../domain/environment';

/** An environment by its name. */
export async function findEnvironment(stores: Stores, org: Organization, name: string) {
  const state = await loadNewestByName(stores, environment, org.id, name);
  if (state === null) return err({ kind: 'environment-unknown', org: org.name, name } as const);
  return state.archived ? err({ kind: 'environment-archived', name } as const) : ok<Environment>(state);
}

/** Environments by id, archived ones too. */
export async function environmentsById(
  documents: Documents,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Environment>> {
  const states = await getAll(documents.collection(environment.states), ids.map(streams.environment));
  return new Map([...states.values()].map((state) => [state.id, state]));
}

/**
 * When the settings or the name of an environment of an organization changed last: other names come with another time.
 *
 * @returns integer milliseconds; 0 without environments
 */
export async function lastEnvironmentChange(documents: Documents, org: string): Promise<number> {
  const order = orderBy('-lastModifiedAt');
  const states = documents.collection(environment.states);
  const newest = await Promise.all(
    [false, true].map((archived) => states.find({ where: { org, archived }, order, limit: 1 })),
  );
  return Math.max(0, ...newest.flat().map(({ doc }) => doc.lastModifiedAt));
}

/** Ids of environments by exact name, for a logical one those of its members; unknown names are left out. */
export async function findEnvironmentIdsByName(
  documents: Documents,
  org: Organization,
  names: readonly string[],
): Promise<string[]> {
  const holders = await Promise.all(names.map((name) => holderOf(documents, org.id, 'environment', name)));
  const ids = holders.filter((id) => id !== null);
  const states = await getAll(documents.collection(environment.states), ids.map(streams.environment));
  return [...new Set(ids.flatMap((id) => states.get(streams.environment(id))?.includedEnvironments ?? [id]))];
}

/** Ids of environments by names and tags, for a logical one those of its members; all that is given applies. Null where nothing is given. */
export async function findSelectedEnvironmentIds(
  documents: Documents,
  org: Organization,
  { names, tags }: { readonly names: readonly string[]; /** `key` or `key:value`. */ readonly tags: readonly string[] },
): Promise<readonly string[] | null> {
  const idsByName = names.length === 0 ? null : await findEnvironmentIdsByName(documents, org, names);
  if (tags.length === 0) return idsByName;
  const taggedIds = await findEnvironmentIdsByTag(documents, org, tags);
  return idsByName === null ? [...taggedIds] : idsByName.filter((id) => taggedIds.has(id));
}

/** Archived ones too: what was deployed to them is listed as before. */
async function findEnvironmentIdsByTag(
  documents: Documents,
  org: Organization,
  queriedNames: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const archived of [false, true]) {
    const matches = ({ tags }: Environment) => hasTags(tags, queriedNames);
    const listing = { where: { org: org.id, archived }, order: orderBy('name'), matches };
    for await (const { doc } of readListing<Environment>(documents.collection(environment.states), listing)) {
      for (const id of doc.includedEnvironments ?? [doc.id]) ids.add(id);
    }
  }
  return ids;
}
