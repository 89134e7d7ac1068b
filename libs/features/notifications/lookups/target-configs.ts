import { loadNewestByName, type Stores } from '@assurance/access/lookups/named';
import type { Organization } from '@assurance/access/lookups/organization';
import { err, ok } from '@assurance/kernel';
import { targetConfig, type TargetConfig } from '../domain/target-config';

/** A configuration of targets by its name. Deleted ones are unknown. */
export async function findTargetConfig(stores: Stores, org: Organization, name: string) {
  const state = await loadNewestByName(stores, targetConfig, org.id, name);
  if (state === null || state.deleted) return err({ kind: 'target-config-unknown', name, org: org.name } as const);
  return ok<TargetConfig>(state);
}
