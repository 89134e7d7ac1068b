import type { DomainEvent } from './event';
import type { FlowNamingEvent } from './naming';
import type { CommitInfo, Provenance, RepoRef } from './provenance';

export type Visibility = 'private' | 'public';

/** A flow's template: YAML text, or the legacy list of attestation names that is served back as it came. */
export type FlowTemplate = { readonly yaml: string } | { readonly list: readonly string[] };

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

export type TrailBegun = DomainEvent<
  'TrailBegun',
  1,
  {
    readonly flow: { readonly id: string; readonly name: string };
    readonly name: string;
    readonly templateId: string;
    /** Null where an artifact began the trail. */
    readonly commit: CommitInfo | null;
  }
>;

/** An artifact was reported, in a trail or (legacy) in a flow alone. */
export type ArtifactReported = DomainEvent<
  'ArtifactReported',
  1,
  {
    readonly fingerprint: string;
    readonly provenance: Provenance;
    /** What was reported first for this fingerprint in this stream, where this is not the first: lead times go by it. */
    readonly first: Provenance | null;
    /** SHA-256 of what was reported, ids and times aside: the same again is no new event. */
    readonly reported: string;
    readonly externalUrls: Readonly<Record<string, ExternalUrl>>;
    readonly annotations: Readonly<Record<string, string>>;
  }
>;
export type TrailEvent = TrailBegun | ArtifactReported;
/** Events of `artifact/<flow id>/<fingerprint>`: artifacts reported without a trail. */
export type ArtifactEvent = ArtifactReported;
