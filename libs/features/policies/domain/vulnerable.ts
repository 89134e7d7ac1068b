import type { VulnerabilitiesRule } from '@assurance/contracts/policies/events';
import { SEVERITIES, type Severity } from '@assurance/contracts/vulnerabilities/events';

const DAY_MS = 24 * 3_600_000;
/** The most vulnerabilities that a group names. */
const VULNERABLE_NAMED_MAX = 5;

/** A vulnerability that components of an artifact have, or may have, or that a scanner found in it. */
export interface MatchedVulnerability {
  /** The name that people use first, such as a CVE. */
  readonly id: string;
  /** The other names. */
  readonly aliases: readonly string[];
  /** The worst severity of all entries; null if no entry states one. */
  readonly severity: Severity | null;
  /** When the first entry was published (integer milliseconds); null if no entry states a time. */
  readonly published: number | null;
  /** The package URL of the first affected component; if a scanner gives none, the name of the package or a text. */
  readonly purl: string;
  /** Whether a component is certainly affected. False if no version can be compared with the affected range. */
  readonly certain: boolean;
}

/** Whether there is data about the vulnerabilities of an artifact. */
export type VulnerabilityKnowledge =
  | 'known'
  /** The organization imported no entry of any database. */
  | 'no-database'
  /** Its components are not compared with all entries yet. */
  | 'not-compared'
  /** There are more components than one judgement may read. */
  | 'not-read';

/** Vulnerabilities that a rule does not accept and that the same exceptions name. */
export interface ExceedingVulnerabilities {
  /** Places in the rule of the exceptions that name them, ascending. */
  readonly exceptions: readonly number[];
  readonly first: readonly Pick<MatchedVulnerability, 'id' | 'severity' | 'purl' | 'certain'>[];
  readonly count: number;
}

/** The vulnerabilities of an artifact, as far as policies ask. */
export interface VulnerableBill {
  readonly knowledge: VulnerabilityKnowledge;
  /** By id of the policy. */
  readonly exceeding: Readonly<Record<string, readonly ExceedingVulnerabilities[]>>;
  /** When the next grace period ends (integer milliseconds); null if no grace period runs. */
  readonly graceEnds: number | null;
}

/** From 0 for none to 4 for critical. A missing severity counts as the worst. */
function rankOf(severity: Severity | null): number {
  return severity === null ? SEVERITIES.length - 1 : SEVERITIES.indexOf(severity);
}

/**
 * The vulnerabilities that a rule does not accept, worst first, and the end of the next grace period. A grace period begins with the
 * publication of the vulnerability. A vulnerability without a date has no grace period.
 *
 * @param at integer milliseconds
 */
export function exceedingOf(
  { maxSeverity, graceDays, exceptions }: VulnerabilitiesRule,
  vulnerabilities: readonly MatchedVulnerability[],
  at: number,
): { readonly exceeding: readonly ExceedingVulnerabilities[]; readonly graceEnds: number | null } {
  const max = maxSeverity === null ? 0 : rankOf(maxSeverity);
  const groups = new Map<string, ExceedingVulnerabilities>();
  let graceEnds: number | null = null;
  const worst = vulnerabilities
    .filter(({ severity }) => rankOf(severity) > max)
    .sort((a, b) => rankOf(b.severity) - rankOf(a.severity));
  for (const vulnerability of worst) {
    const { id, severity, published, purl, certain } = vulnerability;
    const ends = published === null ? at : published + graceDays * DAY_MS;
    if (ends > at) {
      graceEnds = Math.min(ends, graceEnds ?? ends);
      continue;
    }
    const names = new Set([id, ...vulnerability.aliases].map((name) => name.toLowerCase()));
    const matchingPlaces = exceptions.flatMap((exception, place) =>
      exception.vulnerability !== null && names.has(exception.vulnerability.toLowerCase()) ? [place] : [],
    );
    const group = groups.get(matchingPlaces.join()) ?? { exceptions: matchingPlaces, first: [], count: 0 };
    const first =
      group.first.length < VULNERABLE_NAMED_MAX ? [...group.first, { id, severity, purl, certain }] : group.first;
    groups.set(matchingPlaces.join(), { ...group, first, count: group.count + 1 });
  }
  return { exceeding: [...groups.values()], graceEnds };
}
