import type { Condition, Operand } from './expression/ast';
import { patternSteps } from './expression/pattern';
import type { ReadBooleanRule, ReadRules } from './rules';

/** The cost of a rule without its conditions: comparing attestations and storing the result. */
const RULE_STEPS = 10;
/** The most characters of an artifact's name that are counted on where it is not known. */
const NAME_CHARACTERS = 512;
/** The characters of a flow's name or tag that are counted on; of a fingerprint. */
const FLOW_CHARACTERS = 512;
const FINGERPRINT_CHARACTERS = 64;

/** The most steps that the rules of one policy may take for one artifact whose name has 512 characters, in one trail. */
const POLICY_STEPS_MAX = 4_000_000;
/** The most steps that judging all that an environment runs, or all that a report changes, may take. */
export const JUDGING_STEPS_MAX = 50_000_000;
/** The most rules of all policies of one environment. */
const ENVIRONMENT_RULES_MAX = 5_000;
/** The number of artifacts with long names that an environment is assumed to run at least. */
const ARTIFACTS_MIN = 10;

/** The estimated cost of rules for one artifact in one trail, in steps (20 to 100 ns each). */
export interface RulesCost {
  /** How many rules there are. */
  readonly rules: number;
  readonly fixed: number;
  /** For each character of the artifact's name. */
  readonly perCharacter: number;
}

/** Estimates what rules take at most. */
export function costOf(read: ReadRules): RulesCost {
  const { provenance, trailCompliance, attestations, sbom, components, vulnerabilities } = read;
  const booleans = [provenance, trailCompliance].map(costOfBoolean);
  const conditions = [
    ...attestations.map(({ condition }) => condition),
    ...(sbom?.exceptions ?? []),
    ...[components, vulnerabilities].flatMap((rule) => (rule?.exceptions ?? []).map(({ condition }) => condition)),
  ].map((condition) => (condition === null ? NOTHING : costOfCondition(condition)));
  const rules =
    2 +
    attestations.length +
    (sbom === null ? 0 : 1) +
    (components === null ? 0 : 1) +
    (vulnerabilities === null ? 0 : 1);
  // Another step finds the denied components. Here, each exception is compared with each group of components that it may name.
  const lists = [components?.deny, components?.exceptions, vulnerabilities?.exceptions];
  const steps = lists.reduce((total, list) => total + (list?.length ?? 0), rules * RULE_STEPS);
  return sum([{ rules, fixed: steps, perCharacter: 0 }, ...booleans, ...conditions]);
}

/** The cost of several rules together. */
export function sum(costs: readonly RulesCost[]): RulesCost {
  return costs.reduce(
    (all, rulesCost) => ({
      rules: all.rules + rulesCost.rules,
      fixed: all.fixed + rulesCost.fixed,
      perCharacter: all.perCharacter + rulesCost.perCharacter,
    }),
    NOTHING,
  );
}

/** @param trails in how many flows and trails the artifact is known */
export function stepsFor({ fixed, perCharacter }: RulesCost, name: string, trails: number): number {
  return Math.max(1, trails) * (fixed + perCharacter * name.length);
}

/** Why a policy's rules are more than may be; null when they are not. */
export function costProblem(cost: RulesCost): string | null {
  const steps = cost.fixed + cost.perCharacter * NAME_CHARACTERS;
  return steps <= POLICY_STEPS_MAX
    ? null
    : `The rules take about ${steps} steps for one artifact, more than the limit of ${POLICY_STEPS_MAX}. ` +
        'Regular expressions take the most: use fewer or shorter ones';
}

/**
 * Why the policies exceed what an environment may have; null if they do not.
 *
 * @param costs of all its policies
 * @param names of all artifacts that run there
 */
export function attachProblem(costs: readonly RulesCost[], names: readonly string[]): string | null {
  const all = sum(costs);
  if (all.rules > ENVIRONMENT_RULES_MAX) {
    return `The policies of an environment have at most ${ENVIRONMENT_RULES_MAX} rules together; these would be ${all.rules}`;
  }
  const least = ARTIFACTS_MIN * (all.fixed + all.perCharacter * NAME_CHARACTERS);
  const steps = Math.max(
    least,
    names.reduce((total, name) => total + stepsFor(all, name, 1), 0),
  );
  return steps <= JUDGING_STEPS_MAX
    ? null
    : `Judging the ${Math.max(ARTIFACTS_MIN, names.length)} artifacts of the environment by ${costs.length} policies takes about ` +
        `${steps} steps, more than the limit of ${JUDGING_STEPS_MAX}`;
}

const NOTHING: RulesCost = { rules: 0, fixed: 0, perCharacter: 0 };
const fixedCost = (steps: number): RulesCost => ({ ...NOTHING, fixed: steps });

function costOfBoolean({ exceptions }: ReadBooleanRule): RulesCost {
  return sum(exceptions.map(costOfCondition));
}

function costOfCondition(condition: Condition): RulesCost {
  switch (condition.kind) {
    case 'truth':
    case 'exists':
      return fixedCost(1);
    case 'compare':
      return fixedCost(2);
    case 'in':
      return fixedCost(1 + condition.list.length);
    case 'not':
      return costOfCondition(condition.condition);
    case 'and':
    case 'or':
      return sum(condition.parts.map(costOfCondition));
    case 'matches':
      return costOfMatch(condition.value, patternSteps(condition.pattern));
  }
}

/** A text is matched in time linear in it and in the steps of the pattern. */
function costOfMatch(value: Operand, steps: number): RulesCost {
  if (value.kind === 'literal') return fixedCost(steps * String(value.value).length);
  if (value.path.of === 'flow') return fixedCost(steps * FLOW_CHARACTERS);
  return value.path.field === 'name' ? { ...NOTHING, perCharacter: steps } : fixedCost(steps * FINGERPRINT_CHARACTERS);
}
