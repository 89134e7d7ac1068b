import type {
  ArtifactReported,
  CollectionShape,
  EventMeta,
  InlineProjection,
  Provenance,
} from '@assurance/contracts-events';

/**
 * The flow and trail that a fingerprint comes from: one document for each (fingerprint, stream). Gates, reports and judging read it.
 */
export interface ProvenanceDocument {
  readonly org: string;
  readonly fingerprint: string;
  /** The stream that reported it: `trail/...` or `artifact/...`. */
  readonly stream: string;
  /** The first report in that stream. */
  readonly first: Provenance;
  /** The digest of the latest report (see `ArtifactReported`). */
  readonly reported: string;
}

export const provenances: CollectionShape<ProvenanceDocument> = {
  name: 'provenances',
  deferred: 'first',
  indexes: [
    {
      name: 'by_fingerprint',
      fields: [
        ['org', 'asc'],
        ['fingerprint', 'asc'],
        ['first.reportedAt', 'asc'],
        ['first.artifactId', 'asc'],
      ],
    },
    {
      name: 'by_commit',
      fields: [
        ['org', 'asc'],
        ['first.gitCommit', 'asc'],
        ['first.reportedAt', 'desc'],
        ['first.artifactId', 'desc'],
      ],
    },
    {
      name: 'by_stream',
      fields: [
        ['stream', 'asc'],
        ['first.reportedAt', 'desc'],
      ],
    },
    {
      name: 'by_flow_and_fingerprint',
      fields: [
        ['first.flow.id', 'asc'],
        ['fingerprint', 'asc'],
        ['first.reportedAt', 'desc'],
        ['first.artifactId', 'desc'],
      ],
    },
    {
      name: 'by_flow_and_commit',
      fields: [
        ['first.flow.id', 'asc'],
        ['first.gitCommit', 'asc'],
        ['first.reportedAt', 'desc'],
        ['first.artifactId', 'desc'],
      ],
    },
    {
      name: 'by_flow_newest',
      fields: [
        ['first.flow.id', 'asc'],
        ['first.reportedAt', 'desc'],
        ['first.artifactId', 'desc'],
      ],
    },
    {
      name: 'by_flow_and_branch_newest',
      fields: [
        ['first.flow.id', 'asc'],
        ['first.commit.branch', 'asc'],
        ['first.reportedAt', 'desc'],
        ['first.artifactId', 'desc'],
      ],
    },
  ],
};

/** The id of the document of a fingerprint in a stream. */
export function provenanceId(fingerprint: string, stream: string): string {
  return `${fingerprint}@${stream}`;
}

/** The document that a report leaves. */
export function provenanceDocument({ data }: ArtifactReported, { org, stream }: EventMeta): InlineProjection {
  const doc: ProvenanceDocument = {
    org,
    fingerprint: data.fingerprint,
    stream,
    first: data.first ?? data.provenance,
    reported: data.reported,
  };
  return { collection: provenances, id: provenanceId(data.fingerprint, stream), doc };
}
