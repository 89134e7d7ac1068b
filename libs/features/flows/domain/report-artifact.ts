import type { CommitInfo, RepoRef } from '@assurance/contracts/events/commit';
import type { Flow } from '@assurance/contracts/flows/documents';
import type {
  ArtifactDetails,
  ArtifactReported,
  ExternalUrl,
  Provenance,
  TrailBegun,
} from '@assurance/contracts/flows/events';
import { accepted, canonicalJson, type Decision, noChange, refused, sha256 } from '@assurance/kernel';
import { trailBegunByReport } from './begin-trail';
import type { ProvenanceDocument } from './provenance';
import { templateAfter, type Trail } from './trail';

/** An artifact as reported. */
export interface ReportArtifact {
  readonly fingerprint: string;
  readonly filename: string;
  /** 40 hexadecimal characters. */
  readonly gitCommit: string;
  /** Null for the legacy form. */
  readonly trail: string | null;
  readonly template: string | null;
  readonly commit: CommitInfo | null;
  readonly commitUrl: string | null;
  readonly buildUrl: string | null;
  readonly externalUrls: Readonly<Record<string, ExternalUrl>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Missing if no details were sent. */
  readonly details?: ArtifactDetails;
}

export interface ReportArtifactFacts {
  readonly flow: Pick<Flow, 'id' | 'name' | 'templateId' | 'archived'>;
  readonly repo: RepoRef | null;
  /** The earlier report of the fingerprint in this stream. */
  readonly provenance: ProvenanceDocument | null;
  /** The id of a new artifact. */
  readonly artifactId: string;
  /** Integer milliseconds. */
  readonly at: number;
}

/** The flow is archived and accepts no reports. */
interface FlowArchived {
  readonly kind: 'flow-archived';
  readonly name: string;
}

/** Records the provenance of an artifact. Other data for the same fingerprint is a new event; lead times use the first report. */
export function decideReportArtifact(
  report: ReportArtifact,
  { flow, repo, provenance: current, artifactId, at }: ReportArtifactFacts,
): Decision<ArtifactReported, FlowArchived> {
  if (flow.archived) return refused({ kind: 'flow-archived', name: flow.name });
  const reportDigest = sha256(canonicalJson({ ...report, repo: repo?.id ?? null }));
  if (current?.reported === reportDigest) return noChange;
  const { fingerprint, externalUrls, annotations, details, ...origin } = report;
  const provenance: Provenance = {
    ...origin,
    artifactId: current?.first.artifactId ?? artifactId,
    flow: { id: flow.id, name: flow.name },
    repo,
    reportedAt: at,
  };
  const data = {
    fingerprint,
    provenance,
    first: current?.first ?? null,
    reported: reportDigest,
    externalUrls,
    annotations,
  };
  return accepted({ type: 'ArtifactReported', version: 1, data: details === undefined ? data : { ...data, details } });
}

/** The same in a trail. Begins the trail if it does not exist. */
export function decideReportArtifactInTrail(
  state: Trail | null,
  report: ReportArtifact & { readonly trail: string },
  facts: ReportArtifactFacts,
): Decision<TrailBegun | ArtifactReported, FlowArchived> {
  const decision = decideReportArtifact(report, facts);
  if (decision.kind !== 'events') return decision;
  const [reported] = decision.events;
  if (state === null)
    return accepted<TrailBegun, ArtifactReported>(trailBegunByReport(facts.flow, report.trail), reported);
  return accepted({ ...reported, data: { ...reported.data, ...templateAfter(state, facts.flow) } });
}
