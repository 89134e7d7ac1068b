import {
  type Aggregate,
  type ArtifactEvent,
  type CommitInfo,
  keyOf,
  type TrailEvent,
  UnexpectedEvent,
} from '@assurance/contracts-events';
import { provenanceDocument } from './provenance';

export interface Trail {
  readonly org: string;
  /** The flow's id, and its name when the trail began. */
  readonly flow: { readonly id: string; readonly name: string };
  readonly name: string;
  readonly templateId: string;
  readonly commit: CommitInfo | null;
  /** Integer milliseconds. */
  readonly createdAt: number;
  readonly createdBy: string;
  readonly lastModifiedAt: number;
}

/** A trail's artifacts are no part of its head (they have no bound): see `provenances`. */
export const trail: Aggregate<Trail, TrailEvent> = {
  kind: 'trail',
  heads: {
    name: 'trails',
    indexes: [
      {
        name: 'by_flow',
        fields: [
          ['flow.id', 'asc'],
          ['createdAt', 'desc'],
          ['name', 'asc'],
        ],
      },
    ],
  },
  fold: 1,
  evolve(state, event, meta) {
    if (event.type === 'TrailBegun') {
      return { ...event.data, org: meta.org, createdAt: meta.at, createdBy: meta.actor, lastModifiedAt: meta.at };
    }
    if (state === null) throw new UnexpectedEvent(event, meta);
    return { ...state, lastModifiedAt: meta.at };
  },
  kept: (_state, event, meta) => (event.type === 'ArtifactReported' ? [provenanceDocument(event, meta)] : []),
};

/** An artifact that was reported to a flow without a trail (the legacy form). */
export interface LooseArtifact {
  readonly org: string;
  readonly flow: string;
  readonly fingerprint: string;
}

export const looseArtifact: Aggregate<LooseArtifact, ArtifactEvent> = {
  kind: 'artifact',
  heads: { name: 'loose_artifacts', indexes: [] },
  fold: 1,
  evolve: (_state, { data }, { org, stream }) => ({
    org,
    flow: keyOf(stream).split('/')[0] ?? '',
    fingerprint: data.fingerprint,
  }),
  kept: (_state, event, meta) => [provenanceDocument(event, meta)],
};
