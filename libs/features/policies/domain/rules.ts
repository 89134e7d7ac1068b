import type {
  AttestationRule,
  BooleanRule,
  ComponentPattern,
  ComponentsRule,
  PolicyRules,
  SbomRule,
  VulnerabilitiesRule,
} from '@assurance/contracts/policies/events';
import type { Condition } from './expression/ast';
import { parseExpression } from './expression/parse';

/** A rule with parsed conditions. */
export interface ReadBooleanRule {
  readonly required: boolean;
  readonly exceptions: readonly Condition[];
}
export interface ReadAttestationRule extends Omit<AttestationRule, 'if'> {
  readonly condition: Condition | null;
}
export interface ReadSbomRule {
  readonly required: boolean;
  /** Null holds everywhere. */
  readonly exceptions: readonly (Condition | null)[];
  readonly allowEmpty?: boolean;
}
export interface ReadComponentsRule {
  readonly deny: readonly ComponentPattern[];
  readonly exceptions: readonly {
    /** Null holds everywhere. */
    readonly condition: Condition | null;
    /** Null: all that is denied. */
    readonly component: ComponentPattern | null;
  }[];
}

export interface ReadVulnerabilitiesRule extends Pick<
  VulnerabilitiesRule,
  'maxSeverity' | 'graceDays' | 'allowUnmatched'
> {
  readonly exceptions: readonly {
    /** Null holds everywhere. */
    readonly condition: Condition | null;
    /** Null: all vulnerabilities. */
    readonly vulnerability: string | null;
  }[];
}

/** The parsed rules of a policy. */
export interface ReadRules {
  readonly provenance: ReadBooleanRule;
  readonly trailCompliance: ReadBooleanRule;
  readonly attestations: readonly ReadAttestationRule[];
  readonly sbom: ReadSbomRule | null;
  readonly components: ReadComponentsRule | null;
  readonly vulnerabilities: ReadVulnerabilitiesRule | null;
}

/** Whether rules are of a version from before `allowUnmatched` and `allowEmpty` were there: they accept what new ones refuse. */
export function acceptsUnmatched({ sbom, vulnerabilities }: PolicyRules): boolean {
  const isOlderSbom = sbom?.required === true && sbom.allowEmpty === undefined;
  return isOlderSbom || (vulnerabilities !== undefined && vulnerabilities.allowUnmatched === undefined);
}

/** Parses the conditions of stored rules. They were valid when they were stored. */
export function readRules(rules: PolicyRules): ReadRules {
  const { provenance, trailCompliance, attestations, sbom, components, vulnerabilities } = rules;
  return {
    provenance: readBooleanRule(provenance),
    trailCompliance: readBooleanRule(trailCompliance),
    attestations: attestations.map(({ if: text, ...rule }) => ({ ...rule, condition: conditionOrNull(text) })),
    sbom: sbom === undefined ? null : readSbomRule(sbom),
    components: components === undefined ? null : readComponentsRule(components),
    vulnerabilities: vulnerabilities === undefined ? null : readVulnerabilitiesRule(vulnerabilities),
  };
}

function readBooleanRule({ required, exceptions }: BooleanRule): ReadBooleanRule {
  return { required, exceptions: exceptions.flatMap((text) => (text === null ? [] : conditionOf(text))) };
}

function readSbomRule({ exceptions, ...rule }: SbomRule): ReadSbomRule {
  return { ...rule, exceptions: exceptions.map((one) => conditionOrNull(one.if)) };
}

function readComponentsRule({ deny, exceptions }: ComponentsRule): ReadComponentsRule {
  return {
    deny,
    exceptions: exceptions.map(({ if: text, component }) => ({ condition: conditionOrNull(text), component })),
  };
}

function readVulnerabilitiesRule({ exceptions, ...rule }: VulnerabilitiesRule): ReadVulnerabilitiesRule {
  const read = exceptions.map(({ if: text, vulnerability }) => ({ condition: conditionOrNull(text), vulnerability }));
  return { ...rule, exceptions: read };
}

function conditionOrNull(text: string | null): Condition | null {
  return text === null ? null : conditionOf(text);
}

function conditionOf(text: string): Condition {
  const read = parseExpression(text);
  if (!read.ok) throw new Error(`the stored expression ${text} cannot be read: ${read.refusal.text}`);
  return read.value;
}
