import type {
  AppliedPolicyAnswer,
  PolicyDecision,
  ResolutionReason,
  RuleEvaluation,
} from '@assurance/contracts/policies/answers/decision';
import type {
  ComponentsRule,
  PolicyVerdict,
  RuleVerdict,
  SbomRule,
  TimedException,
  Verdict,
  VulnerabilitiesRule,
} from '@assurance/contracts/policies/events';
import { type Documents, getAll } from '@assurance/storage-ports';
import { type PolicyVersionDocument, policyVersionId, policyVersions } from '../../domain/policy';
import { published } from './published-resolutions';

type Version = Pick<PolicyVersionDocument, 'policy' | 'name' | 'version' | 'rules'>;
export type VersionOf = (policy: string, version: number) => Version | undefined;

/** Versions of policies. They never change, so old decisions stay readable. */
export async function versionsOf(
  documents: Documents,
  references: Iterable<{ readonly policy: string; readonly version: number }>,
): Promise<VersionOf> {
  const ids = [...references].map(({ policy, version }) => policyVersionId(policy, version));
  const results = await getAll(documents.collection(policyVersions), ids);
  return (policy, version) => results.get(policyVersionId(policy, version));
}

/** The decisions of policies on an artifact, as the API shows them. */
export function decisionsAnswer({ policies, contexts }: Verdict, versionOf: VersionOf): PolicyDecision[] {
  return policies.flatMap((verdict) => {
    const version = versionOf(verdict.policy, verdict.version);
    return version === undefined ? [] : [decision(version, verdict, contexts)];
  });
}

function decision(version: Version, verdict: PolicyVerdict, contexts: Verdict['contexts']): PolicyDecision {
  const { name, version: number } = version;
  const status = verdict.compliant ? 'COMPLIANT' : 'NON-COMPLIANT';
  const evaluations = rulesAnswer(version).flatMap((rule, i) => {
    const evaluated = verdict.rules[i];
    return evaluated === undefined ? [] : [evaluation(rule, evaluated, contexts)];
  });
  const rule_evaluations = evaluations.length === 0 ? [notJudged(version)] : evaluations;
  return { policy_name: name, policy_version: number, status, rule_evaluations };
}

/** A policy that took longer than it may has no results. Clients print nothing for a policy without one, so the rule about the trail stands for all. */
function notJudged({ rules }: Version): RuleEvaluation {
  const rule = { type: 'trail-compliance' as const, definition: booleanRule(rules.trailCompliance) };
  const context = { flow_name: '', trail_name: null, artifact_status: null };
  return { rule, satisfied: null, ignored: false, resolutions: [{ ...published('not_judged'), context }] };
}

/** The rules of a version in the order of the results of a verdict, as the API shows them. */
export function rulesAnswer({ rules }: Pick<Version, 'rules'>): readonly RuleEvaluation['rule'][] {
  return [
    { type: 'provenance', definition: booleanRule(rules.provenance) },
    { type: 'trail-compliance', definition: booleanRule(rules.trailCompliance) },
    ...rules.attestations.map((rule) => ({
      type: 'attestation' as const,
      definition: { if: text(rule.if), ...attestationRule(rule) },
    })),
    ...(rules.sbom === undefined
      ? []
      : [{ type: 'sbom' as const, definition: { ...ofSbom('sbom'), ...sbomRule(rules.sbom, timedException) } }]),
    ...(rules.components === undefined
      ? []
      : [
          {
            type: 'components' as const,
            definition: { ...ofSbom('components'), ...componentsRule(rules.components, timedException) },
          },
        ]),
    ...(rules.vulnerabilities === undefined
      ? []
      : [
          {
            type: 'vulnerabilities' as const,
            definition: { ...ofSbom('vulnerabilities'), ...vulnerabilitiesRule(rules.vulnerabilities, timedException) },
          },
        ]),
  ];
}

