import type { DomainEvent } from '../events/event';
import type { TagChange } from '../events/naming';
import type { Severity } from '../vulnerabilities/events';

/** Settings of a control; each change creates a new version. */
export interface ControlSettings {
  readonly name: string;
  readonly description: string;
  /** URLs by label. */
  readonly links: Readonly<Record<string, string>>;
}

/** A control was created, with version 1. Its identifier never changes. */
export interface ControlCreated extends DomainEvent<'ControlCreated', 1> {
  readonly data: { readonly id: string; readonly identifier: string } & ControlSettings;
}
/** The next version. It contains only the changed fields. */
export type ControlUpdated = DomainEvent<'ControlUpdated', 1, Partial<ControlSettings>>;
export type ControlArchived = DomainEvent<'ControlArchived', 1, Record<never, never>>;
export type ControlUnarchived = DomainEvent<'ControlUnarchived', 1, Record<never, never>>;
export type ControlEvent = ControlCreated | ControlUpdated | ControlArchived | ControlUnarchived | ControlTagged;

/** Requires something, unless one of the exceptions applies. */
export interface BooleanRule {
  readonly required: boolean;
  /** Expressions without their wrapper; null never applies. */
  readonly exceptions: readonly (string | null)[];
}

/** Requires an attestation. */
export interface AttestationRule {
  /** An expression without its wrapper that says where the rule applies; null: everywhere. */
  readonly if: string | null;
  /** `*`: any name. */
  readonly name: string;
  /** `*`: any type. */
  readonly type: string;
  readonly mustBeCompliant: boolean;
  /** The identifier of a control. Only rules about decisions have one. */
  readonly forControl: string | null;
}

/** Where a rule does not apply, and until when. */
export interface TimedException {
  /** An expression without its wrapper; null: everywhere. */
  readonly if: string | null;
  /** When the exception ends (integer milliseconds); null: it has no end. */
  readonly until: number | null;
}

/** Requires a bill of materials with all components recorded, unless one of the exceptions applies. */
export interface SbomRule {
  readonly required: boolean;
  readonly exceptions: readonly TimedException[];
  /** Whether a bill of materials without components counts. Missing in versions from before this field was there: it does. */
  readonly allowEmpty?: boolean;
}

/** A pattern for packages. */
export interface ComponentPattern {
  /** `pkg:type/namespace/name`, with a version if there is one. `*` matches any characters. */
  readonly purl: string;
  /** A range of versions such as `>=2,<2.17`; null: any version, or the version of the package URL. */
  readonly range: string | null;
}

/** Which components are not denied, where, and until when. */
export interface ComponentException extends TimedException {
  /** Null: all denied components. */
  readonly component: ComponentPattern | null;
}

/** Forbids components. */
export interface ComponentsRule {
  readonly deny: readonly ComponentPattern[];
  readonly exceptions: readonly ComponentException[];
}

/** Which vulnerabilities do not count, where, and until when. */
export interface VulnerabilityException extends TimedException {
  /** Any name of a vulnerability, in any letter case; null: all vulnerabilities. */
  readonly vulnerability: string | null;
}

/** Forbids vulnerabilities in components that are worse than a severity and older than the grace period. */
export interface VulnerabilitiesRule {
  /** The worst accepted severity; null: none is accepted. An unknown severity counts as critical. */
  readonly maxSeverity: Severity | null;
  /** For this number of days after its publication, a vulnerability is accepted whatever its severity. */
  readonly graceDays: number;
  readonly exceptions: readonly VulnerabilityException[];
  /** Whether components that no database can be compared with are accepted. Missing in versions from before this field was there: they are. */
  readonly allowUnmatched?: boolean;
}

/** The rules of a version of a policy. Answers number the rules in the order of these fields. A rule that is left out has no number. */
export interface PolicyRules {
  readonly provenance: BooleanRule;
  readonly trailCompliance: BooleanRule;
  readonly attestations: readonly AttestationRule[];
  readonly sbom?: SbomRule;
  readonly components?: ComponentsRule;
  readonly vulnerabilities?: VulnerabilitiesRule;
}

/** A version of a policy: the text as it was sent, and the rules that were read from it. */
export interface PolicyText {
  readonly comment: string;
  readonly yaml: string;
  readonly rules: PolicyRules;
}

/** A policy was created, with version 1. */
export interface PolicyCreated extends DomainEvent<'PolicyCreated', 1> {
  readonly data: { readonly id: string; readonly name: string; readonly description: string } & PolicyText;
}
/** The description changed. */
export type PolicyDescribed = DomainEvent<'PolicyDescribed', 1, { readonly description: string }>;
/** The next version of a policy. */
export type PolicyRevised = DomainEvent<'PolicyRevised', 1, { readonly version: number } & PolicyText>;
/** Some exceptions of the newest version have ended. Artifacts that were judged by them are judged again. */
export type PolicyExceptionsEnded = DomainEvent<
  'PolicyExceptionsEnded',
  1,
  {
    readonly version: number;
    /** The last end that has passed (integer milliseconds). */
    readonly until: number;
    /** The next end in the future (integer milliseconds); null: none. */
    readonly next: number | null;
  }
>;
export type PolicyEvent = PolicyCreated | PolicyDescribed | PolicyRevised | PolicyExceptionsEnded;

