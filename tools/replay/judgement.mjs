import { payloadOf } from './attestations.mjs';

const SCHEMA = 'https://assurance.example.com/schemas/policy/v1';
const TAG = /^flow\.tags\.([\w-]+) (==|!=) "([^"]*)"$/;
const ATTESTED = ['rule_satisfied', 'non_compliant_attestation'];

/**
 * Plans what must exist so that the artifacts of recorded snapshots of one environment get the recorded verdicts. A record has decisions but not
 * everything that they depend on. Tags of flows and attestations are derived from the decisions.
 *
 * @returns `policies` in recorded order, each with the texts of all its versions (only the last one is known); `tags` by flow;
 *   `attestations` as requests
 */
export function judgementOf(snapshots, trails) {
  const artifacts = snapshots.flatMap((snapshot) => snapshot.artifacts);
  const rules = artifacts.flatMap(({ policy_decisions: decisions }) =>
    (decisions ?? []).flatMap(({ rule_evaluations: evaluations }) => evaluations),
  );
  return { policies: policiesOf(snapshots), tags: tagsOf(rules, trails), attestations: attestationsOf(rules, trails) };
}

function policiesOf(snapshots) {
  const applied = snapshots.flatMap(({ applied_policies: policies }) => policies);
  return [...new Map(applied.map((policy) => [policy.name, policy])).values()].map(
    ({ name, version, policy_dump }) => ({
      name,
      versions: Array.from({ length: version }, (_, i) => textOf(policy_dump, i + 1 < version ? `# ${i + 1}\n` : '')),
    }),
  );
}

/** JSON is valid YAML. */
function textOf({ artifacts: { provenance, trail_compliance: trail, attestations } }, comment) {
  const condition = (given) => (given ? { if: given.text } : {});
  const boolean = ({ required, exceptions }) => ({
    required,
    exceptions: exceptions.map(({ if_condition: given }) => condition(given)),
  });
  const artifacts = {
    provenance: boolean(provenance),
    'trail-compliance': boolean(trail),
    attestations: attestations.map(({ if_condition: given, ...rule }) => ({ ...rule, ...condition(given) })),
  };
  return `${comment}${JSON.stringify({ _schema: SCHEMA, artifacts })}`;
}

/** Tags from trails, and tags that conditions must have found. */
function tagsOf(rules, trails) {
  const tags = new Map(trails.map(({ flow }) => [flow.name, { ...flow.tags }]));
  for (const { rule, resolutions } of rules) {
    for (const { type, context } of resolutions) {
      const asked = askedOf(rule, type !== 'rule_not_applicable');
      const [, key, sign, value] = TAG.exec(asked?.text ?? '') ?? [];
      if (key === undefined) continue;
      const known = tags.get(context.flow_name) ?? {};
      const is = (sign === '==') === asked.holds;
      tags.set(context.flow_name, { [key]: is ? value : `not-${value}`, ...known });
    }
  }
  return tags;
}

/** The condition that decided whether a rule applied, and whether the condition was true. */
function askedOf({ type, definition }, applied) {
  if (type === 'attestation') return definition.if && { text: definition.if.text, holds: applied };
  const { required, exceptions } = definition;
  return required && exceptions.length === 1 ? { text: exceptions[0].if?.text, holds: !applied } : null;
}

/** Attestations that rules found in trails without a recorded answer. */
function attestationsOf(rules, trails) {
  const found = new Map();
  for (const { rule, resolutions } of rules) {
    if (rule.type !== 'attestation') continue;
    for (const { type, context } of resolutions) {
      const { flow_name: flow, trail_name: trail } = context;
      if (!ATTESTED.includes(type) || trails.some((one) => one.flow.name === flow && one.name === trail)) continue;
      if (rule.definition.for_control) throw new Error('decisions for controls cannot be replayed');
      const name = rule.definition.name === '*' ? 'replayed' : rule.definition.name;
      const kind = rule.definition.type === '*' ? 'generic' : rule.definition.type;
      const body = { attestation_name: name, ...payloadOf(kind, type === 'rule_satisfied') };
      found.set(JSON.stringify([flow, trail, name, kind]), { flow, trail, path: kind, body });
    }
  }
  return [...found.values()];
}

const ARTIFACT = ['compliant', 'policy_decisions', 'reasons_for_incompliance'];
const FLOW = ['artifact_compliance_in_flow', 'flow_reasons_for_non_compliance'];
const POLICY = ['name', 'version', 'policy_dump'];

/** Compares the verdicts on the artifacts of a recorded snapshot and the policies that led to them, without ids. */
export function compareJudgement({ artifacts, applied_policies: policies }, seen, check) {
  const own = artifacts.filter(({ annotation }) => annotation.now > 0);
  for (const recorded of own) {
    const got = seen.artifacts.find(({ fingerprint }) => fingerprint === recorded.fingerprint);
    const at = (what) => `${recorded.fingerprint.slice(0, 12)}: ${what}`;
    for (const field of ARTIFACT) check(at(field), recorded[field], got?.[field]);
    for (const { flow_name: flow, trail_name: trail, ...said } of recorded.flows) {
      const found = got?.flows.find((one) => one.flow_name === flow && one.trail_name === trail);
      for (const field of FLOW) check(at(`flow ${flow}, ${field}`), said[field], found?.[field]);
    }
  }
  const fingerprints = own.map(({ fingerprint }) => fingerprint);
  const applied = (all) =>
    all.map((policy) => ({
      ...Object.fromEntries(POLICY.map((field) => [field, policy[field]])),
      failing_artifacts: policy.failing_artifacts.filter((one) => fingerprints.includes(one)),
    }));
  check('applied policies', applied(policies), applied(seen.applied_policies));
}
