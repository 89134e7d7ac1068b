import type {
  AttestationRule,
  JudgedTrail,
  Resolution,
  RuleVerdict,
  Verdict,
} from '@assurance/contracts/policies/events';
import { type RuleAttestation, TrailEvidence } from '@assurance/flows/domain/trail-evidence';
import { type Bill, NO_BILL } from './bill';
import { isTrueFor, type Subject } from './expression/evaluate';
import { applies, judgeComponents, sbomResolution } from './judge-components';
import { judgeVulnerabilities } from './judge-vulnerabilities';
import type { JudgedBy, JudgingPolicy } from './judging-policy';
import { reasonsOf } from './reasons';
import type { ReadAttestationRule, ReadSbomRule } from './rules';

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
 * Judges an artifact by every rule of every policy, in every flow and trail that reported it. A rule is satisfied if one of them satisfies
 * it, and ignored if it applies in none. A policy is met if none of its rules is unsatisfied. Expressions about a flow do not hold for an
 * artifact without a flow, so that no exception applies to it by accident.
 *
 * @param evidence first report first
 * @param allowed whether the artifact is on the environment's allow-list
 * @param bill the content of its bills of materials; required if a policy has a rule about them
 */
export function judge(
  { policies, requireProvenance }: Standards,
  artifact: JudgedArtifact,
  evidence: readonly TrailEvidence[],
  allowed: boolean,
  bill: Bill = NO_BILL,
): Verdict {
  const judged = policies.map((policy) => judgeByPolicy(policy, artifact, evidence, bill));
  const verdicts = judged.map(({ verdict }) => verdict);
  const missesProvenance = requireProvenance && evidence.length === 0;
  const compliant = allowed || (!missesProvenance && verdicts.every((verdict) => verdict.compliant));
  const contexts = evidence.map(({ flow, first, artifactStatus }) => ({
    flow: flow.name,
    trail: first.trail,
    status: artifactStatus,
  }));
  const reasons = compliant ? [] : reasonsOf(policies, judged, contexts, missesProvenance);
  return { compliant, allowed, reasons, contexts, policies: verdicts };
}

function judgeByPolicy(
  { id, version, rules }: JudgingPolicy,
  artifact: JudgedArtifact,
  evidence: readonly TrailEvidence[],
  bill: Bill,
): JudgedBy {
  const { sbom, components, vulnerabilities } = rules;
  const listed = components === null ? null : judgeComponents(components, artifact, evidence, bill, id);
  const vulnerable =
    vulnerabilities === null
      ? null
      : judgeVulnerabilities(vulnerabilities, artifact, evidence, bill, id, sbom?.allowEmpty);
  const verdicts = [
    judgeRule(artifact, evidence, applies(rules.provenance), judgeProvenance),
    judgeRule(artifact, evidence, applies(rules.trailCompliance), inCompliantTrail),
    ...rules.attestations.map((rule) =>
      judgeRule(
        artifact,
        evidence,
        (subject) => isTrueFor(rule.condition, subject),
        (evidence) => judgeAttestationRule(rule, evidence),
      ),
    ),
    ...(sbom === null ? [] : [judgeRule(artifact, evidence, applies(sbom), () => withSbom(bill, sbom))]),
    ...(listed === null ? [] : [listed.verdict]),
    ...(vulnerable === null ? [] : [vulnerable.verdict]),
  ];
  const compliant = verdicts.every(({ satisfied }) => satisfied !== false);
  return {
    verdict: { policy: id, version, compliant, rules: verdicts },
    denied: listed?.denied ?? [],
    exceeding: vulnerable?.exceeding ?? [],
  };
}

/** @param resolve gives the result of the rule if it applies */
function judgeRule(
  artifact: JudgedArtifact,
  evidence: readonly TrailEvidence[],
  isApplied: (subject: Subject) => boolean,
  resolve: (evidence: TrailEvidence) => RuleResult,
): RuleVerdict {
  if (evidence.length === 0) return { satisfied: isApplied({ artifact, flow: null }) ? false : null, resolutions: [] };
  const results = evidence.map((evidence) =>
    isApplied({ artifact, flow: evidence.flow }) ? resolve(evidence) : NOT_APPLICABLE,
  );
  const resolutions = results.map(({ resolution }) => resolution);
  if (results.some(({ satisfies }) => satisfies === true)) return { satisfied: true, resolutions };
  return { satisfied: results.every(({ satisfies }) => satisfies === null) ? null : false, resolutions };
}

/** The result of a rule in one flow and trail. `satisfies` is null if the rule does not apply. */
interface RuleResult {
  readonly resolution: Resolution;
  readonly satisfies: boolean | null;
}
const NOT_APPLICABLE: RuleResult = { resolution: 'rule_not_applicable', satisfies: null };
const SATISFIED: RuleResult = { resolution: 'rule_satisfied', satisfies: true };
/** Reports of the legacy form have no trail, so no evidence can be missing in it or attested in it. */
const LEGACY: Resolution = 'legacy_flow';

function judgeProvenance({ first }: TrailEvidence): RuleResult {
  return first.trail === null ? { resolution: LEGACY, satisfies: true } : SATISFIED;
}

function inCompliantTrail({ first, trailStatus }: TrailEvidence): RuleResult {
  if (first.trail === null) return { resolution: LEGACY, satisfies: true };
  return trailStatus === 'COMPLIANT' ? SATISFIED : { resolution: 'non_compliant_in_trail', satisfies: false };
}

function withSbom(bill: Bill, rule: ReadSbomRule): RuleResult {
  const resolution = sbomResolution(bill, rule);
  return { resolution, satisfies: resolution === 'rule_satisfied' };
}

function judgeAttestationRule(rule: ReadAttestationRule, { first, attestations }: TrailEvidence): RuleResult {
  if (first.trail === null) return { resolution: LEGACY, satisfies: false };
  const results = attestations.filter((attestation) => matchesRule(rule, attestation));
  if (results.length === 0) return { resolution: 'missing_attestation', satisfies: false };
  return !rule.mustBeCompliant || results.some(({ compliant }) => compliant)
    ? SATISFIED
    : { resolution: 'non_compliant_attestation', satisfies: false };
}

/** Whether an attestation matches a rule. An override with exactly the required name matches any type. */
function matchesRule(
  { name, type, forControl }: Pick<AttestationRule, 'name' | 'type' | 'forControl'>,
  attestation: RuleAttestation,
): boolean {
  if (name !== '*' && attestation.name !== name) return false;
  if (forControl !== null && attestation.control?.identifier !== forControl) return false;
  return type === '*' || attestation.countsAs === type || (name !== '*' && attestation.type === 'override');
}

/** The verdict on an artifact that exceeds the budget: non-compliant for this reason, unless the artifact is on the allow-list. */
export function unjudgedVerdict(
  policies: readonly { readonly id: string; readonly version: number }[],
  allowed: boolean,
  contexts: readonly JudgedTrail[],
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
