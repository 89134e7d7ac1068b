import type { FlowMoved } from '../access/events';
import type { CommitInfo, RepoRef } from '../events/commit';
import type { DomainEvent } from '../events/event';
import type { Renaming, TagChange } from '../events/naming';
import type { AttestationEvent } from '../evidence/events';

export type Visibility = 'private' | 'public';

/** An attestation that a template requires. */
export interface DeclaredAttestation {
  readonly name: string;
  readonly type: string;
}

/** The requirements of a template: attestations of the trail itself, and artifacts with their attestations. */
export interface DeclaredTrail {
  readonly attestations: readonly DeclaredAttestation[];
  readonly artifacts: readonly { readonly name: string; readonly attestations: readonly DeclaredAttestation[] }[];
}

/** A template: YAML text and its requirements, if it has any; or the legacy list of attestation names, as it was sent. */
export type FlowTemplate =
  { readonly yaml: string; readonly trail?: DeclaredTrail } | { readonly list: readonly string[] };

export interface FlowSettings {
  readonly description: string;
  readonly visibility: Visibility;
  readonly template: FlowTemplate;
  /** Id of the template's version. Every change makes a new id. */
  readonly templateId: string;
}

export type FlowCreated = DomainEvent<'FlowCreated', 1, { readonly id: string; readonly name: string } & FlowSettings>;
export type FlowUpdated = DomainEvent<'FlowUpdated', 1, Partial<FlowSettings>>;
export type FlowEvent = FlowCreated | FlowUpdated | FlowNamingEvent;

export interface ExternalUrl {
  readonly href: string;
  readonly fingerprint?: string;
}

/** Settings of a trail. */
export interface TrailSettings {
  readonly description: string;
  readonly commit: CommitInfo | null;
  /** Any JSON. */
  readonly userData: unknown;
  readonly externalUrls: Readonly<Record<string, ExternalUrl>>;
  readonly originUrl: string;
  readonly repo: RepoRef;
  /** The trail's own template, which replaces the template of its flow. It comes with its own `templateId`. */
  readonly template: FlowTemplate;
}

/** A trail began. Unset fields are absent. */
export interface TrailBegun extends DomainEvent<'TrailBegun', 1> {
  readonly data: {
    readonly flow: { readonly id: string; readonly name: string };
    readonly name: string;
    /** Id of the trail's own template; otherwise the id of the flow's current template. */
    readonly templateId: string;
    /** Null if an artifact began the trail. */
    readonly commit: CommitInfo | null;
  } & Partial<TrailSettings>;
}
/** Contains only the changed fields. */
export type TrailUpdated = DomainEvent<'TrailUpdated', 1, Partial<TrailSettings & { readonly templateId: string }>>;

/** Data of an artifact's report beyond its provenance. Unset fields are absent. */
export interface ArtifactDetails {
  readonly description?: string;
  /** Names of the attestations that the legacy form requires. They are shown, but not used for judgement. */
  readonly template?: readonly string[];
  /** The statement of the reporter. It is shown, but not used for judgement. */
  readonly isCompliant?: boolean;
  /** Any JSON. */
  readonly userData?: unknown;
}

/** An artifact was reported in a trail or (legacy) in a flow without a trail. */
export interface ArtifactReported extends DomainEvent<'ArtifactReported', 1> {
  readonly data: {
    readonly fingerprint: string;
    readonly provenance: Provenance;
    /** The first report of this fingerprint in this stream; null if this is the first. Lead times count from it. */
    readonly first: Provenance | null;
    /** SHA-256 of the report without ids and times. If the same is reported again, there is no new event. */
    readonly reported: string;
    readonly externalUrls: Readonly<Record<string, ExternalUrl>>;
    readonly annotations: Readonly<Record<string, string>>;
    /** Left out if the report has no details. */
    readonly details?: ArtifactDetails;
    /** The template that applies to the trail from here on, if it has changed. */
    readonly templateId?: string;
  };
}
export type TrailEvent = TrailBegun | TrailUpdated | ArtifactReported | AttestationEvent;
/** Events of `artifact/<flow id>/<fingerprint>`: artifacts reported without a trail. */
export type ArtifactEvent = ArtifactReported;

/** One report of a fingerprint, in one flow and trail. */
export interface Provenance {
  readonly artifactId: string;
  readonly flow: { readonly id: string; readonly name: string };
  /** Null for the legacy form without a trail. */
  readonly trail: string | null;
  /** The artifact's name in the flow's template; null for the legacy form. */
  readonly template: string | null;
  readonly filename: string;
  /** 40 hexadecimal characters. */
  readonly gitCommit: string;
  readonly commitUrl: string | null;
  readonly buildUrl: string | null;
  readonly commit: CommitInfo | null;
  readonly repo: RepoRef | null;
  /** When it was reported: integer milliseconds. */
  readonly reportedAt: number;
}

/** A repository as trails and artifacts report it. */
export interface RepoFacts {
  readonly name: string;
  /** Normalised: https, lower-case host, no user, port, query, `.git` or trailing slash. */
  readonly url: string;
  readonly provider: string | null;
  readonly description: string | null;
  /** The provider's own id; null if no report had one. */
  readonly externalId: string | null;
  /** Names of the groups above it; left out if no report had them. */
  readonly namespacePath?: readonly string[];
  /** Further information that the client sent; absent if no report had any. */
  readonly additionalInfo?: Readonly<Record<string, unknown>>;
}

export type RepoRecorded = DomainEvent<'RepoRecorded', 1, { readonly id: string } & RepoFacts>;
export type RepoUpdated = DomainEvent<'RepoUpdated', 1, Partial<RepoFacts>>;

/** Younger repositories were merged into this one. They are the same repository under other addresses. */
export type RepoAbsorbed = DomainEvent<'RepoAbsorbed', 1, { readonly ids: readonly string[] }>;

/** The repository was merged into an older one. Both are the same repository under different addresses. This is the last event of its stream. */
export type RepoJoined = DomainEvent<'RepoJoined', 1, { readonly into: string }>;

export type RepoEvent = RepoRecorded | RepoUpdated | RepoTagged | RepoAbsorbed | RepoJoined;

export type FlowArchived = DomainEvent<'FlowArchived', 1, Record<never, never>>;
export type FlowRevived = DomainEvent<'FlowRevived', 1, Record<never, never>>;
export type FlowRenamed = DomainEvent<'FlowRenamed', 1, Renaming>;
export type FlowTagged = DomainEvent<'FlowTagged', 1, TagChange>;

/** Events about the name, tags and space of a flow. */
export type FlowNamingEvent = FlowArchived | FlowRevived | FlowRenamed | FlowTagged | FlowMoved;

export type RepoTagged = DomainEvent<'RepoTagged', 1, TagChange>;
