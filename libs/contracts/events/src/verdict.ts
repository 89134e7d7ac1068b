/** What a rule came to in one flow and trail in which an artifact is known, as the wire names it. */
export const RESOLUTIONS = [
  'rule_satisfied',
  'rule_not_applicable',
  'missing_attestation',
  'non_compliant_attestation',
  'non_compliant_in_trail',
  'legacy_flow',
] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** What one rule came to. */
export interface RuleVerdict {
  /** Null: it applies nowhere, and is ignored. */
  readonly satisfied: boolean | null;
  /** One a context of the verdict, in its order. */
  readonly resolutions: readonly Resolution[];
}

/** What one policy came to. */
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
  /** What the artifact came to there. */
  readonly status: 'COMPLIANT' | 'NON-COMPLIANT' | 'INCOMPLETE';
}

/** The judgement of one artifact in one environment, as it was made. */
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
  /** Its place among what policies came to, which the event keeps once; in version 1 the thing itself. */
  readonly policies: number | readonly PolicyVerdict[];
}