/** A policy in an event of an environment: its id, and its name at that time. */
export interface PolicyRef {
  readonly id: string;
  readonly name: string;
}
export interface PolicyAttached extends DomainEvent<'PolicyAttached', 1> {
  readonly data: { readonly policy: PolicyRef; readonly environment: string };
}
export interface PolicyDetached extends DomainEvent<'PolicyDetached', 1> {
  readonly data: { readonly policy: PolicyRef; readonly environment: string };
}
/** A fingerprint is accepted in the environment even if a policy does not accept it. */
export interface ArtifactAllowed extends DomainEvent<'ArtifactAllowed', 1> {
  readonly data: {
    readonly fingerprint: string;
    readonly name: string;
    readonly description: string;
    /** When the acceptance ends (integer milliseconds). Left out if it has no end. */
    readonly expiresAt?: number;
  };
}
/** An entry of the allow-list got another name, reason or end. The fingerprint was accepted before and is still accepted. */
export interface AllowanceRevised extends DomainEvent<'AllowanceRevised', 1> {
  readonly data: ArtifactAllowed['data'];
}
/** An entry of the allow-list with an end, as it was when the end came near or came. */
export interface EndingAllowance {
  readonly fingerprint: string;
  readonly name: string;
  readonly description: string;
  /** Integer milliseconds. */
  readonly expiresAt: number;
  /** When it was allowed (integer milliseconds), and who allowed it (the id of a user or service account). */
  readonly allowedAt: number;
  readonly allowedBy: string;
}
/** The end of an entry of the allow-list is near. */
export interface AllowanceEnding extends DomainEvent<'AllowanceEnding', 1> {
  readonly data: EndingAllowance & {
    /** The environment was archived, so no message is sent. Otherwise left out. */
    readonly untold?: true;
  };
}
/** An entry of the allow-list has ended. Policies judge the fingerprint again. */
export type AllowanceEnded = DomainEvent<'AllowanceEnded', 1, EndingAllowance>;
/** The events of an environment that change how it is judged. */
export type JudgingEvent =
  PolicyAttached | PolicyDetached | ArtifactAllowed | AllowanceRevised | AllowanceEnding | AllowanceEnded;

/** The results of a rule that clients of this API know, with their names in answers. */
export const PUBLISHED_RESOLUTIONS = [
  'rule_satisfied',
  'rule_not_applicable',
  'missing_attestation',
  'non_compliant_attestation',
  'non_compliant_in_trail',
  'legacy_flow',
] as const;
export type PublishedResolution = (typeof PUBLISHED_RESOLUTIONS)[number];

/** The results of a rule in one flow and trail of an artifact. */
export const RESOLUTIONS = [
  ...PUBLISHED_RESOLUTIONS,
  'missing_sbom',
  'incomplete_sbom',
  'denied_component',
  'vulnerable_component',
  'missing_vulnerabilities',
  'unmatched_components',
  'incomparable_components',
  'empty_sbom',
] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** The result of one rule. */
export interface RuleVerdict {
  /** Null: the rule applies nowhere and is ignored. */
  readonly satisfied: boolean | null;
  /** One resolution for each context of the verdict, in the order of the contexts. */
  readonly resolutions: readonly Resolution[];
}

/** The result of one policy. */
export interface PolicyVerdict {
  readonly policy: string;
  readonly version: number;
  readonly compliant: boolean;
  /** The verdicts in the order of the policy's rules. */
  readonly rules: readonly RuleVerdict[];
}

/** One flow and trail in which an artifact was known when it was judged. */
export interface JudgedTrail {
  readonly flow: string;
  /** Null for the legacy form, which has no trail. */
  readonly trail: string | null;
  /** The compliance status of the artifact in that trail. */
  readonly status: 'COMPLIANT' | 'NON-COMPLIANT' | 'INCOMPLETE';
}

/** Who allowed an artifact, why, and until when. */
export interface Allowance {
  /** The environment that has the entry on its list. For a logical environment, it is a member. */
  readonly environment: string;
  /** Id of the user or service account. */
  readonly by: string;
  /** Integer milliseconds. */
  readonly at: number;
  readonly description: string;
  /** Integer milliseconds; left out if it has no end. */
  readonly expiresAt?: number;
}

/** The verdict on one artifact in one environment. */
export interface Verdict {
  readonly compliant: boolean;
  /** Whether it is on the allow-list, which takes precedence over policies. */
  readonly allowed: boolean;
  /** The allow-list entry that was used. Left out if the artifact is not allowed, and absent in commits of earlier versions. */
  readonly allowance?: Allowance;
  /** The reasons in words why it is not compliant; empty if it is compliant. */
  readonly reasons: readonly string[];
  /** In the order of their first reports. */
  readonly contexts: readonly JudgedTrail[];
  readonly policies: readonly PolicyVerdict[];
}

/** A verdict as an event stores it. */
export interface EncodedVerdict extends Omit<Verdict, 'policies'> {
  /** The index of the result in the list that the event stores once. In version 1 it is the result itself. */
  readonly policies: number | readonly PolicyVerdict[];
}

export type ControlTagged = DomainEvent<'ControlTagged', 1, TagChange>;
