import type { VulnerableBill } from './vulnerable';

/** Whether nothing is known of the components of an artifact, or how much. */
export type SbomState =
  /** No bill of materials is attested to it. */
  | 'none'
  /** Only a part of the components of a bill of materials is recorded. */
  | 'incomplete'
  | 'complete'
  /** More than one judging may read. */
  | 'not-read';

/** Components that a rule denies for one reason and that the same exceptions name. */
export interface DeniedComponents {
  /** The place in the rule of the pattern that names them. */
  readonly deny: number;
  /** Whether their versions cannot be compared. Then it is unknown whether they are in the range. */
  readonly unsure: boolean;
  /** Places in the rule of the exceptions that name them, ascending. */
  readonly exceptions: readonly number[];
  /** Package URLs of the first of them. */
  readonly first: readonly string[];
  readonly count: number;
}

/** What the bills of materials of an artifact list, as far as policies ask. */
export interface Bill {
  readonly sbom: SbomState;
  /** How many of the components no database of vulnerabilities can be compared with. */
  readonly unmatched?: number;
  /** Whether no component is listed. */
  readonly isEmpty?: boolean;
  /** By id of the policy: what its rule about components denies, before exceptions by flow. */
  readonly denied: Readonly<Record<string, readonly DeniedComponents[]>>;
  /** Left out where no policy has a rule about vulnerabilities. */
  readonly vulnerable?: VulnerableBill;
}

/** Nothing is attested. */
export const NO_BILL: Bill = { sbom: 'none', denied: {} };

/** The most package URLs of a group. */
export const DENIED_NAMED_MAX = 5;

/** Groups of several parts of bills of materials, as one list: equal reasons are one group. */
export function mergeDenied(all: Iterable<readonly DeniedComponents[]>): DeniedComponents[] {
  const groups = new Map<string, DeniedComponents>();
  for (const group of all) {
    for (const deniedComponents of group) {
      const key = [deniedComponents.deny, deniedComponents.unsure, ...deniedComponents.exceptions].join();
      const previous = groups.get(key);
      const first =
        previous === undefined ? deniedComponents.first : [...new Set([...previous.first, ...deniedComponents.first])];
      groups.set(key, {
        ...deniedComponents,
        first: first.slice(0, DENIED_NAMED_MAX),
        count: (previous?.count ?? 0) + deniedComponents.count,
      });
    }
  }
  return [...groups.values()];
}
