import type { CommitInfo, RepoRef } from '../events/commit';
import type { DomainEvent } from '../events/event';
import type { Severity } from '../vulnerabilities/events';

/** A jq program; its value is shown under the name. */
export interface SummaryLine {
  readonly name: string;
  readonly expression: string;
}

/** The rules that a version of a custom attestation type applies to data. */
export interface AttestationTypeDemands {
  /** A JSON schema; null: any data is accepted. */
  readonly schema: Readonly<Record<string, unknown>> | null;
  /** jq programs, each of which must yield true. */
  readonly rules: readonly string[];
  /** The summary as it was sent; null if none was sent. */
  readonly summary: readonly SummaryLine[] | null;
}

/** A custom attestation type was created, with version 1. */
export interface AttestationTypeCreated extends DomainEvent<'AttestationTypeCreated', 1> {
  readonly data: {
    readonly id: string;
    readonly name: string;
    /** Null if there is no description. */
    readonly description: string | null;
  } & AttestationTypeDemands;
}
/** The next version. It has a description only if the description changed. */
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
  /** An artifact that the trail knows, with data from the artifact's report. */
  | {
      readonly kind: 'artifact';
      readonly fingerprint: string;
      readonly artifactId: string;
      readonly filename: string;
      /** Its name in the template. */
      readonly template: string | null;
    }
  /** The artifact with this name in the template and this git commit, whether it is reported before or after. */
  | { readonly kind: 'awaited'; readonly template: string; readonly commit: string };

/** A file that came with an attestation. A blob of the organization has its content. */
export interface Attachment {
  /** The name that the client sent. */
  readonly filename: string;
  /** 64 hexadecimal characters. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** The control that a decision is about. */
export interface DecidedControl {
  readonly identifier: string;
  /** The version of the control when the decision was recorded; null if the control did not exist. */
  readonly version: number | null;
}

/** A component that a bill of materials lists. */
export interface ListedComponent {
  /** Canonical package URL; null if the document has no valid one. */
  readonly purl: string | null;
  readonly name: string;
  readonly version: string | null;
  /** Identifiers, names or expressions, as the document writes them. */
  readonly licences: readonly string[];
  /** 64 hexadecimal characters. */
  readonly sha256: string | null;
}

/** How many components of a bill of materials are recorded, and how many are left out beyond the limit. */
export interface ComponentCounts {
  readonly listed: number;
  readonly left: number;
  /** How many listed components cannot be compared with databases of vulnerabilities. Missing if there are none, and where they were not counted. */
  readonly unmatched?: number;
  /** Names by which VEX statements know the product: the canonical package URL of what it describes, and `urn:cdx:` with its serial number. Missing without any. */
  readonly roots?: readonly string[];
}

/** A vulnerability that a scanner found in an artifact. */
export interface ListedFinding {
  /** The name of the vulnerability, in the spelling that CVE and GHSA use for their names. */
  readonly id: string;
  readonly aliases: readonly string[];
  /** Advisories that mention the vulnerability: they find it, and are no other names of it. Missing if there are none. */
  readonly related?: readonly string[];
  readonly severity: Severity | null;
  /** Empty if the report has none. */
  readonly title: string;
  /** Milliseconds since 1970; null if the report does not state it. */
  readonly published: number | null;
  /** Null if the finding is not about a package. The package URL is canonical; null if the report has no valid one. */
  readonly package: { readonly name: string; readonly version: string | null; readonly purl: string | null } | null;
  /** Versions without the vulnerability, as the scanner writes them. */
  readonly fixedIn: readonly string[];
}

/** The data that is recorded of a scanner's report. */
export interface ScanCounts {
  /** The name of the scanner; empty if the report does not state it. */
  readonly tool: string;
  readonly listed: number;
  /** How many findings are left out, because they exceed the limit or cannot be read. */
  readonly left: number;
}

/**
 * An attestation, with the fields that judgement reads. `AttestationPayloadKept` in the same commit has the unbounded payload.
 */
export interface AttestationReported extends DomainEvent<'AttestationReported', 1> {
  readonly data: {
    /** UUIDv7. */
    readonly id: string;
    readonly name: string;
    /** `generic`, `junit`, `jira`, `snyk`, `sonar`, `pull_request`, `custom:<type>`, `decision`, `sbom` or `override`. */
    readonly type: string;
    /** The type with which requirements compare. For an override, it is the type of the overridden attestation; otherwise it equals `type`. */
    readonly countsAs: string;
    readonly target: AttestationTarget;
    /** The result of the type's rule at the time of recording. It is never computed again. */
    readonly compliant: boolean;
    /** The previous newest attestation with the same target and name. */
    readonly previous: string | null;
    /** The id of the overridden attestation. Null if there was no attestation to override, and for all other types. */
    readonly overriddenId: string | null;
    /** The version of the custom type that checked it; null for other types. */
    readonly typeVersion: number | null;
    /** Only decisions have a control. */
    readonly control: DecidedControl | null;
    readonly commit: CommitInfo | null;
    readonly repo: RepoRef | null;
    readonly originUrl: string | null;
    readonly attachments: readonly Attachment[];
    /** The template that applies to the trail from here on, if it has changed. */
    readonly templateId?: string;
    /**
     * For a bill of materials: counts of the components, which the following `ComponentsListed` of the commit contain. Left out for other types, and
     * in commits from before components were stored.
     */
    readonly components?: ComponentCounts;
    /** For a scanner's report on an artifact: counts of the findings, which the following `FindingsListed` of the commit contain. */
    readonly findings?: ScanCounts;
  };
}

/**
 * A part of the sorted components in the bill of materials that precedes this event in the commit. Equal parts are equal data, which an organization
 * stores once.
 */
export interface ComponentsListed extends DomainEvent<'ComponentsListed', 1> {
  readonly data: { readonly components: readonly ListedComponent[] };
}

/** A part of the sorted findings in the report that precedes this event in the commit. An organization stores equal parts once. */
export interface FindingsListed extends DomainEvent<'FindingsListed', 1> {
  readonly data: { readonly findings: readonly ListedFinding[] };
}

/** The payload of the attestation that precedes this event in the commit. */
export interface AttestationPayloadKept extends DomainEvent<'AttestationPayloadKept', 1> {
  readonly data: {
    readonly id: string;
    /** The fields of its type under their names in requests, such as `junit_results`. */
    readonly payload: Readonly<Record<string, unknown>>;
    /** Any JSON. */
    readonly userData: unknown;
    readonly description: string | null;
    readonly externalUrls: Readonly<Record<string, { readonly href: string; readonly fingerprint?: string }>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
}

export type AttestationEvent = AttestationReported | AttestationPayloadKept | ComponentsListed | FindingsListed;
