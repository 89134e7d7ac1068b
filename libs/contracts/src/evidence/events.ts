import type { DomainEvent } from '../events/event';
import type { CommitInfo, RepoRef } from '../flows/events';
import type { Severity } from '../vulnerabilities/events';

/** A jq program whose value is shown under a name. */
export interface SummaryLine {
  readonly name: string;
  readonly expression: string;
}

/** The rules that a version of a custom attestation type applies to data. */
export interface AttestationTypeDemands {
  /** A JSON schema; null: any data will do. */
  readonly schema: Readonly<Record<string, unknown>> | null;
  /** jq programs, each of which must yield true. */
  readonly rules: readonly string[];
  /** As it was sent; null where nothing was. */
  readonly summary: readonly SummaryLine[] | null;
}

/** Version 1. */
export interface AttestationTypeCreated extends DomainEvent<'AttestationTypeCreated', 1> {
  readonly data: {
    readonly id: string;
    readonly name: string;
    /** Null where there is none. */
    readonly description: string | null;
  } & AttestationTypeDemands;
}
/** The next version; holds a description where that changed. */
export interface AttestationTypeRevised extends DomainEvent<'AttestationTypeRevised', 1> {
  readonly data: { readonly version: number; readonly description?: string } & AttestationTypeDemands;
}
export type AttestationTypeArchived = DomainEvent<'AttestationTypeArchived', 1, Record<never, never>>;
export type AttestationTypeRevived = DomainEvent<'AttestationTypeRevived', 1, Record<never, never>>;
export type AttestationTypeEvent =
  AttestationTypeCreated | AttestationTypeRevised | AttestationTypeArchived | AttestationTypeRevived;

/** The subject of an attestation. */
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
  /** The version of the control when the decision was recorded; null if the control did not exist. */
  readonly version: number | null;
}

/** A component that a bill of materials lists. */
export interface ListedComponent {
  /** Canonical package URL; null if the document has none that is valid. */
  readonly purl: string | null;
  readonly name: string;
  readonly version: string | null;
  /** Identifiers, names or expressions, as the document has them. */
  readonly licences: readonly string[];
  /** 64 hexadecimal characters. */
  readonly sha256: string | null;
}

/** How many components of a bill of materials are recorded, and how many are left out beyond the limit. */
export interface ComponentCounts {
  readonly listed: number;
  readonly left: number;
}

/** A vulnerability that a scanner found in an artifact. */
export interface ListedFinding {
  /** The name of the vulnerability, as CVE and GHSA write theirs. */
  readonly id: string;
  readonly aliases: readonly string[];
  readonly severity: Severity | null;
  /** Empty where the report has none. */
  readonly title: string;
  /** Milliseconds since 1970; null where the report does not tell. */
  readonly published: number | null;
  /** Null where it is about no package. The package URL is canonical; null where the report has none that is valid. */
  readonly package: { readonly name: string; readonly version: string | null; readonly purl: string | null } | null;
  /** Versions without the vulnerability, as the scanner writes them. */
  readonly fixedIn: readonly string[];
}

/** What is recorded of the report of a scanner. */
export interface ScanCounts {
  /** The name of the scanner; empty where the report does not tell. */
  readonly tool: string;
  readonly listed: number;
  /** How many findings are left out: beyond the limit, and those that cannot be read. */
  readonly left: number;
}

/** An attestation with the fields that judgement reads. Its unbounded payload is `AttestationPayloadKept` of the same commit. */
export interface AttestationReported extends DomainEvent<'AttestationReported', 1> {
  readonly data: {
    /** UUIDv7. */
    readonly id: string;
    readonly name: string;
    /** `generic`, `junit`, `jira`, `snyk`, `sonar`, `pull_request`, `custom:<type>`, `decision`, `sbom` or `override`. */
    readonly type: string;
    /** The type that requirements compare with. For an override, it is the type of the overridden attestation; otherwise it equals `type`. */
    readonly countsAs: string;
    readonly target: AttestationTarget;
    /** The result of the rule that its type had when it was recorded. It is never computed again. */
    readonly compliant: boolean;
    /** The one of the same target and name that was the newest before it. */
    readonly previous: string | null;
    /** The id of the overridden attestation. Null if nothing had been attested before, and for all other types. */
    readonly overriddenId: string | null;
    /** Of the custom type that it was held to, null for other types. */
    readonly typeVersion: number | null;
    /** Only decisions have it. */
    readonly control: DecidedControl | null;
    readonly commit: CommitInfo | null;
    readonly repo: RepoRef | null;
    readonly originUrl: string | null;
    readonly attachments: readonly Attachment[];
    /** The template that the trail is held to from here on, where it is another than before. */
    readonly templateId?: string;
    /** Of a bill of materials: the following `ComponentsListed` of the commit hold them. Left out by other types, and by those recorded before they were kept. */
    readonly components?: ComponentCounts;
    /** Of the report of a scanner on an artifact: the following `FindingsListed` of the commit hold the findings. */
    readonly findings?: ScanCounts;
  };
}

/**
 * Some components of the bill of materials that precedes this event in the commit: a part of the sorted list. Equal parts are equal data, which an
 * organization stores once.
 */
export interface ComponentsListed extends DomainEvent<'ComponentsListed', 1> {
  readonly data: { readonly components: readonly ListedComponent[] };
}

/** Some findings of the report that precedes this event in the commit: a part of the sorted list, which an organization stores once. */
export interface FindingsListed extends DomainEvent<'FindingsListed', 1> {
  readonly data: { readonly findings: readonly ListedFinding[] };
}

/** The payload of the attestation that precedes this event in the commit. */
export interface AttestationPayloadKept extends DomainEvent<'AttestationPayloadKept', 1> {
  readonly data: {
    readonly id: string;
    /** The fields of its type under their names on the wire, such as `junit_results`. */
    readonly payload: Readonly<Record<string, unknown>>;
    /** Any JSON. */
    readonly userData: unknown;
    readonly description: string | null;
    readonly externalUrls: Readonly<Record<string, { readonly href: string; readonly fingerprint?: string }>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
}

export type AttestationEvent = AttestationReported | AttestationPayloadKept | ComponentsListed | FindingsListed;
