import { type Head, streams } from '@assurance/contracts-events';
import {
  type JudgingPolicy,
  policy,
  type Policy,
  policyVersionId,
  policyVersions,
  readRules,
} from '@assurance/model-policy';
import type { Documents } from '@assurance/storage-ports';

/** A policy in its newest version, with the seq of its stream that says so. */
export interface PolicyInForce extends JudgingPolicy {
  readonly seq: number;
}

/**
 * Policies in their newest versions, from heads (STORAGE: what a gate relies on).
 *
 * @param ids at most 1,000; those of none are left out
 * @returns in the order of the ids
 */
export async function policiesInForce(documents: Documents, ids: readonly string[]): Promise<PolicyInForce[]> {
  if (ids.length === 0) return [];
  const heads = await documents.collection(policy.heads).getMany(ids.map(streams.policy));
  const found = ids.flatMap((id) => heads.get(streams.policy(id)) ?? []);
  const read = await readVersions(documents, found);
  return found.flatMap((head) => {
    const judging = read.get(policyVersionId(head.id, head.version));
    return judging === undefined ? [] : { ...judging, name: head.name, seq: head.seq };
  });
}

/** Versions never change: what was read once holds for ever. */
const known = new Map<string, JudgingPolicy>();
const KNOWN_MAX = 2_000;

async function readVersions(
  documents: Documents,
  heads: readonly Head<Policy>[],
): Promise<ReadonlyMap<string, JudgingPolicy>> {
  const found = new Map<string, JudgingPolicy>();
  const missing = new Map<string, Head<Policy>>();
  for (const head of heads) {
    const id = policyVersionId(head.id, head.version);
    const version = known.get(id);
    if (version === undefined) missing.set(id, head);
    else found.set(id, version);
  }
  if (missing.size === 0) return found;
  for (const [id, { policy: of, version, rules }] of await documents
    .collection(policyVersions)
    .getMany([...missing.keys()])) {
    const judging = { id: of, name: missing.get(id)?.name ?? '', version, rules: readRules(rules) };
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(id, judging);
    found.set(id, judging);
  }
  return found;
}
