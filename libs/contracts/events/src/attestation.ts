import type { DomainEvent } from './event';
import type { CommitInfo, RepoRef } from './provenance';

/** What an attestation is about. */
export type AttestationTarget =
  | { readonly kind: 'trail' }
  /** An artifact that the trail knows: what its report said of it. */
  | {
      readonly kind: 'artifact';
      readonly fingerprint: string;
      readonly artifactId: string;
      readonly filename: string;
      /** Its name in the template. */
      readonly template: string | null;
    }
  /** The artifact of this name in the template and of this git commit, be it reported before or after. */
  | { readonly kind: 'awaited'; readonly template: string; readonly commit: string };

/** A file that came with an attestation: its content is a blob of the organization. */
export interface Attachment {
  /** As the client called it. */
  readonly filename: string;
  /** 64 hexadecimal characters. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** The control that a decision decides on. */
export interface DecidedControl {
  readonly identifier: string;
  /** Its version when the decision was recorded; null where no such control was there. */
  readonly version: number | null;
}

/**
 * Something was attested. What counts is here; the payload, which has no bound, is the `AttestationPayloadKept` of the same commit.
 */
export type AttestationReported = DomainEvent<
  'AttestationReported',
  1,
  {
    /** UUIDv7. */
    readonly id: string;
    readonly name: string;
    /** `generic`, `junit`, `jira`, `snyk`, `sonar`, `pull_request`, `custom:<type>`, `decision` or `override`. */
    readonly type: string;
    /** The type that requirements compare with: that of what an override stands for, else `type`. */
    readonly countsAs: string;
    readonly target: AttestationTarget;
    /** By the rule of its type, as it was then: never computed again. */
    readonly compliant: boolean;
    /** The one of the same target and name that was the newest before it. */
    readonly previous: string | null;
    /** What an override overrides; null where nothing had been attested, and for all other types. */
    readonly overriddenId: string | null;
    /** Of the custom type that it was held to, null for other types. */
    readonly typeVersion: number | null;
    /** Decisions alone. */
    readonly control: DecidedControl | null;
    readonly commit: CommitInfo | null;
    readonly repo: RepoRef | null;
    readonly originUrl: string | null;
    readonly attachments: readonly Attachment[];
    /** The template that the trail is held to from here on, where it is another than before. */
    readonly templateId?: string;
  }
>;

/** What came with the attestation before it in the commit. */
export type AttestationPayloadKept = DomainEvent<
  'AttestationPayloadKept',
  1,
  {
    readonly id: string;
    /** The fields of its type under their names on the wire, such as `junit_results`. */
    readonly payload: Readonly<Record<string, unknown>>;
    /** Any JSON. */
    readonly userData: unknown;
    readonly description: string | null;
    readonly externalUrls: Readonly<Record<string, { readonly href: string; readonly fingerprint?: string }>>;
    readonly annotations: Readonly<Record<string, string>>;
  }
>;

export type AttestationEvent = AttestationReported | AttestationPayloadKept;
