import { no, ok } from '@assurance/kernel';
import { serviceAccount, type ServiceAccount } from '../domain/service-account';
import { newestNamed, type Stores } from './named';
import type { Organization } from './organization';

/** A service account by its name. Deleted ones are unknown. */
export async function findServiceAccount(stores: Stores, org: Organization, name: string) {
  const state = await newestNamed(stores, serviceAccount, org.id, name);
  if (state === null || state.deleted) return no({ kind: 'service-account-unknown' } as const);
  return ok<ServiceAccount>(state);
}
