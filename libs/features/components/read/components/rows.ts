import { type CollectionShape, index } from '@assurance/contracts/events/aggregate';
import type { ListedComponent } from '@assurance/contracts/evidence/events';
import { canonicalJson, sha256 } from '@assurance/kernel';

/** A component that any list has, as it is searched for: once for an organization, whatever lists it. */
export interface ComponentRow extends Pick<ListedComponent, 'purl' | 'name' | 'version'> {
  readonly org: string;
  /** The package URL without version, qualifiers and subpath; null if it has none. */
  readonly package: string | null;
  /** The name behind its last slash, in lower case. */
  readonly base: string;
}

export const componentRows: CollectionShape<ComponentRow> = {
  name: 'view_components',
  deferred: 'first',
  indexes: [{ ...index('by_package', 'org', 'package'), only: 'package' }, index('by_name', 'org', 'base')],
};

/** A place of a component in a part of a list. */
export interface ComponentUse {
  readonly org: string;
  /** As `componentDigest` makes it. */
  readonly component: string;
  /** Digest of the part that lists it, and its place in it. */
  readonly part: string;
  readonly place: number;
}

export const componentUses: CollectionShape<ComponentUse> = {
  name: 'view_component_uses',
  deferred: 'first',
  ids: ['org', 'component', 'part'],
  indexes: [index('by_component', 'org', 'component', 'part', 'place')],
};

/** A part of a list of components, once for an organization. */
export interface ComponentPart {
  readonly org: string;
  readonly components: readonly ListedComponent[];
}

export const componentParts: CollectionShape<ComponentPart> = {
  name: 'view_component_parts',
  deferred: 'first',
  indexes: [],
};

/** A bill of materials that has a part. */
export interface PartUse {
  readonly org: string;
  readonly part: string;
  /** Key of the bill of materials, as `sbomKey` makes it. */
  readonly sbom: string;
}

export const partUses: CollectionShape<PartUse> = {
  name: 'view_component_part_uses',
  deferred: 'first',
  indexes: [index('by_part', 'org', 'part', 'sbom'), index('by_sbom', 'org', 'sbom', 'part')],
};

/**
 * What is known of an artifact's components, from least to most: nothing, a bill of materials that was recorded before components were, one with
 * more components than are recorded, a whole one.
 */
export const SBOM_STATES = ['none', 'unread', 'cut', 'read'] as const;
export type SbomState = (typeof SBOM_STATES)[number];

/** The data of a bill of materials in its attestation. */
export interface SbomFacts {
  /** Digest of the subject and the name of the attestation: of several the newest counts. */
  readonly attestation: string;
  readonly sbom: string;
  readonly seq: number;
  readonly state: Exclude<SbomState, 'none'>;
  /** How many components cannot be compared with databases of vulnerabilities. One without components has one. */
  readonly unmatched: number;
  /** Names by which VEX statements know what it describes. */
  readonly roots: readonly string[];
}

/** The newest bill of materials of a name in a trail, of one artifact. */
export interface SbomRow extends SbomFacts {
  readonly org: string;
  readonly fingerprint: string;
}

export const sbomRows: CollectionShape<SbomRow> = {
  name: 'view_component_sboms',
  deferred: 'first',
  indexes: [index('by_artifact', 'org', 'fingerprint', 'sbom'), index('by_sbom', 'org', 'sbom', 'fingerprint')],
};

/** What attestations of a trail await: artifacts of a name in the template and of a commit, and the bills of materials of these. */
export interface AwaitedSubject {
  readonly fingerprints: readonly string[];
  readonly sboms: readonly SbomFacts[];
}

export const awaitedSubjects: CollectionShape<AwaitedSubject> = {
  name: 'view_component_subjects',
  deferred: 'first',
  indexes: [],
};

/** What is known of the components of an artifact. */
export interface KnownSbom {
  /** The most that its bills of materials tell. */
  readonly sbom: SbomState;
  /** The `unmatched` of all of them; null for 0. */
  readonly unmatched: number | null;
  /** The newest of each attestation. */
  readonly sboms: readonly Omit<SbomFacts, 'sbom'>[];
}

