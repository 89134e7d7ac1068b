import type {
  AttestationRule,
  JudgedIn,
  PolicyVerdict,
  Resolution,
  RuleVerdict,
  Verdict,
} from '@assurance/contracts/policies/events';
import { type Attested, KnownIn } from '@assurance/flows/domain/known-in';
import { type Bill, type DeniedComponents, NO_BILL } from './bill';
import type { Condition } from './expression/ast';
import { evaluate, type Subject } from './expression/evaluate';
import { judgeComponents, requiresSbom, sbomResolution } from './judge-components';
import { reasonsOf } from './reasons';
import type { ReadAttestationRule, ReadBooleanRule, ReadRules } from './rules';

/** A version of a policy, ready to judge by. */
export interface JudgingPolicy {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly rules: ReadRules;
}

export interface JudgedArtifact {
  readonly fingerprint: string;
  readonly name: string;
}

/** The requirements of an environment. */
export interface Standards {
  readonly policies: readonly JudgingPolicy[];
  /** Whether an artifact without provenance is non-compliant regardless of policies. */
  readonly requireProvenance: boolean;
}

/**
 * Judges an artifact: every rule of every policy in every flow and trail in which the artifact is known. A rule is satisfied
 * when it is in one of them, ignored when it applies in none; a policy is met when none of its rules is unsatisfied. Expressions about a
 * flow do not hold for an artifact that is known in none: no exception lets it through on what is not known.
 *
 * @param known first report first
 * @param allowed whether the artifact is on the environment's allow-list
 * @param bill what its bills of materials list; needed where a policy asks for it
 */
export function judge(
  { policies, requireProvenance }: Standards,
  artifact: JudgedArtifact,
  known: readonly KnownIn[],
  allowed: boolean,
  bill: Bill = NO_BILL,
): Verdict {
  const judged = policies.map((policy) => judgeBy(policy, artifact, known, bill));
  const verdicts = judged.map(({ verdict }) => verdict);
  const missesProvenance = requireProvenance && known.length === 0;
  const compliant = allowed || (!missesProvenance && verdicts.every((verdict) => verdict.compliant));
  const contexts = known.map(({ flow, first, artifactStatus }) => ({
    flow: flow.name,
    trail: first.trail,
    status: artifactStatus,
  }));
  const reasons = compliant ? [] : reasonsOf(policies, judged, contexts, missesProvenance);
  return { compliant, allowed, reasons, contexts, policies: verdicts };
}

/** The result of a policy, with the components that it denies. */
export interface JudgedBy {
  readonly verdict: PolicyVerdict;
  readonly denied: readonly DeniedComponents[];
}

function judgeBy(
  { id, version, rules }: JudgingPolicy,
  artifact: JudgedArtifact,
  known: readonly KnownIn[],
  bill: Bill,
): JudgedBy {
  const { sbom, components } = rules;
  const listed = components === null ? null : judgeComponents(components, artifact, known, bill, id);
  const verdicts = [
    judgeRule(artifact, known, applies(rules.provenance), provided),
    judgeRule(artifact, known, applies(rules.trailCompliance), inCompliantTrail),
    ...rules.attestations.map((rule) =>
      judgeRule(
        artifact,
        known,
        (subject) => holds(rule.condition, subject),
        (one) => attested(rule, one),
      ),
    ),
    ...(sbom === null ? [] : [judgeRule(artifact, known, requiresSbom(sbom), () => withSbom(bill))]),
    ...(listed === null ? [] : [listed.verdict]),
  ];
  const compliant = verdicts.every(({ satisfied }) => satisfied !== false);
  return { verdict: { policy: id, version, compliant, rules: verdicts }, denied: listed?.denied ?? [] };
}

/** @param resolve gives the result of the rule if it applies */
function judgeRule(
  artifact: JudgedArtifact,
  known: readonly KnownIn[],
  isApplied: (subject: Subject) => boolean,
  resolve: (known: KnownIn) => Found,
): RuleVerdict {
  if (known.length === 0) return { satisfied: isApplied({ artifact, flow: null }) ? false : null, resolutions: [] };
  const found = known.map((one) => (isApplied({ artifact, flow: one.flow }) ? resolve(one) : NOT_APPLICABLE));
  const resolutions = found.map(({ resolution }) => resolution);
  if (found.some(({ satisfies }) => satisfies === true)) return { satisfied: true, resolutions };
  return { satisfied: found.every(({ satisfies }) => satisfies === null) ? null : false, resolutions };
}

/** The result of a rule in one flow and trail. `satisfies` is null if the rule does not apply. */
interface Found {
  readonly resolution: Resolution;
  readonly satisfies: boolean | null;
}
const NOT_APPLICABLE: Found = { resolution: 'rule_not_applicable', satisfies: null };
const SATISFIED: Found = { resolution: 'rule_satisfied', satisfies: true };
/** The legacy form has no trail: nothing can be missing in it, and nothing can be attested in it. */
const LEGACY: Resolution = 'legacy_flow';

function applies({ required, exceptions }: ReadBooleanRule): (subject: Subject) => boolean {
  return (subject) => required && !exceptions.some((exception) => evaluate(exception, subject) === true);
}

function holds(condition: Condition | null, subject: Subject): boolean {
  return condition === null || evaluate(condition, subject) === true;
}

function provided({ first }: KnownIn): Found {
  return first.trail === null ? { resolution: LEGACY, satisfies: true } : SATISFIED;
}

function inCompliantTrail({ first, trailStatus }: KnownIn): Found {
  if (first.trail === null) return { resolution: LEGACY, satisfies: true };
  return trailStatus === 'COMPLIANT' ? SATISFIED : { resolution: 'non_compliant_in_trail', satisfies: false };
}

function withSbom(bill: Bill): Found {
  const resolution = sbomResolution(bill);
  return { resolution, satisfies: resolution === 'rule_satisfied' };
}

function attested(rule: ReadAttestationRule, { first, attestations }: KnownIn): Found {
  if (first.trail === null) return { resolution: LEGACY, satisfies: false };
  const found = attestations.filter((one) => answers(rule, one));
  if (found.length === 0) return { resolution: 'missing_attestation', satisfies: false };
  return !rule.mustBeCompliant || found.some(({ compliant }) => compliant)
    ? SATISFIED
    : { resolution: 'non_compliant_attestation', satisfies: false };
}

/** Whether an attestation matches a rule. An override with exactly the required name matches any type. */
function answers(
  { name, type, forControl }: Pick<AttestationRule, 'name' | 'type' | 'forControl'>,
  one: Attested,
): boolean {
  if (name !== '*' && one.name !== name) return false;
  if (forControl !== null && one.control?.identifier !== forControl) return false;
  return type === '*' || one.countsAs === type || (name !== '*' && one.type === 'override');
}

/** The verdict on an artifact that would exceed the budget: non-compliant with this reason, unless it is on the allow-list. */
export function notJudged(
  policies: readonly { readonly id: string; readonly version: number }[],
  allowed: boolean,
  contexts: readonly JudgedIn[],
  why: string,
): Verdict {
  return {
    compliant: allowed,
    allowed,
    reasons: allowed ? [] : [`not judged: ${why}`],
    contexts,
    policies: policies.map(({ id, version }) => ({ policy: id, version, compliant: false, rules: [] })),
  };
}
