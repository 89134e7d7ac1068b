import type { AttestationRule, BooleanRule, PolicyRules } from '@assurance/contracts/policies/events';
import type { Condition } from './expression/ast';
import { parseExpression } from './expression/parse';

/** A rule with its conditions read. */
export interface ReadBooleanRule {
  readonly required: boolean;
  readonly exceptions: readonly Condition[];
}
export interface ReadAttestationRule extends Omit<AttestationRule, 'if'> {
  readonly condition: Condition | null;
}

/** A policy's rules, ready to judge by. */
export interface ReadRules {
  readonly provenance: ReadBooleanRule;
  readonly trailCompliance: ReadBooleanRule;
  readonly attestations: readonly ReadAttestationRule[];
}

/** Parses the conditions of stored rules. They were valid when they were stored. */
export function readRules({ provenance, trailCompliance, attestations }: PolicyRules): ReadRules {
  return {
    provenance: readBooleanRule(provenance),
    trailCompliance: readBooleanRule(trailCompliance),
    attestations: attestations.map(({ if: text, ...rule }) => ({
      ...rule,
      condition: text === null ? null : conditionOf(text),
    })),
  };
}

function readBooleanRule({ required, exceptions }: BooleanRule): ReadBooleanRule {
  return { required, exceptions: exceptions.flatMap((text) => (text === null ? [] : conditionOf(text))) };
}

function conditionOf(text: string): Condition {
  const read = parseExpression(text);
  if (!read.ok) throw new Error(`the stored expression ${text} cannot be read: ${read.refusal.text}`);
  return read.value;
}
