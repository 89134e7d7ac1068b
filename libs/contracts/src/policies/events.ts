import type { DomainEvent } from '../events/event';
import type { ControlTagged } from '../events/naming';
import type { Severity } from '../vulnerabilities/events';

/** Settings of a control; each change creates a new version. */
export interface ControlSettings {
  readonly name: string;
  readonly description: string;
  /** URLs by their labels. */
  readonly links: Readonly<Record<string, string>>;
}

/** A control was created, with version 1. Its identifier never changes. */
export interface ControlCreated extends DomainEvent<'ControlCreated', 1> {
  readonly data: { readonly id: string; readonly identifier: string } & ControlSettings;
}
/** The next version: holds what changed, and nothing else. */
export type ControlUpdated = DomainEvent<'ControlUpdated', 1, Partial<ControlSettings>>;
export type ControlArchived = DomainEvent<'ControlArchived', 1, Record<never, never>>;
export type ControlUnarchived = DomainEvent<'ControlUnarchived', 1, Record<never, never>>;
export type ControlEvent = ControlCreated | ControlUpdated | ControlArchived | ControlUnarchived | ControlTagged;

/** Requires something, but where one of the exceptions holds. */
export interface BooleanRule {
  readonly required: boolean;
  /** Expressions without their wrapper; null never holds. */
  readonly exceptions: readonly (string | null)[];
}

/** Requires an attestation. */
export interface AttestationRule {
  /** An expression without its wrapper: where the rule applies; null: everywhere. */
  readonly if: string | null;
  /** `*`: any name. */
  readonly name: string;
  /** `*`: any type. */
  readonly type: string;
  readonly mustBeCompliant: boolean;
  /** The identifier of a control. Only rules about decisions have it. */
  readonly forControl: string | null;
}

/** Where a rule does not count, and until when. */
export interface TimedException {
  /** An expression without its wrapper; null: everywhere. */
  readonly if: string | null;
  /** From this moment on it is no exception any more (integer milliseconds); null: it has no end. */
  readonly until: number | null;
}

/** Requires a bill of materials of which every component is recorded, but where one of the exceptions holds. */
export interface SbomRule {
  readonly required: boolean;
  readonly exceptions: readonly TimedException[];
}

/** Names packages. */
export interface ComponentPattern {
  /** `pkg:type/namespace/name`, where `*` stands for any characters, and a version if there is one. */
  readonly purl: string;
  /** Bounds of versions such as `>=2,<2.17`; null: any version, or the one of the package URL. */
  readonly range: string | null;
}

/** What is not denied, and until when. */
export interface ComponentException extends TimedException {
  /** Null: all that is denied. */
  readonly component: ComponentPattern | null;
}

/** Denies components. */
export interface ComponentsRule {
  readonly deny: readonly ComponentPattern[];
  readonly exceptions: readonly ComponentException[];
}

/** Which vulnerabilities do not count, where, and until when. */
export interface VulnerabilityException extends TimedException {
  /** Any name of a vulnerability, in any letter case; null: all of them. */
  readonly vulnerability: string | null;
}

/** Demands that components have no vulnerability that is worse than a severity and older than its grace period. */
export interface VulnerabilitiesRule {
  /** The worst severity that is accepted; null: none. A severity that nobody states counts as critical. */
  readonly maxSeverity: Severity | null;
  /** Days after a vulnerability was published in which it is accepted whatever its severity. */
  readonly graceDays: number;
  readonly exceptions: readonly VulnerabilityException[];
}

/** The rules of a version of a policy. Answers number rules in the order of these fields; those that are left out have no number. */
export interface PolicyRules {
  readonly provenance: BooleanRule;
  readonly trailCompliance: BooleanRule;
  readonly attestations: readonly AttestationRule[];
  readonly sbom?: SbomRule;
  readonly components?: ComponentsRule;
  readonly vulnerabilities?: VulnerabilitiesRule;
}

/** A version of a policy: the text as it came, and what was read from it. */
export interface PolicyText {
  readonly comment: string;
  readonly yaml: string;
  readonly rules: PolicyRules;
}

