import { type Environment, environmentStates } from '@assurance/contracts/environments/documents';
import { orderBy } from '@assurance/contracts/events/aggregate';
import type { ControlCoverageAnswer } from '@assurance/contracts/policies/answers/control';
import type { Policy } from '@assurance/contracts/policies/documents';
import { readListing, pageFields, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { Documents } from '@assurance/storage-ports';

export interface CoverageFilter {
  /** Id of the organization. */
  readonly org: string;
  /** True: only covered ones; false: only the others; null: all. */
  readonly covered: boolean | null;
  /** Part of the environment's name, in any case. */
  readonly name?: string;
}

/**
 * The environments that require a control: those that are not archived and have one of these policies attached. Whether their artifacts
 * meet the policy does not matter. Logical environments are not counted, because their members are judged instead.
 *
 * @param policies those that require a decision on the control
 */
export async function controlCoverage(
  documents: Documents,
  { org, covered, name }: CoverageFilter,
  policies: readonly Policy[],
  { page, perPage }: PageRequest,
): Promise<ControlCoverageAnswer> {
  const names = new Map(policies.map((policy) => [policy.id, policy.name]));
  const part = name?.toLowerCase() ?? '';
  const from = (page - 1) * perPage;
  let [total, covering, count] = [0, 0, 0];
  const shown: ControlCoverageAnswer['environments'][number][] = [];
  const listing = { where: { org, archived: false }, order: orderBy('name'), matches: null };
  for await (const { doc } of readListing<Environment>(documents.collection(environmentStates), listing)) {
    if (doc.type === 'logical') continue;
    const by = doc.policies.flatMap((id) => names.get(id) ?? []);
    const isCovered = by.length > 0;
    total += 1;
    if (isCovered) covering += 1;
    if ((covered ?? isCovered) !== isCovered || !doc.name.toLowerCase().includes(part)) continue;
    if (count >= from && shown.length < perPage) {
      shown.push({ name: doc.name, type: doc.type, covered: isCovered, policies: by });
    }
    count += 1;
  }
  return {
    total,
    covered: covering,
    coverage_percent: total === 0 ? 0 : Math.round((covering / total) * 10_000) / 100,
    ...pageFields({ page, perPage }, count),
    environments: shown,
  };
}
