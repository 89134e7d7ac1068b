import type { Resolution, RuleVerdict } from '@assurance/contracts/policies/events';
import type { TrailEvidence } from '@assurance/flows/domain/trail-evidence';
import type { Bill } from './bill';
import { isTrueFor, type Subject } from './expression/evaluate';
import type { ReadVulnerabilitiesRule } from './rules';
import type { ExceedingVulnerabilities } from './vulnerable';

/** The result of a rule about vulnerabilities, with those that it does not accept. */
interface VulnerabilitiesVerdict {
  readonly verdict: RuleVerdict;
  readonly exceeding: readonly ExceedingVulnerabilities[];
}

/**
 * Judges the vulnerabilities of an artifact. They are the same in all flows and trails of the artifact, so an exception must hold in all
 * of them. Missing data does not satisfy the rule, because it does not prove safety: no SBOM, an incomplete SBOM, no imported entry,
 * components that are not compared yet, and components that cannot be compared unless the rule accepts them.
 */
export function judgeVulnerabilities(
  { exceptions, allowUnmatched = true }: ReadVulnerabilitiesRule,
  artifact: Subject['artifact'],
  evidence: readonly TrailEvidence[],
  bill: Bill,
  policy: string,
  allowEmpty = false,
): VulnerabilitiesVerdict {
  const groups = ownGroups(bill, policy);
  const exceeding = new Set<ExceedingVulnerabilities>();
  const resolve = (flow: Subject['flow']): Resolution => {
    const holding = exceptions.map(({ condition }) => isTrueFor(condition, { artifact, flow }));
    // An exception for all vulnerabilities.
    if (exceptions.some(({ vulnerability }, place) => vulnerability === null && holding[place])) {
      return 'rule_not_applicable';
    }
    const groupsInForce = groups.filter((group) => !group.exceptions.some((place) => holding[place]));
    for (const group of groupsInForce) exceeding.add(group);
    return groupsInForce.length > 0 ? 'vulnerable_component' : unknownOf(bill, allowUnmatched, allowEmpty);
  };
  if (evidence.length === 0) {
    const isApplied = resolve(null) !== 'rule_not_applicable';
    return { verdict: { satisfied: isApplied ? false : null, resolutions: [] }, exceeding: [...exceeding] };
  }
  const resolutions = evidence.map(({ flow }) => resolve(flow));
  return { verdict: { satisfied: satisfiedBy(resolutions), resolutions }, exceeding: [...exceeding] };
}

function ownGroups({ vulnerable }: Bill, policy: string): readonly ExceedingVulnerabilities[] {
  if (vulnerable === undefined || !Object.hasOwn(vulnerable.exceeding, policy)) return [];
  return vulnerable.exceeding[policy] ?? [];
}

/** What is unknown; `rule_satisfied` where nothing is. */
function unknownOf(
  { sbom, vulnerable, unmatched = 0, isEmpty = false }: Bill,
  allowUnmatched: boolean,
  allowEmpty: boolean,
): Resolution {
  if (sbom === 'none') return 'missing_sbom';
  if (sbom !== 'complete') return 'incomplete_sbom';
  if (vulnerable === undefined || vulnerable.knowledge === 'no-database') return 'missing_vulnerabilities';
  if (vulnerable.knowledge !== 'known') return 'unmatched_components';
  if (allowUnmatched) return 'rule_satisfied';
  if (isEmpty && !allowEmpty) return 'empty_sbom';
  return unmatched > 0 ? 'incomparable_components' : 'rule_satisfied';
}

function satisfiedBy(resolutions: readonly Resolution[]): boolean | null {
  const applied = resolutions.filter((resolution) => resolution !== 'rule_not_applicable');
  return applied.length === 0 ? null : applied.every((resolution) => resolution === 'rule_satisfied');
}
