import { actorsOf, type ActorNameLookup } from '@assurance/access/lookups/actors';
import { orderBy } from '@assurance/contracts/events/aggregate';
import type { ControlAnswer } from '@assurance/contracts/policies/answers/control';
import type { Control, Policy } from '@assurance/contracts/policies/documents';
import { readListing } from '@assurance/event-sourcing/projection/listing';
import type { Documents } from '@assurance/storage-ports';
import { policy, policyVersionId, policyVersions } from '../domain/policy';

/** How many versions of policies are read at once. */
const TOGETHER = 200;

/** The policies that require a decision on a control in their newest version, by the identifier of the control and the name of the policy. */
export type PoliciesByControl = ReadonlyMap<string, readonly Policy[]>;

export async function policiesByControl(documents: Documents, org: string): Promise<PoliciesByControl> {
  const listing = { where: { org }, order: orderBy('name'), matches: null };
  const all: Policy[] = [];
  for await (const { doc } of readListing<Policy>(documents.collection(policy.states), listing)) all.push(doc);
  const results = new Map<string, Policy[]>();
  for (let i = 0; i < all.length; i += TOGETHER) {
    const group = all.slice(i, i + TOGETHER);
    const ids = group.map(({ id, version }) => policyVersionId(id, version));
    const versions = await documents.collection(policyVersions).getMany(ids);
    for (const candidate of group) {
      const rules = versions.get(policyVersionId(candidate.id, candidate.version))?.rules.attestations ?? [];
      for (const control of new Set(rules.map(({ forControl }) => forControl))) {
        if (control !== null) results.set(control, [...(results.get(control) ?? []), candidate]);
      }
    }
  }
  return results;
}

/** A control as the API shows it, for reads and for the answers of writes. */
export async function controlWithPolicies(documents: Documents, control: Control): Promise<ControlAnswer> {
  return controlAnswer(actorsOf(documents), control, await policiesByControl(documents, control.org));
}

/** A control as the API shows it. Callers with several controls read the other arguments once. */
export async function controlAnswer(
  nameOf: ActorNameLookup,
  { identifier, name, description, version, archived, createdBy, createdAt, tags, links }: Control,
  policies: PoliciesByControl,
): Promise<ControlAnswer> {
  return {
    identifier,
    name,
    description,
    version,
    archived,
    created_by: await nameOf(createdBy),
    created_at: createdAt / 1000,
    tags,
    links,
    policies_referencing: (policies.get(identifier) ?? []).map((referring) => referring.name),
  };
}
