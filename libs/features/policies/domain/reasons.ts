import type { ComponentPattern, JudgedTrail, RuleVerdict } from '@assurance/contracts/policies/events';
import { beginningOf } from '@assurance/kernel';
import { DENIED_NAMED_MAX, type DeniedComponents } from './bill';
import type { JudgedBy, JudgingPolicy } from './judging-policy';
import type { ReadRules } from './rules';
import type { ExceedingVulnerabilities } from './vulnerable';

/** The most rules that a reason names. It counts the others. */
const REASONS_MAX = 100;
/** The most components that the reasons of all rules name together. Each reason counts the others. */
const COMPONENTS_MAX = 20;
/** The most characters of a package URL and of a range in a reason. */
const SHOWN_MAX = 200;

/** Why an artifact is not compliant, in words: one text for each unsatisfied rule, denied component and vulnerability. */
export function reasonsOf(
  policies: readonly JudgingPolicy[],
  judgements: readonly JudgedBy[],
  contexts: readonly JudgedTrail[],
  missesProvenance: boolean,
): string[] {
  const unmet = policies.flatMap(({ name, rules }, i) => {
    const { verdict: result, denied = [], exceeding = [] } = judgements[i] ?? {};
    return (result?.rules ?? []).flatMap((verdict, place) =>
      verdict.satisfied === false ? [{ name, rules, place, verdict, denied, exceeding }] : [],
    );
  });
  let count = 0;
  const texts = unmet.slice(0, REASONS_MAX).flatMap(({ name, rules, place, verdict, denied, exceeding }) => {
    const limit = Math.max(0, Math.min(DENIED_NAMED_MAX, COMPONENTS_MAX - count));
    let reasons: readonly string[] = [];
    if (verdict.resolutions.includes('denied_component')) reasons = deniedReasons(rules, denied, limit);
    else if (isVulnerabilitiesRule(rules, place)) reasons = vulnerableReasons(exceeding, limit);
    if (reasons.length === 0) return [`policy '${name}': ${reason(rules, place, verdict, contexts)}`];
    count += reasons.length;
    return reasons.map((text) => `policy '${name}': ${text}`);
  });
  if (unmet.length > REASONS_MAX) texts.push(`${unmet.length - REASONS_MAX} more rules are not satisfied`);
  return missesProvenance ? ['the environment requires provenance, and the artifact has none', ...texts] : texts;
}

/** The rule about vulnerabilities is the last one. */
function isVulnerabilitiesRule({ attestations, sbom, components, vulnerabilities }: ReadRules, place: number): boolean {
  return vulnerabilities !== null && place === 2 + attestations.length + [sbom, components].filter(Boolean).length;
}

function reason(rules: ReadRules, place: number, verdict: RuleVerdict, contexts: readonly JudgedTrail[]): string {
  const { attestations, sbom } = rules;
  if (isVulnerabilitiesRule(rules, place)) return unknownReason(verdict);
  if (place === 0) return 'the artifact has no provenance';
  if (place === 1)
    return contexts.length === 0
      ? 'the artifact is in no trail'
      : `the artifact is not compliant${describePlaces(verdict, contexts)}`;
  if (place - 2 >= attestations.length) {
    if (place - 2 > attestations.length || sbom === null) return 'the SBOMs list more than one judgement reads';
    if (verdict.resolutions.includes('empty_sbom')) return 'its SBOM lists no component';
    return verdict.resolutions.includes('incomplete_sbom')
      ? 'not every component of the SBOM is recorded'
      : 'the artifact has no SBOM';
  }
  const rule = attestations[place - 2];
  const requirement =
    rule?.forControl == null
      ? `'${rule?.name ?? '*'}' attestation of type ${rule?.type ?? '*'}`
      : `decision for control '${rule.forControl}'`;
  const isNonCompliant = verdict.resolutions.includes('non_compliant_attestation');
  return isNonCompliant
    ? `the ${requirement} is non-compliant${describePlaces(verdict, contexts)}`
    : `the ${requirement} is missing${describePlaces(verdict, contexts)}`;
}

function unknownReason({ resolutions }: RuleVerdict): string {
  if (resolutions.includes('incomplete_sbom')) {
    return 'nobody knows all its vulnerabilities: not every component of the SBOM is recorded';
  }
  if (resolutions.includes('missing_vulnerabilities')) {
    return 'nobody knows its vulnerabilities: no database of vulnerabilities is imported';
  }
  if (resolutions.includes('unmatched_components')) {
    return 'nobody knows its vulnerabilities yet: its components are not compared with all imported entries';
  }
  if (resolutions.includes('incomparable_components')) {
    return 'nobody knows all its vulnerabilities: it has components that no database can be compared with, such as those without a package URL';
  }
  if (resolutions.includes('empty_sbom')) return 'nobody knows its vulnerabilities: its SBOM lists no component';
  return 'nobody knows its vulnerabilities: the artifact has no SBOM';
}

/** @param limit how many vulnerabilities are named */
function vulnerableReasons(exceeding: readonly ExceedingVulnerabilities[], limit: number): string[] {
  const vulnerabilities = exceeding.flatMap(({ first }) => first).slice(0, limit);
  const texts = vulnerabilities.map(({ id, severity, purl, certain }) => {
    const vulnerability = `${beginningOf(id, SHOWN_MAX)} (${severity ?? 'of unknown severity'})`;
    const component = `component ${beginningOf(purl, SHOWN_MAX)}`;
    return certain
      ? `${component} has ${vulnerability}`
      : `${component} may have ${vulnerability}: its version cannot be compared`;
  });
  const left = exceeding.reduce((sum, { count }) => sum + count, 0) - vulnerabilities.length;
  const more = vulnerabilities.length === 0 ? '' : 'more ';
  return left > 0 ? [...texts, `its components have ${left} ${more}vulnerabilities that are not accepted`] : texts;
}

/** @param limit how many components are named */
function deniedReasons({ components }: ReadRules, denied: readonly DeniedComponents[], limit: number): string[] {
  const all = denied.flatMap(({ deny, unsure, first }) => {
    const by = `is denied by ${shownPattern(components?.deny[deny])}`;
    const why = unsure ? `${by}: its version cannot be compared` : by;
    return first.map((purl) => `component ${beginningOf(purl, SHOWN_MAX)} ${why}`);
  });
  const texts = all.slice(0, limit);
  const left = denied.reduce((sum, { count }) => sum + count, 0) - texts.length;
  return left > 0 ? [...texts, `${left} ${texts.length === 0 ? '' : 'more '}components are denied`] : texts;
}

function shownPattern(pattern: ComponentPattern | undefined): string {
  const { purl = '', range = null } = pattern ?? {};
  return range === null ? purl : `${purl} ${beginningOf(range, SHOWN_MAX)}`;
}

/** The trails in which the rule was not met. If there are many, only the first ones. */
function describePlaces({ resolutions }: RuleVerdict, contexts: readonly JudgedTrail[]): string {
  const places = contexts
    .filter((_, i) => resolutions[i] !== 'rule_not_applicable')
    .map(({ flow, trail }) => (trail === null ? `flow '${flow}'` : `trail '${trail}' of flow '${flow}'`));
  const [first, ...others] = places;
  if (first === undefined) return '';
  return others.length === 0 ? ` in ${first}` : ` in ${first} and ${others.length} more`;
}
