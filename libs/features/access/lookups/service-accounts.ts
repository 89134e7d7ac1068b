import type { ServiceAccountAnswer } from '@assurance/contracts/access/answers/access';
import { err, ok } from '@assurance/kernel';
import { serviceAccount, type ServiceAccount } from '../domain/service-account';
import { loadNewestByName, type Stores } from './named';
import type { Organization } from './organization';

/** A service account by its name. Deleted ones are unknown. */
export async function findServiceAccount(stores: Stores, org: Organization, name: string) {
  const state = await loadNewestByName(stores, serviceAccount, org.id, name);
  if (state === null || state.deleted) return err({ kind: 'service-account-unknown' } as const);
  return ok<ServiceAccount>(state);
}

/** A service account in the form of answers. */
export function accountAnswer(account: ServiceAccount): ServiceAccountAnswer {
  const { name, displayName, privilege, description, createdBy, createdAt } = account;
  return {
    name,
    display_name: displayName,
    privilege,
    description,
    creating_user_id: createdBy,
    created_at: createdAt / 1_000,
    for_webhook: false,
  };
}
