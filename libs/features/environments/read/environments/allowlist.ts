import type { ActorNameLookup } from '@assurance/access/lookups/actors';
import type { AllowedAnswer, AllowlistPage } from '@assurance/contracts/environments/answers/allowlist';
import {
  allowed,
  type AllowedDocument,
  type Environment,
  environmentStates,
} from '@assurance/contracts/environments/documents';
import { orderBy } from '@assurance/contracts/events/aggregate';
import type { PageEnds } from '@assurance/event-sourcing/projection/cursor-page';
import { readListing, pageFields, pageOf, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { Documents } from '@assurance/storage-ports';

/**
 * One page of the allow-list of an environment, the last entry first.
 *
 * @param environment its id
 */
export async function listAllowed(
  documents: Documents,
  environment: string,
  page: PageRequest,
  nameOf: ActorNameLookup,
): Promise<{ readonly page: AllowlistPage; readonly ends: PageEnds }> {
  const listing = { where: { environment }, order: orderBy('-at', 'fingerprint'), matches: null };
  const {
    documents: entries,
    count,
    ...ends
  } = await pageOf<AllowedDocument>(documents.collection(allowed), listing, page);
  const answers = entries.map(async ({ doc: { fingerprint, name, description, by, at, expiresAt } }) => ({
    artifact_fingerprint: fingerprint,
    artifact_name: name,
    description,
    created_by: await nameOf(by),
    created_at: at / 1000,
    expires_at: endOf(expiresAt),
  }));
  return { page: { ...pageFields(page, count), artifacts: await Promise.all(answers) }, ends };
}

/**
 * The allow-lists of the environments of an organization that are not archived, by environment and the last entry first.
 *
 * @param limit how many are read
 * @returns `count`: how many there are
 */
export async function listAllAllowed(
  documents: Documents,
  org: string,
  limit: number,
  nameOf: ActorNameLookup,
): Promise<{ readonly entries: readonly AllowedAnswer[]; readonly count: number }> {
  const entries: AllowedAnswer[] = [];
  let count = 0;
  const environments = { where: { org, archived: false }, order: orderBy('name'), matches: null };
  for await (const { doc: environment } of readListing<Environment>(
    documents.collection(environmentStates),
    environments,
  )) {
    const where = { environment: environment.id };
    if (entries.length >= limit) {
      count += await documents.collection(allowed).count(where);
      continue;
    }
    const listing = { where, order: orderBy('-at', 'fingerprint'), matches: null };
    for await (const { doc } of readListing<AllowedDocument>(documents.collection(allowed), listing)) {
      count += 1;
      if (entries.length >= limit) continue;
      const { fingerprint, name, description, by, at, expiresAt } = doc;
      entries.push({
        artifact_name: name,
        fingerprint,
        environment_name: environment.name,
        timestamp: at / 1000,
        user_name: await nameOf(by),
        description,
        expires_at: endOf(expiresAt),
      });
    }
  }
  return { entries, count };
}

/** In epoch seconds; null: never. */
function endOf(expiresAt: number | undefined): number | null {
  return expiresAt === undefined ? null : expiresAt / 1000;
}