/** Version 1. */
export interface PolicyCreated extends DomainEvent<'PolicyCreated', 1> {
  readonly data: { readonly id: string; readonly name: string; readonly description: string } & PolicyText;
}
/** Another description. */
export type PolicyDescribed = DomainEvent<'PolicyDescribed', 1, { readonly description: string }>;
/** The next version. */
export type PolicyRevised = DomainEvent<'PolicyRevised', 1, { readonly version: number } & PolicyText>;
/** The end of some exceptions of the newest version has come: what it judged by them is judged again. */
export type PolicyExceptionsEnded = DomainEvent<
  'PolicyExceptionsEnded',
  1,
  {
    readonly version: number;
    /** The last end that has come (integer milliseconds). */
    readonly until: number;
    /** The next end that will come (integer milliseconds); null: none. */
    readonly next: number | null;
  }
>;
export type PolicyEvent = PolicyCreated | PolicyDescribed | PolicyRevised | PolicyExceptionsEnded;

/** A policy as an environment's event names it: its id, and its name then. */
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
    /** From this moment on it is accepted no longer (integer milliseconds). Left out where the acceptance has no end. */
    readonly expiresAt?: number;
  };
}
/** An entry of the allow-list got another name, reason or end. It was accepted before and is accepted still. */
export interface AllowanceRevised extends DomainEvent<'AllowanceRevised', 1> {
  readonly data: ArtifactAllowed['data'];
}
/** An entry of the allow-list that has an end, as it was when that end came near or came. */
export interface EndingAllowance {
  readonly fingerprint: string;
  readonly name: string;
  readonly description: string;
  /** Integer milliseconds. */
  readonly expiresAt: number;
  /** When it was allowed (integer milliseconds), and by whom (the id of a user or service account). */
  readonly allowedAt: number;
  readonly allowedBy: string;
}
/** The end of an entry of the allow-list is near. */
export interface AllowanceEnding extends DomainEvent<'AllowanceEnding', 1> {
  readonly data: EndingAllowance & {
    /** The environment was archived: nobody gets a message. Else left out. */
    readonly untold?: true;
  };
}
/** The end of an entry of the allow-list has come: the fingerprint is judged by policies again. */
export type AllowanceEnded = DomainEvent<'AllowanceEnded', 1, EndingAllowance>;
/** The events of an environment that change how it is judged. */
export type JudgingEvent =
  PolicyAttached | PolicyDetached | ArtifactAllowed | AllowanceRevised | AllowanceEnding | AllowanceEnded;

/** The result of a rule in one flow and trail of an artifact, as answers name it. */
export const RESOLUTIONS = [
  'rule_satisfied',
  'rule_not_applicable',
  'missing_attestation',
  'non_compliant_attestation',
  'non_compliant_in_trail',
  'legacy_flow',
  'missing_sbom',
  'incomplete_sbom',
  'denied_component',
  'vulnerable_component',
  'missing_vulnerabilities',
  'unmatched_components',
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
export interface JudgedTrail {
  readonly flow: string;
  /** Null for the legacy form. */
  readonly trail: string | null;
  /** The compliance status of the artifact in that trail. */
  readonly status: 'COMPLIANT' | 'NON-COMPLIANT' | 'INCOMPLETE';
}

/** By whom, why and until when an artifact was allowed. */
export interface Allowance {
  /** The environment on whose list it is: for a logical environment, that of a member. */
  readonly environment: string;
  /** Id of the user or service account. */
  readonly by: string;
  /** Integer milliseconds. */
  readonly at: number;
  readonly description: string;
  /** Integer milliseconds; left out where it has no end. */
  readonly expiresAt?: number;
}

/** The result of judging one artifact in one environment. */
export interface Verdict {
  readonly compliant: boolean;
  /** It is on the allow-list, which counts more than policies. */
  readonly allowed: boolean;
  /** The entry of the allow-list by which it was judged. Left out where it is not allowed, and absent in commits of earlier versions. */
  readonly allowance?: Allowance;
  /** In words, why it is not compliant; empty where it is. */
  readonly reasons: readonly string[];
  /** First report first. */
  readonly contexts: readonly JudgedTrail[];
  readonly policies: readonly PolicyVerdict[];
}

/** A verdict as an event stores it. */
export interface EncodedVerdict extends Omit<Verdict, 'policies'> {
  /** The index of the result in the list that the event stores once. In version 1, the result itself. */
  readonly policies: number | readonly PolicyVerdict[];
}