/**
 * An artifact that was reported or ran: what is asked for may have no bill of materials, and that is counted. Most artifacts have one flow and run in
 * few environments, so the first ones are fields of this row. They never change. Further ones are scoped artifacts.
 */
export interface CountedArtifact extends KnownSbom {
  readonly org: string;
  readonly fingerprint: string;
  /** Id of the first flow that reported it; null: none did. */
  readonly flow: string | null;
  /** Id of the first environment in which it ran; null: it ran in none. */
  readonly environment: string | null;
}

/** Its indexes hold no fingerprints, so that entries of new rows are beside each other. */
export const countedArtifacts: CollectionShape<CountedArtifact> = {
  name: 'view_component_artifacts',
  deferred: 'first',
  ids: ['org', 'flow', 'environment'],
  indexes: [
    index('by_org', 'org', 'sbom'),
    { ...index('unmatched_by_org', 'org', 'unmatched'), only: 'unmatched' },
    { ...index('unmatched_by_flow', 'flow', 'unmatched'), only: 'unmatched' },
    { ...index('unmatched_by_environment', 'environment', 'unmatched'), only: 'unmatched' },
    { ...index('by_flow', 'flow', 'sbom'), only: 'flow' },
    { ...index('by_environment', 'environment', 'sbom'), only: 'environment' },
  ],
};

/** An artifact in a flow or an environment that is not its first one. */
export interface ScopedArtifact extends KnownSbom {
  readonly org: string;
  readonly scope: string;
  readonly fingerprint: string;
}

export const scopedArtifacts: CollectionShape<ScopedArtifact> = {
  name: 'view_component_artifact_scopes',
  deferred: 'first',
  indexes: [
    index('by_state', 'scope', 'sbom'),
    index('by_artifact', 'org', 'fingerprint'),
    { ...index('unmatched_by_scope', 'scope', 'unmatched'), only: 'unmatched' },
  ],
};

/** A snapshot in which an environment began from nothing, with another type: what ran before is gone, and no departure says so. */
export interface BeginningRow {
  readonly org: string;
  /** Id of the environment. */
  readonly environment: string;
  readonly snapshot: number;
}

export const beginnings: CollectionShape<BeginningRow> = {
  name: 'view_component_beginnings',
  deferred: 'first',
  ids: ['org', 'environment'],
  indexes: [index('by_environment', 'org', 'environment', 'snapshot')],
};

/** All collections of the view. */
export const componentCollections = [
  componentRows,
  componentUses,
  componentParts,
  partUses,
  sbomRows,
  awaitedSubjects,
  countedArtifacts,
  scopedArtifacts,
  beginnings,
] as const;

/** Where artifacts are counted, apart from their organization: a flow has those that it reported, an environment those that ran in it. */
export interface Scope {
  readonly kind: 'flow' | 'environment';
  readonly id: string;
}

/** The key of a scope in rows. */
export function scopeKey({ kind, id }: Scope): string {
  return `${kind}/${id}`;
}

/** The id of an artifact in an organization. */
export function artifactId(org: string, fingerprint: string): string {
  return `${org}/${fingerprint}`;
}

/** The id of an artifact in a scope. */
export function scopedId(scope: Scope, fingerprint: string): string {
  return `${scopeKey(scope)}/${fingerprint}`;
}

/** The id of a part. */
export function partId(org: string, part: string): string {
  return `${org}/${part}`;
}

/** What tells components of an organization apart. */
export function componentDigest({ purl, name, version }: Pick<ListedComponent, 'purl' | 'name' | 'version'>): string {
  return sha256(canonicalJson([purl, name, version]));
}

/** The id of a component. */
export function componentId(org: string, digest: string): string {
  return `${org}/${digest}`;
}

/** The key of the bill of materials that a commit holds. */
export function sbomKey({ stream, seq }: { readonly stream: string; readonly seq: number }): string {
  return `${stream}#${seq}`;
}

/** What a name is found by. */
export function baseOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).toLowerCase();
}
