import type { DomainEvent } from '../events/event';

/** The severities, least severe first. `none` is that of a score of 0, and not an unknown one. */
export const SEVERITIES = ['none', 'low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The status of a product in a VEX statement. */
export const VEX_STATUSES = ['not_affected', 'affected', 'fixed', 'under_investigation'] as const;
export type VexStatus = (typeof VEX_STATUSES)[number];

/** A limit of a range of versions. */
export interface RangeEvent {
  readonly kind: 'introduced' | 'fixed' | 'last_affected' | 'limit';
  readonly version: string;
}

/** A range of versions of a package. `GIT` ranges consist of commits, which components do not name. */
export interface AffectedRange {
  readonly type: 'SEMVER' | 'ECOSYSTEM' | 'GIT';
  readonly events: readonly RangeEvent[];
}

/** A recorded package that has a vulnerability in some versions. */
export interface ListedPackage {
  /** The type in its package URLs. */
  readonly type: string;
  /** The namespace in package URLs of a distribution, such as `debian`; null for other packages. */
  readonly distribution: string | null;
  /** The release of the distribution, such as `11`; null for all. */
  readonly release: string | null;
  /** The name in its ecosystem, such as `org.apache.logging.log4j:log4j-core`. */
  readonly name: string;
  readonly purl: string | null;
  readonly ranges: readonly AffectedRange[];
  /** Versions that are affected, whatever the ranges say. */
  readonly versions: readonly string[];
}

/** A recorded entry of a database of vulnerabilities. Times are in milliseconds since 1970. */
export interface ListedVulnerability {
  readonly id: string;
  readonly aliases: readonly string[];
  /** Names that find the entry although they are no other names of it, such as the CVEs of an advisory about several; missing if there are none. */
  readonly related?: readonly string[];
  readonly published: number | null;
  readonly modified: number;
  readonly withdrawn: number | null;
  readonly severity: Severity | null;
  readonly summary: string;
  readonly affected: readonly ListedPackage[];
}

interface StatedProduct {
  /** A package URL, or another identifier. */
  readonly id: string;
  /** The components of the product that the statement is about; all components if the list is empty. */
  readonly subcomponents: readonly string[];
}

/** A VEX statement in a form that does not depend on its format. */
export interface VexStatement {
  readonly vulnerability: string;
  readonly aliases: readonly string[];
  readonly products: readonly StatedProduct[];
  readonly status: VexStatus;
  /** Why a product is not affected, in the terms of the format. */
  readonly justification: string | null;
  /** The author of the statement. */
  readonly by: string | null;
  /** Milliseconds since 1970; null if the document has no time. */
  readonly at: number | null;
}

/** An ecosystem whose entries no component is compared with, because nobody knows its package URLs. */
export interface UnknownEcosystem {
  /** As the entries have it, without the release. */
  readonly name: string;
  readonly entries: number;
}

/** The file of an import. */
export interface ImportedFile {
  /** The name that the sender gave. */
  readonly filename: string;
  /** 64 hexadecimal characters. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** The import of a file began. The following events are from this file, up to the end of an import of the same file. */
export type VulnerabilityImportBegun = DomainEvent<'VulnerabilityImportBegun', 1, ImportedFile>;
/** Some entries of a file. Equal parts are equal data, which an organization stores once. */
export type VulnerabilitiesListed = DomainEvent<
  'VulnerabilitiesListed',
  1,
  { readonly vulnerabilities: readonly ListedVulnerability[] }
>;
/** Some VEX statements of a file. */
export type VexStatementsListed = DomainEvent<
  'VexStatementsListed',
  1,
  { readonly statements: readonly VexStatement[] }
>;
/** The whole content of the file is recorded. */
export type VulnerabilitiesImported = DomainEvent<
  'VulnerabilitiesImported',
  1,
  ImportedFile & {
    /** How many entries and VEX statements the file holds. */
    readonly vulnerabilities: number;
    readonly statements: number;
    /** How many entries of the file could not be read. */
    readonly unread: number;
    /** Missing if there are none, and in imports from before they were counted. */
    readonly unknownEcosystems?: readonly UnknownEcosystem[];
  }
>;

/** A vulnerability in an environment, with the first artifact and component that have it. */
export interface FoundVulnerability {
  /** The most common name, such as a CVE. */
  readonly id: string;
  readonly severity: Severity | null;
  readonly purl: string;
  /** Whether the component certainly has it. Otherwise it is unknown whether the version is affected. */
  readonly certain: boolean;
  /** The name of the artifact in the environment. */
  readonly artifact: string;
}

/** Vulnerabilities were found in an environment, each for the first time. */
export type VulnerabilitiesFound = DomainEvent<
  'VulnerabilitiesFound',
  1,
  {
    /** The name of the environment at that time, its newest snapshot, and the verdict on it. */
    readonly environment: string;
    readonly snapshot: number;
    readonly compliant: boolean | null;
    /** Empty if only more names of known vulnerabilities were found. */
    readonly vulnerabilities: readonly FoundVulnerability[];
    /** The names to remember: names of these vulnerabilities, and new names of known ones. */
    readonly names: readonly string[];
  }
>;

export type VulnerabilityEvent =
  VulnerabilityImportBegun | VulnerabilitiesListed | VexStatementsListed | VulnerabilitiesImported;
