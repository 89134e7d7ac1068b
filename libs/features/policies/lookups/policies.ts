import { loadNewestByName, type Stores } from '@assurance/access/lookups/named';
import type { Organization } from '@assurance/access/lookups/organization';
import { streams } from '@assurance/contracts/events/streams';
import type { Control, Policy } from '@assurance/contracts/policies/documents';
import { err, ok } from '@assurance/kernel';
import { type Documents, getAll } from '@assurance/storage-ports';
import { control } from '../domain/control';
import { policy } from '../domain/policy';

/** A control by its identifier, archived ones too. */
export async function findControl(stores: Stores, org: Organization, identifier: string) {
  const state = await loadNewestByName(stores, control, org.id, identifier);
  return state === null ? err({ kind: 'control-unknown', org: org.name, identifier } as const) : ok<Control>(state);
}

/** A policy by its name. */
export async function findPolicy(stores: Stores, org: Organization, name: string) {
  const state = await loadNewestByName(stores, policy, org.id, name);
  return state === null ? err({ kind: 'policy-unknown', org: org.name, name } as const) : ok<Policy>(state);
}

/** Names of policies by their ids. */
export async function policyNames(documents: Documents, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const states = await getAll(documents.collection(policy.states), ids.map(streams.policy));
  return new Map([...states.values()].map(({ id, name }) => [id, name]));
}
