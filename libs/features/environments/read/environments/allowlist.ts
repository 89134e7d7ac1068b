import type { NameOf } from '@assurance/access/lookups/actors';
import type { AllowlistPage } from '@assurance/contracts/environments/answers/allowlist';
import { allowed, type AllowedDocument } from '@assurance/contracts/environments/documents';
import { orderBy } from '@assurance/contracts/events/aggregate';
import type { PageEnds } from '@assurance/event-sourcing/projection/beside';
import { pageFields, pageOf, type PageRequest } from '@assurance/event-sourcing/projection/listing';
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
  nameOf: NameOf,
): Promise<{ readonly page: AllowlistPage; readonly ends: PageEnds }> {
  const listing = { where: { environment }, order: orderBy('-at', 'fingerprint'), matches: null };
  const { found, count, ...ends } = await pageOf<AllowedDocument>(documents.collection(allowed), listing, page);
  const shown = found.map(async ({ doc: { fingerprint, name, description, by, at } }) => ({
    ...{ artifact_fingerprint: fingerprint, artifact_name: name, description },
    ...{ created_by: await nameOf(by), created_at: at / 1000 },
  }));
  return { page: { ...pageFields(page, count), artifacts: await Promise.all(shown) }, ends };
}
