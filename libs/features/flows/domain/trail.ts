import { type Aggregate, type InlineProjection, UnexpectedEvent } from '@assurance/contracts/events/aggregate';
import type { EventMeta } from '@assurance/contracts/events/event';
import type { ChangeInfo } from '@assurance/contracts/events/life';
import { keyOf } from '@assurance/contracts/events/streams';
import type { ArtifactEvent, TrailEvent, TrailSettings } from '@assurance/contracts/flows/events';
import { canonicalJson, sha256 } from '@assurance/kernel';
import { attestationDocuments } from './attestation';
import { type FlowTemplateDocument, flowTemplates } from './flow';
import { provenanceDocument } from './provenance';

export type TrailField = keyof TrailSettings;

/** The fields of a trail that a caller sets, in the order in which a change lists them. */
export const TRAIL_FIELDS: readonly TrailField[] = [
  'description',
  'commit',
  'userData',
  'externalUrls',
  'originUrl',
  'repo',
  'template',
];

/** The commit that last set a field, and its value as a digest. */
export interface SetField {
  readonly seq: number;
  /** SHA-256 of the value, see `fieldDigest`. */
  readonly digest: string;
}

/** The aggregate state of a trail. User data, messages and templates have no size limit, so it only states which commit set them. */
export interface Trail extends ChangeInfo {
  readonly org: string;
  /** The flow's id, and its name when the trail began. */
  readonly flow: { readonly id: string; readonly name: string };
  readonly name: string;
  readonly description: string;
  /** Id of the template in force, a document of `flowTemplates`: the trail's own, or the template that its flow had at the trail's newest event. */
  readonly templateId: string;
  /** Id of its repository. */
  readonly repo: string | null;
  /** The number of its attestations that differ in target or name, see `newestAttestations`. */
  readonly attested: number;
  readonly set: Readonly<Partial<Record<TrailField, SetField>>>;
}

/** Returns a digest by which values of a field are compared. Repositories are compared by id. */
export function fieldDigest<Field extends TrailField>(field: Field, value: TrailSettings[Field]): string {
  return sha256(canonicalJson(field === 'repo' ? (value as TrailSettings['repo']).id : value));
}

/** Returns the new template if it changed. An event sets it, because the status of a trail changes only with its events. */
export function templateAfter(state: Trail, flow: { readonly templateId: string }): { readonly templateId?: string } {
  return state.set.template !== undefined || state.templateId === flow.templateId
    ? {}
    : { templateId: flow.templateId };
}

/** A trail. Its artifacts and attestations have no limit, so they are in `provenances` and `newestAttestations`, not in the aggregate state. */
export const trail: Aggregate<Trail, TrailEvent> = {
  kind: 'trail',
  states: { name: 'trails', deferred: 'last', indexes: [] },
  schemaVersion: 4,
  unfolded: new Set(['ComponentsListed', 'FindingsListed']),
  evolve(state, event, meta) {
    if (event.type === 'TrailBegun') {
      const { flow, name, templateId } = event.data;
      const newTrail = { org: meta.org, flow, name, description: '', templateId, repo: null, set: {}, attested: 0 };
      return withSettings(
        { ...newTrail, createdAt: meta.at, createdBy: meta.actor, lastModifiedAt: meta.at },
        event.data,
        meta,
      );
    }
    if (state === null) throw new UnexpectedEvent(event, meta);
    switch (event.type) {
      case 'TrailUpdated':
        return withSettings(state, event.data, meta);
      case 'ArtifactReported':
        return { ...state, templateId: event.data.templateId ?? state.templateId, lastModifiedAt: meta.at };
      case 'AttestationReported': {
        const { templateId, previous } = event.data;
        const attestedCount = state.attested + (previous === null ? 1 : 0);
        return {
          ...state,
          templateId: templateId ?? state.templateId,
          attested: attestedCount,
          lastModifiedAt: meta.at,
        };
      }
      case 'AttestationPayloadKept':
      case 'ComponentsListed':
      case 'FindingsListed':
        return state;
    }
  },
  inlineProjections(state, event, meta) {
    switch (event.type) {
      case 'ArtifactReported':
        return [provenanceDocument(event, meta)];
      case 'AttestationReported':
        return attestationDocuments(event, meta);
      case 'AttestationPayloadKept':
      case 'ComponentsListed':
      case 'FindingsListed':
        return [];
      case 'TrailBegun':
      case 'TrailUpdated': {
        const { template } = event.data;
        return template === undefined ? [] : [templateDocument(state, template)];
      }
    }
  },
};

function withSettings(
  state: Trail,
  { templateId, ...settings }: Partial<TrailSettings & { readonly templateId: string }>,
  { seq, at }: EventMeta,
): Trail {
  const set = { ...state.set };
  for (const field of TRAIL_FIELDS) {
    const value = settings[field];
    // A trail that begins with an artifact has no commit until one is set.
    if (value === undefined || (field === 'commit' && value === null)) continue;
    set[field] = { seq, digest: fieldDigest(field, value as TrailSettings[typeof field]) };
  }
  return {
    ...state,
    templateId: templateId ?? state.templateId,
    description: settings.description ?? state.description,
    repo: settings.repo?.id ?? state.repo,
    set,
    lastModifiedAt: at,
  };
}

function templateDocument({ flow, templateId }: Trail, template: TrailSettings['template']): InlineProjection {
  const doc: FlowTemplateDocument = { flow: flow.id, template };
  return { collection: flowTemplates, id: templateId, doc };
}

/** An artifact that was reported to a flow without a trail (the legacy form). */
export interface LooseArtifact {
  readonly org: string;
  readonly flow: string;
  readonly fingerprint: string;
}

export const looseArtifact: Aggregate<LooseArtifact, ArtifactEvent> = {
  kind: 'artifact',
  states: { name: 'loose_artifacts', deferred: 'last', indexes: [] },
  schemaVersion: 1,
  evolve: (_state, { data }, { org, stream }) => ({
    org,
    flow: keyOf(stream).split('/')[0] ?? '',
    fingerprint: data.fingerprint,
  }),
  inlineProjections: (_state, event, meta) => [provenanceDocument(event, meta)],
};
