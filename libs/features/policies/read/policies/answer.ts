import type { ActorNameLookup } from '@assurance/access/lookups/actors';
import { environmentStates } from '@assurance/contracts/environments/documents';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import type { PolicyAnswer } from '@assurance/contracts/policies/answers/policy';
import type { Policy } from '@assurance/contracts/policies/documents';
import type { Documents } from '@assurance/storage-ports';
import { policy, policyVersions } from '../../domain/policy';
import { acceptsUnmatched } from '../../domain/rules';
import { policyAttachments, policyUses } from '../../domain/policy-uses';

/** The most policies that are listed, and the most versions and events of one that are shown. */
const SHOWN_MAX = 1_000;

/** All policies of an organization, by name (specification 4.7). */
export async function listPolicies(documents: Documents, org: string): Promise<Policy[]> {
  const results = await documents
    .collection(policy.states)
    .find({ where: { org }, order: orderBy('name'), limit: SHOWN_MAX });
  return results.map(({ doc }) => doc);
}

/** A policy with its versions and events (specification 2.7). */
export async function policyAnswer(
  documents: Documents,
  { id, name, description, createdAt, createdBy, lastModifiedAt }: Policy,
  nameOf: ActorNameLookup,
): Promise<PolicyAnswer> {
  const read = { limit: SHOWN_MAX, where: { policy: id } };
  const [versions, uses, consuming, creator] = await Promise.all([
    documents.collection(policyVersions).find({ ...read, order: orderBy('-version') }),
    documents.collection(policyUses).find({ ...read, order: orderBy('-at') }),
    consumersOf(documents, id),
    nameOf(createdBy),
  ]);
  const shownVersions = versions.map(({ doc }) => doc).reverse();
  const events = [
    ...shownVersions.map(({ version, at, by }) => ({
      type: version === 1 ? ('policy_created' as const) : ('policy_updated' as const),
      at,
      by,
      data: { version },
    })),
    ...uses.map(({ doc: { kind, environment: used, at, by } }) => ({
      type: `policy_${kind}` as const,
      at,
      by,
      data: { environment: used },
    })),
  ];
  const last = events.sort((a, b) => a.at - b.at).slice(-SHOWN_MAX);
  return {
    id,
    name,
    description,
    type: 'env',
    archived: false,
    consuming_envs: consuming,
    created_at: createdAt / 1000,
    created_by: creator,
    last_modified_at: lastModifiedAt / 1000,
    events: await Promise.all(
      last.map(async ({ type, at, by, data }) => ({ type, timestamp: at / 1000, user: await nameOf(by), data })),
    ),
    versions: await Promise.all(
      shownVersions.map(async ({ version, comment, yaml, rules, at, by }) => ({
        version,
        comment,
        created_by: await nameOf(by),
        timestamp: at / 1000,
        policy_yaml: yaml,
        accepts_unmatched: acceptsUnmatched(rules),
      })),
    ),
  };
}

/** Names of the environments that a policy is attached to, without archived ones. */
async function consumersOf(documents: Documents, id: string): Promise<string[]> {
  const attached = await documents
    .collection(policyAttachments)
    .find({ where: { policy: id }, order: orderBy('environment'), limit: SHOWN_MAX });
  const states = await documents
    .collection(environmentStates)
    .getMany(attached.map(({ doc }) => streams.environment(doc.environment)));
  return [...states.values()].flatMap(({ name, archived }) => (archived ? [] : [name])).sort();
}
