import type { Resolution, RuleVerdict } from '@assurance/contracts/policies/events';
import type { TrailEvidence } from '@assurance/flows/domain/trail-evidence';
import type { Bill, DeniedComponents } from './bill';
import { isTrueFor, type Subject } from './expression/evaluate';
import type { ReadComponentsRule, ReadSbomRule } from './rules';

type Artifact = Subject['artifact'];

/** Whether a rule that requires something applies. Nothing is known of a flow that is null. */
export function applies({ required, exceptions }: ReadSbomRule): (subject: Subject) => boolean {
  return (subject) => required && !exceptions.some((exception) => isTrueFor(exception, subject));
}

/** How an artifact that needs a bill of materials has one. */
export function sbomResolution({ sbom, isEmpty = false }: Bill, { allowEmpty = true }: ReadSbomRule): Resolution {
  if (sbom === 'complete') return isEmpty && !allowEmpty ? 'empty_sbom' : 'rule_satisfied';
  return sbom === 'none' ? 'missing_sbom' : 'incomplete_sbom';
}

/** The result of a rule about components, with what it denies. */
export interface ComponentsVerdict {
  readonly verdict: RuleVerdict;
  readonly denied: readonly DeniedComponents[];
}

/**
 * Judges the components of an artifact. They are the same in all flows and trails of the artifact, so an exception must hold in all of
 * them. Without a complete bill of materials, the rule is neither satisfied nor unsatisfied, and the resolution gives the reason. A bill
 * that could not be read does not satisfy the rule.
 */
export function judgeComponents(
  rule: ReadComponentsRule,
  artifact: Artifact,
  evidence: readonly TrailEvidence[],
  bill: Bill,
  policy: string,
): ComponentsVerdict {
  if (rule.deny.length === 0) {
    return { verdict: { satisfied: null, resolutions: evidence.map(() => 'rule_not_applicable') }, denied: [] };
  }
  const groups = (Object.hasOwn(bill.denied, policy) ? bill.denied[policy] : undefined) ?? [];
  const deniedGroups = new Set<DeniedComponents>();
  const resolutions = evidence.map(({ flow }): Resolution => {
    const holding = rule.exceptions.map(({ condition }) => isTrueFor(condition, { artifact, flow }));
    // An exception for all components.
    if (rule.exceptions.some(({ component }, i) => component === null && holding[i])) return 'rule_not_applicable';
    const groupsInForce = groups.filter(({ exceptions }) => !exceptions.some((place) => holding[place]));
    for (const group of groupsInForce) deniedGroups.add(group);
    if (groupsInForce.length > 0) return 'denied_component';
    if (bill.sbom === 'complete') return 'rule_satisfied';
    return bill.sbom === 'none' ? 'missing_sbom' : 'incomplete_sbom';
  });
  return { verdict: { satisfied: satisfiedBy(resolutions, bill), resolutions }, denied: [...deniedGroups] };
}

function satisfiedBy(resolutions: readonly Resolution[], { sbom }: Bill): boolean | null {
  if (resolutions.includes('denied_component')) return false;
  if (resolutions.includes('incomplete_sbom') && sbom === 'not-read') return false;
  return resolutions.includes('rule_satisfied') ? true : null;
}
