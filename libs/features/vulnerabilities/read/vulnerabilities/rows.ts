import { type CollectionShape, index } from '@assurance/contracts/events/aggregate';
import type { ListedFinding, ScanCounts } from '@assurance/contracts/evidence/events';
import {
  type ListedPackage,
  type ListedVulnerability,
  type VexStatement,
  type VulnerabilitiesImported,
} from '@assurance/contracts/vulnerabilities/events';
import { canonicalJson, sha256 } from '@assurance/kernel';

/**
 * The newest version of an entry, without its packages. It is written last: if it exists, its packages and their matches exist too. Rows of an older
 * version of an entry no longer count.
 */
export interface EntryRow extends Omit<ListedVulnerability, 'affected'> {
  readonly org: string;
  /** As `versionOf` returns it. */
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

/** A name that an entry has or had in some version, or that finds it. */
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

/** A component of any SBOM, under a key of its package. */
export interface PurlRow {
  readonly org: string;
  readonly key: string;
  readonly purl: string;
  /** Whether the component was compared with all entries that existed. Later entries look it up. */
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
  /** As `rankOf` returns it. */
  readonly severity: number;
  /** Fixed versions, ascending as texts. */
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

/** An entry with a match: the newest version of it that ever matched. It is never removed, and counts only for the newest version of the entry. */
export interface MatchedEntry {
  readonly org: string;
  /** Digest of the id of the entry. */
  readonly entry: string;
  readonly version: string;
  /** As `rankOf` returns it. */
  readonly severity: number;
}

export const matchedEntries: CollectionShape<MatchedEntry> = {
  name: 'view_vulnerability_matched_entries',
  deferred: 'first',
  indexes: [index('by_severity', 'org', 'severity', 'entry')],
};

/** A VEX statement under one of the names of its vulnerability. */
export interface StatementRow {
  readonly org: string;
  /** Digest of the name in lower case. */
  readonly name: string;
  readonly statement: VexStatement;
  /** The newest commit of imports that contains it. */
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

/** The newest attestation of a subject and name. It has recorded findings, or replaces an attestation with recorded findings. */
export interface ScanRow extends ScanCounts {
  readonly org: string;
  /** The key of its commit, as `scanKey` returns it, and the number of that commit in its stream. */
  readonly scan: string;
  readonly seq: number;
  /** Integer milliseconds. */
  readonly at: number;
  /** Id, name and type of the attestation. */
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** The artifact; null if the attestation awaits one. */
  readonly fingerprint: string | null;
  /** The subject of the attestation, as `subjectOf` returns it. */
  readonly subject: string;
}

export const scanRows: CollectionShape<ScanRow> = {
  name: 'view_vulnerability_scans',
  deferred: 'last',
  indexes: [index('by_scan', 'org', 'scan'), index('by_subject', 'org', 'subject', 'scan')],
};

/** Links a report to a part of its findings. */
export interface FindingUse {
  readonly org: string;
  readonly scan: string;
  /** Digest of the part. */
  readonly part: string;
}

export const findingUses: CollectionShape<FindingUse> = {
  name: 'view_vulnerability_finding_uses',
  deferred: 'first',
  indexes: [index('by_scan', 'org', 'scan', 'part'), index('by_part', 'org', 'part', 'scan')],
};

/** A part of findings, stored once for each organization. */
export interface FindingPart {
  readonly org: string;
  readonly findings: readonly ListedFinding[];
}

export const findingParts: CollectionShape<FindingPart> = {
  name: 'view_vulnerability_finding_parts',
  deferred: 'first',
  indexes: [],
};

/** A name of a finding in a part. */
export interface FindingName {
  readonly org: string;
  /** Digest of the name in lower case. */
  readonly name: string;
  readonly part: string;
}

export const findingNames: CollectionShape<FindingName> = {
  name: 'view_vulnerability_finding_names',
  deferred: 'first',
  ids: ['org', 'name', 'part'],
  indexes: [index('by_name', 'org', 'name', 'part')],
};

/** All collections of the view. */
export const vulnerabilityCollections = [
  entryRows,
  packageRows,
  nameRows,
  purlRows,
  matchRows,
  matchedEntries,
  statementRows,
  importRows,
  scanRows,
  findingUses,
  findingParts,
  findingNames,
] as const;

/** Orders versions of an entry as texts: by the modification time, then by content. */
export function versionOf(entry: ListedVulnerability): string {
  const modified = String(Math.max(0, entry.modified)).padStart(16, '0');
  return `${modified}/${sha256(canonicalJson(entry)).slice(0, 32)}`;
}

/** Returns the id of a row of an organization from digests. */
export function rowId(org: string, ...digests: readonly string[]): string {
  return [org, ...digests].join('/');
}

/** Returns the key of the report of a commit. */
export function scanKey({ stream, seq }: { readonly stream: string; readonly seq: number }): string {
  return `${stream}#${seq}`;
}

/** The digest of the name of a vulnerability. */
export function nameDigest(name: string): string {
  return sha256(name.toLowerCase());
}
