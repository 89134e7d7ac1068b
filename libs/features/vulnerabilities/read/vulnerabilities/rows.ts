import { type CollectionShape, index } from '@assurance/contracts/events/aggregate';
import {
  type ListedPackage,
  type ListedVulnerability,
  SEVERITIES,
  type Severity,
  type VexStatement,
  type VulnerabilitiesImported,
} from '@assurance/contracts/vulnerabilities/events';
import { canonicalJson, sha256 } from '@assurance/kernel';

/**
 * The newest version of an entry, without its packages. It is written last: where it is, its packages and what they match are there too. What belongs
 * to an older version of an entry counts no more.
 */
export interface EntryRow extends Omit<ListedVulnerability, 'affected'> {
  readonly org: string;
  /** As `versionOf` makes it. */
  readonly version: string;
}

export const entryRows: CollectionShape<EntryRow> = {
  name: 'view_vulnerability_entries',
  deferred: 'last',
  indexes: [],
};

/** The packages of an entry that have one key. */
export interface PackageRow {
  readonly org: string;
  /** Digest of a key of the package. */
  readonly key: string;
  /** Digest of the id of the entry. */
  readonly entry: string;
  readonly version: string;
  readonly severity: number;
  readonly affected: readonly ListedPackage[];
}

export const packageRows: CollectionShape<PackageRow> = {
  name: 'view_vulnerability_packages',
  deferred: 'first',
  ids: ['org', 'key', 'entry'],
  indexes: [index('by_key', 'org', 'key', 'entry')],
};

/** A name that an entry had in some version. */
export interface NameRow {
  readonly org: string;
  /** Digest of the name in lower case. */
  readonly name: string;
  /** Digest of the id of the entry. */
  readonly entry: string;
}

export const nameRows: CollectionShape<NameRow> = {
  name: 'view_vulnerability_names',
  deferred: 'first',
  ids: ['org', 'name', 'entry'],
  indexes: [index('by_name', 'org', 'name', 'entry')],
};

/** A component of any bill of materials, under a key of its package. */
export interface PurlRow {
  readonly org: string;
  readonly key: string;
  readonly purl: string;
  /** Whether it was compared with all entries that were there: later ones find it. */
  readonly matched: boolean;
}

export const purlRows: CollectionShape<PurlRow> = {
  name: 'view_vulnerability_purls',
  deferred: 'last',
  ids: ['org', 'key'],
  indexes: [index('by_key', 'org', 'key', 'purl')],
};

/** A component that has the vulnerability of an entry, or may have it. */
export interface MatchRow {
  readonly org: string;
  /** Digest of the id of the entry. */
  readonly entry: string;
  readonly purl: string;
  readonly version: string;
  readonly certain: boolean;
  /** As `rankOf` makes it. */
  readonly severity: number;
  /** Versions without it, ascending as texts. */
  readonly fixedIn: readonly string[];
}

export const matchRows: CollectionShape<MatchRow> = {
  name: 'view_vulnerability_matches',
  deferred: 'first',
  ids: ['org', 'entry'],
  indexes: [
    index('by_entry', 'org', 'entry', 'purl'),
    index('by_severity', 'org', 'severity', 'entry', 'purl'),
    index('by_purl', 'org', 'purl', 'entry'),
  ],
};

/** A VEX statement under one of the names of its vulnerability. */
export interface StatementRow {
  readonly org: string;
  /** Digest of the name in lower case. */
  readonly name: string;
  readonly statement: VexStatement;
  /** The newest commit of imports that holds it. */
  readonly seq: number;
}

export const statementRows: CollectionShape<StatementRow> = {
  name: 'view_vulnerability_statements',
  deferred: 'first',
  ids: ['org', 'name'],
  indexes: [index('by_name', 'org', 'name')],
};

/** The newest import of an organization. */
export type ImportRow = VulnerabilitiesImported['data'] & {
  readonly org: string;
  readonly seq: number;
  /** Integer milliseconds. */
  readonly at: number;
  /** Id of the user or service account. */
  readonly by: string;
};

export const importRows: CollectionShape<ImportRow> = {
  name: 'view_vulnerability_imports',
  deferred: 'first',
  indexes: [],
};

/** All collections of the view. */
export const vulnerabilityCollections = [
  ...[entryRows, packageRows, nameRows, purlRows, matchRows, statementRows, importRows],
] as const;

/** Orders versions of an entry, as texts: by when it was modified, and two of one time by their content. */
export function versionOf(entry: ListedVulnerability): string {
  const modified = String(Math.max(0, entry.modified)).padStart(16, '0');
  return `${modified}/${sha256(canonicalJson(entry)).slice(0, 32)}`;
}

/** From 0 for unknown to 4 for critical. */
export function rankOf(severity: Severity | null): number {
  return severity === null ? 0 : SEVERITIES.indexOf(severity) + 1;
}

/** The id of what an organization has under digests. */
export function rowId(org: string, ...digests: readonly string[]): string {
  return [org, ...digests].join('/');
}

/** The digest of the name of a vulnerability. */
export function nameDigest(name: string): string {
  return sha256(name.toLowerCase());
}
