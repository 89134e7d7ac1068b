import type { DomainEvent } from '../events/event';

/** How bad a vulnerability is, the least first. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What a VEX statement says of a product. */
export const VEX_STATUSES = ['not_affected', 'affected', 'fixed', 'under_investigation'] as const;
export type VexStatus = (typeof VEX_STATUSES)[number];

/** Where a range begins, ends, or is cut. */
export interface RangeEvent {
  readonly kind: 'introduced' | 'fixed' | 'last_affected' | 'limit';
  readonly version: string;
}

/** Versions of a package; `GIT` counts commits, which components do not name. */
export interface AffectedRange {
  readonly type: 'SEMVER' | 'ECOSYSTEM' | 'GIT';
  readonly events: readonly RangeEvent[];
}

/** A package that has a vulnerability in some versions, as it is recorded. */
export interface ListedPackage {
  /** The type of its package URLs. */
  readonly type: string;
  /** The namespace of package URLs of a distribution, such as `debian`; null elsewhere. */
  readonly distribution: string | null;
  /** The release of the distribution, such as `11`; null for all. */
  readonly release: string | null;
  /** As its ecosystem names it: `org.apache.logging.log4j:log4j-core`. */
  readonly name: string;
  readonly purl: string | null;
  readonly ranges: readonly AffectedRange[];
  /** Versions that are affected whatever the ranges say. */
  readonly versions: readonly string[];
}

/** An entry of a database of vulnerabilities, as it is recorded. Times are in milliseconds since 1970. */
export interface ListedVulnerability {
  readonly id: string;
  readonly aliases: readonly string[];
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
  /** The components of it that the statement is about; all where there are none. */
  readonly subcomponents: readonly string[];
}

/** A VEX statement, whatever its format. */
export interface VexStatement {
  readonly vulnerability: string;
  readonly aliases: readonly string[];
  readonly products: readonly StatedProduct[];
  readonly status: VexStatus;
  /** Why a product is not affected, in the words of the format. */
  readonly justification: string | null;
  /** Who said so. */
  readonly by: string | null;
  /** Milliseconds since 1970; null where the document has no time. */
  readonly at: number | null;
}

/** The file of an import. */
export interface ImportedFile {
  /** As the sender called it. */
  readonly filename: string;
  /** 64 hexadecimal characters. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** The import of a file began: what follows, up to the end of an import of the same file, is from it. */
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
/** All that a file holds is recorded. */
export type VulnerabilitiesImported = DomainEvent<
  'VulnerabilitiesImported',
  1,
  ImportedFile & {
    /** How many entries and VEX statements the file holds. */
    readonly vulnerabilities: number;
    readonly statements: number;
    /** How many of its entries could not be read. */
    readonly unread: number;
  }
>;

/** A vulnerability of what runs in an environment, with the first artifact and component that have it. */
export interface FoundVulnerability {
  /** The name that people use first, such as a CVE. */
  readonly id: string;
  readonly severity: Severity | null;
  readonly purl: string;
  /** Whether the component certainly has it: of others nobody can say whether their version is affected. */
  readonly certain: boolean;
  /** How the environment names the artifact. */
  readonly artifact: string;
}

/** Vulnerabilities were found in what runs in an environment, each for the first time. */
export type VulnerabilitiesFound = DomainEvent<
  'VulnerabilitiesFound',
  1,
  {
    /** The name of the environment then, its newest snapshot, and the verdict on it. */
    readonly environment: string;
    readonly snapshot: number;
    readonly compliant: boolean | null;
    /** Empty where only more names became known of what was found before. */
    readonly vulnerabilities: readonly FoundVulnerability[];
    /** What is remembered of their names, and of more names of others. */
    readonly names: readonly string[];
  }
>;

export type VulnerabilityEvent =
  VulnerabilityImportBegun | VulnerabilitiesListed | VexStatementsListed | VulnerabilitiesImported;
