import { isRetained, type StoredKey } from '@assurance/access/domain/keys';
import { canSee } from '@assurance/access/domain/manager';
import { membership, type Membership } from '@assurance/access/domain/membership';
import { serviceAccount, type ServiceAccount } from '@assurance/access/domain/service-account';
import { user } from '@assurance/access/domain/user';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import { LOOKED_THROUGH_MAX, type Matcher, type Matches } from '@assurance/flows/lookups/matcher';
import type { Principal } from '@assurance/http';
import { type Documents, findPages } from '@assurance/storage-ports';

const TOGETHER = 250;

/** Finds members that contain a text in their name. */
export function matchingMembers(documents: Documents, org: string, matcher: Matcher): Promise<Matches> {
  return matcher.through<Membership>(
    documents.collection(membership.states),
    { where: { org }, order: orderBy('userName') },
    ({ role, userName: name }) => (role === null ? null : matcher.match({ kind: 'member', name }, ['name', name])),
    'userName',
  );
}

/** Finds the service accounts that the caller may see and their keys, and keys of the caller. @param at integer milliseconds */
export async function matchingAccounts(
  documents: Documents,
  org: string,
  principal: Principal,
  matcher: Matcher,
  at: number,
): Promise<Matches> {
  const visibleAccounts = await accountsIn(documents, org, principal);
  const accounts = await matcher.collect([visibleAccounts], ({ name, displayName, description }) =>
    matcher.match(
      { kind: 'service_account', name },
      ['name', name],
      ['name', displayName],
      ['description', description],
    ),
  );
  const keys = await matcher.collect([await keysOf(documents, principal, visibleAccounts)], ({ key, account: id }) =>
    isRetained(key, at)
      ? matcher.match({ kind: 'key', name: key.description, id }, ['description', key.description])
      : null,
  );
  return { results: [...accounts.results, ...keys.results], complete: accounts.complete && keys.complete };
}

/** The service accounts that the caller may see; of more than are searched, the first. */
async function accountsIn(documents: Documents, org: string, principal: Principal): Promise<readonly ServiceAccount[]> {
  const accounts: ServiceAccount[] = [];
  const query = { where: { org }, order: orderBy('name') };
  for await (const page of findPages(documents.collection(serviceAccount.states), query, TOGETHER)) {
    accounts.push(...page.map(({ doc }) => doc).filter((one) => !one.deleted && canSee(one, principal)));
    if (accounts.length > LOOKED_THROUGH_MAX) break;
  }
  return accounts;
}

/** `account`: the name of the service account; null for keys of the caller. */
type OwnedKey = { readonly key: StoredKey; readonly account: string | null };

async function keysOf(
  documents: Documents,
  { id, kind }: Principal,
  accounts: readonly ServiceAccount[],
): Promise<readonly OwnedKey[]> {
  const own = kind === 'user' ? await documents.collection(user.states).get(streams.user(id)) : null;
  return [
    ...(own?.keys ?? []).map((key) => ({ key, account: null })),
    ...accounts.flatMap(({ name, keys }) => keys.map((key) => ({ key, account: name }))),
  ];
}
