import { type CollectionShape, index, type InlineProjection } from '@assurance/contracts/events/aggregate';
import type { EventMeta } from '@assurance/contracts/events/event';
import { streams } from '@assurance/contracts/events/streams';
import type { ArtifactReported, Provenance } from '@assurance/contracts/flows/events';

/** Flow and trail of a fingerprint: one document for each fingerprint and stream. Gates, reports and evaluations read it. */
export interface ProvenanceDocument {
  readonly org: string;
  readonly fingerprint: string;
  /** The stream that reported it: `trail/...` or `artifact/...`. */
  readonly stream: string;
  /** The first report in that stream. */
  readonly first: Provenance;
  /** The digest of the latest report (see `ArtifactReported`). */
  readonly reported: string;
  /** The newest report in that stream. Missing in documents of earlier versions. */
  readonly latest?: LatestReport;
}

/** The commit of a report, and the fields that lists show. */
interface LatestReport {
  readonly seq: number;
  /** Integer milliseconds. */
  readonly at: number;
  /** Addresses, if they differ from the first report. */
  readonly buildUrl?: string;
  readonly commitUrl?: string;
}

export const provenances: CollectionShape<ProvenanceDocument> = {
  name: 'provenances',
  deferred: 'first',
  indexes: [
    index('by_fingerprint', 'org', 'fingerprint', 'first.reportedAt', 'first.artifactId'),
    index('by_commit', 'org', 'first.gitCommit', '-first.reportedAt', '-first.artifactId'),
    index('by_stream', 'stream', '-first.reportedAt'),
    index('by_flow_and_fingerprint', 'first.flow.id', 'fingerprint', '-first.reportedAt', '-first.artifactId'),
    index('by_flow_and_commit', 'first.flow.id', 'first.gitCommit', '-first.reportedAt', '-first.artifactId'),
    index('by_flow_newest', 'first.flow.id', '-first.reportedAt', '-first.artifactId'),
    index(
      'by_flow_and_branch_newest',
      'first.flow.id',
      'first.commit.branch',
      '-first.reportedAt',
      '-first.artifactId',
    ),
  ],
};

/** Returns the id of the document of a fingerprint in a stream. */
export function provenanceId(fingerprint: string, stream: string): string {
  return `${fingerprint}@${stream}`;
}

/** Returns the id of the document of a fingerprint in a trail, or directly in the flow if it was reported without a trail. */
export function reportId({
  flow,
  trail,
  fingerprint,
}: {
  readonly flow: string;
  readonly trail: string | null;
  readonly fingerprint: string;
}): string {
  return provenanceId(fingerprint, trail === null ? streams.artifact(flow, fingerprint) : streams.trail(flow, trail));
}

/** Returns the document of a report. */
export function provenanceDocument({ data }: ArtifactReported, { org, stream, seq, at }: EventMeta): InlineProjection {
  const { buildUrl, commitUrl } = data.provenance;
  const first = data.first ?? data.provenance;
  const doc: ProvenanceDocument = {
    org,
    fingerprint: data.fingerprint,
    stream,
    first,
    reported: data.reported,
    latest: {
      seq,
      at,
      ...(buildUrl === null || buildUrl === first.buildUrl ? {} : { buildUrl }),
      ...(commitUrl === null || commitUrl === first.commitUrl ? {} : { commitUrl }),
    },
  };
  return { collection: provenances, id: provenanceId(data.fingerprint, stream), doc };
}
