import type { DomainEvent } from './event';

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

/** The rules of a version of a policy. Answers number rules in this order: provenance, trail compliance, attestations. */
export interface PolicyRules {
  readonly provenance: BooleanRule;
  readonly trailCompliance: BooleanRule;
  readonly attestations: readonly AttestationRule[];
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
export type PolicyEvent = PolicyCreated | PolicyDescribed | PolicyRevised;

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
  readonly data: { readonly fingerprint: string; readonly name: string; readonly description: string };
}
/** The events of an environment that change how it is judged. */
export type JudgingEvent = PolicyAttached | PolicyDetached | ArtifactAllowed;
