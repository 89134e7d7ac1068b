import type { AttestationEvent } from './attestation';
import type { DomainEvent } from './event';
import type { FlowNamingEvent } from './naming';
import type { CommitInfo, Provenance, RepoRef } from './provenance';

export type Visibility = 'private' | 'public';

/** An attestation that a template asks for. */
export interface DeclaredAttestation {
  readonly name: string;
  readonly type: string;
}

/** The requirements of a template: attestations of the trail itself, and artifacts with their attestations. */
export interface DeclaredTrail {
  readonly attestations: readonly DeclaredAttestation[];
  readonly artifacts: readonly { readonly name: string; readonly attestations: readonly DeclaredAttestation[] }[];
}

/** A template: YAML text with its requirements, if it has any; or the legacy list of attestation names, as it came. */
export type FlowTemplate =
  { readonly yaml: string; readonly trail?: DeclaredTrail } | { readonly list: readonly string[] };

export interface FlowSettings {
  readonly description: string;
  readonly visibility: Visibility;
  readonly template: FlowTemplate;
  /** Id of the template's version; a new one with every change. */
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
    /** Of its own template, else of the flow's template in force. */
    readonly templateId: string;
    /** Null where an artifact began the trail. */
    readonly commit: CommitInfo | null;
  } & Partial<TrailSettings>;
}
/** Holds what changed, and nothing else. */
export type TrailUpdated = DomainEvent<'TrailUpdated', 1, Partial<TrailSettings & { readonly templateId: string }>>;

/** An artifact was reported, in a trail or (legacy) in a flow alone. */
export interface ArtifactReported extends DomainEvent<'ArtifactReported', 1> {
  readonly data: {
    readonly fingerprint: string;
    readonly provenance: Provenance;
    /** The first report of this fingerprint in this stream; null if this is the first. Lead times count from it. */
    readonly first: Provenance | null;
    /** SHA-256 of what was reported, ids and times aside: the same again is no new event. */
    readonly reported: string;
    readonly externalUrls: Readonly<Record<string, ExternalUrl>>;
    readonly annotations: Readonly<Record<string, string>>;
    /** The template that the trail is held to from here on, where it is another than before. */
    readonly templateId?: string;
  };
}
export type TrailEvent = TrailBegun | TrailUpdated | ArtifactReported | AttestationEvent;
/** Events of `artifact/<flow id>/<fingerprint>`: artifacts reported without a trail. */
export type ArtifactEvent = ArtifactReported;
