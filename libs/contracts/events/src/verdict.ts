/** The result of a rule in one flow and trail of an artifact, as answers name it. */
export const RESOLUTIONS = [
  'rule_satisfied',
  'rule_not_applicable',
  'missing_attestation',
  'non_compliant_attestation',
  'non_compliant_in_trail',
  'legacy_flow',
] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** The result of one rule. */
export interface RuleVerdict {
  /** Null: it applies nowhere, and is ignored. */
  readonly satisfied: boolean | null;
  /** One a context of the verdict, in its order. */
  readonly resolutions: readonly Resolution[];
}

/** The result of one policy. */
export interface PolicyVerdict {
  readonly policy: string;
  readonly version: number;
  readonly compliant: boolean;
  /** In the order of its rules. */
  readonly rules: readonly RuleVerdict[];
}

/** One flow and trail in which an artifact was known when it was judged. */
export interface JudgedIn {
  readonly flow: string;
  /** Null for the legacy form. */
  readonly trail: string | null;
  /** The compliance status of the artifact in that trail. */
  readonly status: 'COMPLIANT' | 'NON-COMPLIANT' | 'INCOMPLETE';
}

/** The result of judging one artifact in one environment. */
export interface Verdict {
  readonly compliant: boolean;
  /** It is on the allow-list, which counts more than policies. */
  readonly allowed: boolean;
  /** In words, why it is not compliant; empty where it is. */
  readonly reasons: readonly string[];
  /** First report first. */
  readonly contexts: readonly JudgedIn[];
  readonly policies: readonly PolicyVerdict[];
}

/** A verdict as an event keeps it. */
export interface PackedVerdict extends Omit<Verdict, 'policies'> {
  /** The index of the result in the list that the event stores once. In version 1, the result itself. */
  readonly policies: number | readonly PolicyVerdict[];
}
