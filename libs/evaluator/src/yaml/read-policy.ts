import type {
  AttestationRule,
  BooleanRule,
  ComponentPattern,
  PolicyRules,
  TimedException,
} from '@assurance/contracts/policies/events';
import type { PolicyExpression, PolicyYaml } from '@assurance/contracts/policies/policy-schema';
import { err, ok, type Result } from '@assurance/kernel';
import { costOf, costProblem } from '@assurance/policies/domain/cost';
import { unwrapExpression } from '@assurance/policies/domain/expression/parse';
import { readRules } from '@assurance/policies/domain/rules';
import type { PolicyFile } from '../messages';
import { checkPolicy } from './check-policy';
import { readYaml, type YamlErrors } from './read-yaml';
import { timeOf } from './time';

/** How many characters all expressions of a policy may have together. Aliases in YAML can repeat them. */
const EXPRESSIONS_MAX = 64 * 1024;
const TOO_LONG = `The expressions of all rules are longer than ${EXPRESSIONS_MAX} characters together`;

/**
 * Reads an environment policy of version 1. It keeps the YAML byte for byte, and adds the parsed rules. Errors name line and column.
 *
 * @param bytes UTF-8
 */
export function readPolicy(bytes: Uint8Array): Result<PolicyFile, YamlErrors> {
  const read = readYaml(bytes, 'policy', checkPolicy);
  if (!read.ok) return read;
  const rules = rulesOf(read.value.value as PolicyYaml);
  const problem = expressionsLength(rules) > EXPRESSIONS_MAX ? TOO_LONG : costProblem(costOf(readRules(rules)));
  return problem === null ? ok({ yaml: read.value.text, rules }) : err({ artifacts: problem });
}

type Artifacts = NonNullable<PolicyYaml['artifacts']>;
type CheckedException = NonNullable<NonNullable<Artifacts['sbom']>['exceptions']>[number];

function rulesOf({ artifacts }: PolicyYaml): PolicyRules {
  const { sbom, components, vulnerabilities } = artifacts ?? {};
  return {
    provenance: booleanRule(artifacts?.provenance),
    trailCompliance: booleanRule(artifacts?.['trail-compliance']),
    attestations: (artifacts?.attestations ?? []).map((rule): AttestationRule => ({
      if: textOf(rule.if),
      name: rule.name ?? '*',
      type: rule.type,
      mustBeCompliant: rule.must_be_compliant ?? true,
      forControl: rule.for_control ?? null,
    })),
    ...(sbom == null
      ? {}
      : {
          sbom: {
            required: sbom.required ?? false,
            exceptions: (sbom.exceptions ?? []).map(timedException),
            allowEmpty: sbom.allow_empty ?? false,
          },
        }),
    ...(components == null
      ? {}
      : {
          components: {
            deny: (components.deny ?? []).map((pattern) =>
              patternOf(typeof pattern === 'string' ? { purl: pattern } : pattern),
            ),
            exceptions: (components.exceptions ?? []).map((exception) => ({
              ...timedException(exception),
              component:
                exception.purl === undefined ? null : patternOf({ purl: exception.purl, range: exception.range }),
            })),
          },
        }),
    ...(vulnerabilities == null
      ? {}
      : {
          vulnerabilities: {
            maxSeverity: vulnerabilities.max_severity === 'none' ? null : vulnerabilities.max_severity,
            graceDays: vulnerabilities.grace_days ?? 0,
            allowUnmatched: vulnerabilities.allow_unmatched ?? false,
            exceptions: (vulnerabilities.exceptions ?? []).map((exception) => ({
              ...timedException(exception),
              vulnerability: exception.vulnerability ?? null,
            })),
          },
        }),
  };
}

function patternOf({ purl, range }: { readonly purl: string; readonly range?: string | undefined }): ComponentPattern {
  return { purl, range: range ?? null };
}

function timedException({ if: condition, until }: CheckedException): TimedException {
  return { if: textOf(condition), until: timeOf(until) };
}

function expressionsLength(rules: PolicyRules): number {
  const { provenance, trailCompliance, attestations, sbom, components, vulnerabilities } = rules;
  const timedExceptions = [sbom, components, vulnerabilities].flatMap(
    (rule): readonly TimedException[] => rule?.exceptions ?? [],
  );
  const texts = [
    ...provenance.exceptions,
    ...trailCompliance.exceptions,
    ...attestations.map((rule) => rule.if),
    ...timedExceptions.map((exception) => exception.if),
  ];
  return texts.reduce((length, text) => length + (text?.length ?? 0), 0);
}

function booleanRule(rule: Artifacts['provenance']): BooleanRule {
  return {
    required: rule?.required ?? false,
    exceptions: (rule?.exceptions ?? []).map((exception) => textOf(exception.if)),
  };
}

function textOf(expression: PolicyExpression | undefined): string | null {
  if (expression === null || expression === undefined) return null;
  return unwrapExpression(typeof expression === 'string' ? expression : expression.text);
}