/** The result of a rule. A rule that reads the status of the artifact shows that status. */
function evaluation(
  rule: RuleEvaluation['rule'],
  { satisfied, resolutions }: RuleVerdict,
  contexts: Verdict['contexts'],
): RuleEvaluation {
  const control = 'for_control' in rule.definition ? rule.definition.for_control : undefined;
  const resolution = (reason: ResolutionReason, i: number): RuleEvaluation['resolutions'][number] => ({
    ...published(reason),
    context: {
      flow_name: contexts[i]?.flow ?? '',
      trail_name: contexts[i]?.trail ?? null,
      artifact_status: rule.type === 'trail-compliance' ? (contexts[i]?.status ?? null) : null,
      ...(control === undefined ? {} : { for_control: control }),
    },
  });
  return { rule, satisfied, ignored: satisfied === null, resolutions: resolutions.map(resolution) };
}

/**
 * A policy as it was applied.
 *
 * @param failingPolicies fingerprints of running artifacts that do not satisfy it
 */
export function appliedPolicyAnswer(
  { policy, name, version, rules }: Version,
  failingPolicies: readonly string[],
): AppliedPolicyAnswer {
  const dump = ({ required, exceptions }: Version['rules']['provenance']) => ({
    required,
    exceptions: exceptions.map((condition) => ({ if_condition: text(condition) })),
  });
  return {
    id: policy,
    name,
    version,
    failing_artifacts: failingPolicies,
    policy_dump: {
      schema_version: '1',
      artifacts: {
        provenance: dump(rules.provenance),
        trail_compliance: dump(rules.trailCompliance),
        attestations: rules.attestations.map((rule) => ({ if_condition: text(rule.if), ...attestationRule(rule) })),
        ...(rules.sbom === undefined ? {} : { sbom: sbomRule(rules.sbom, dumpedException) }),
        ...(rules.components === undefined ? {} : { components: componentsRule(rules.components, dumpedException) }),
        ...(rules.vulnerabilities === undefined
          ? {}
          : { vulnerabilities: vulnerabilitiesRule(rules.vulnerabilities, dumpedException) }),
      },
    },
  };
}

function booleanRule({ required, exceptions }: Version['rules']['provenance']) {
  return { required, exceptions: exceptions.map((condition) => ({ if: text(condition) })) };
}

/** Clients print the name and type of each rule that fails. */
const ofSbom = (name: string) => ({ name, type: 'sbom' });

function sbomRule<Shown>(
  { required, exceptions, allowEmpty = true }: SbomRule,
  shown: (exception: TimedException) => Shown,
) {
  return { required, allow_empty: allowEmpty, exceptions: exceptions.map(shown) };
}

function componentsRule<Shown>({ deny, exceptions }: ComponentsRule, shown: (exception: TimedException) => Shown) {
  return { deny, exceptions: exceptions.map((one) => ({ ...shown(one), component: one.component })) };
}

function vulnerabilitiesRule<Shown>(
  { maxSeverity, graceDays, exceptions, allowUnmatched = true }: VulnerabilitiesRule,
  shown: (exception: TimedException) => Shown,
) {
  return {
    max_severity: maxSeverity ?? ('none' as const),
    grace_days: graceDays,
    allow_unmatched: allowUnmatched,
    exceptions: exceptions.map((one) => ({ ...shown(one), vulnerability: one.vulnerability })),
  };
}

/** Applied policies show conditions under another field name. */
function dumpedException(exception: TimedException) {
  const { if: condition, until } = timedException(exception);
  return { if_condition: condition, until };
}

function timedException({ if: condition, until }: TimedException) {
  return { if: text(condition), until: until === null ? null : until / 1000 };
}

function attestationRule({ name, type, mustBeCompliant, forControl }: Version['rules']['attestations'][number]) {
  return {
    name,
    type,
    must_be_compliant: mustBeCompliant,
    ...(forControl === null ? {} : { for_control: forControl }),
  };
}

function text(condition: string | null): { readonly text: string } | null {
  return condition === null ? null : { text: condition };
}
