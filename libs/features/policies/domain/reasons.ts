import type { JudgedIn, PolicyVerdict, RuleVerdict } from '@assurance/contracts/policies/events';
import type { JudgingPolicy } from './judge';
import type { ReadRules } from './rules';

/** The most rules that are named: the others are counted. */
const REASONS_MAX = 100;

/** Why an artifact is not compliant, in words, one a rule that is not satisfied. */
export function reasonsOf(
  policies: readonly JudgingPolicy[],
  verdicts: readonly PolicyVerdict[],
  contexts: readonly JudgedIn[],
  missesProvenance: boolean,
): string[] {
  const unmet = policies.flatMap(({ name, rules }, i) =>
    (verdicts[i]?.rules ?? []).flatMap((verdict, place) =>
      verdict.satisfied === false ? [{ name, rules, place, verdict }] : [],
    ),
  );
  const said = unmet
    .slice(0, REASONS_MAX)
    .map(({ name, rules, place, verdict }) => `policy '${name}': ${reason(rules, place, verdict, contexts)}`);
  if (unmet.length > REASONS_MAX) said.push(`${unmet.length - REASONS_MAX} more rules are not satisfied`);
  return missesProvenance ? ['the environment requires provenance, and the artifact has none', ...said] : said;
}

function reason(
  { attestations }: ReadRules,
  place: number,
  verdict: RuleVerdict,
  contexts: readonly JudgedIn[],
): string {
  if (place === 0) return 'the artifact has no provenance';
  if (place === 1)
    return contexts.length === 0
      ? 'the artifact is in no trail'
      : `the artifact is not compliant${where(verdict, contexts)}`;
  const rule = attestations[place - 2];
  const wanted =
    rule?.forControl == null
      ? `'${rule?.name ?? '*'}' attestation of type ${rule?.type ?? '*'}`
      : `decision for control '${rule.forControl}'`;
  const isNonCompliant = verdict.resolutions.includes('non_compliant_attestation');
  return isNonCompliant
    ? `the ${wanted} is non-compliant${where(verdict, contexts)}`
    : `the ${wanted} is missing${where(verdict, contexts)}`;
}

/** The trails in which the rule was not met; the first of them, where there are many. */
function where({ resolutions }: RuleVerdict, contexts: readonly JudgedIn[]): string {
  const named = contexts
    .filter((_, i) => resolutions[i] !== 'rule_not_applicable')
    .map(({ flow, trail }) => (trail === null ? `flow '${flow}'` : `trail '${trail}' of flow '${flow}'`));
  const [first, ...others] = named;
  if (first === undefined) return '';
  return others.length === 0 ? ` in ${first}` : ` in ${first} and ${others.length} more`;
}
