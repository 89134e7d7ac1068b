import type { EventMeta } from '@assurance/contracts/events/event';
import { kindOf } from '@assurance/contracts/events/streams';
import type { AttestationReported } from '@assurance/contracts/evidence/events';
import type {
  ArtifactReported,
  FlowTemplate,
  TrailBegun,
  TrailEvent,
  TrailSettings,
  TrailUpdated,
} from '@assurance/contracts/flows/events';
import { commitsOf, eventsOf, metaOf } from '@assurance/event-sourcing/sealing/read';
import {
  type AttestationDocument,
  attestationDocuments,
  newestAttestationId,
  subjectOf,
  subjectsOf,
  TRAIL_SUBJECT,
} from '@assurance/flows/domain/attestation';
import { requirementsOf, trailStatus, type TrailStatus } from '@assurance/flows/domain/compliance';
import { provenanceDocument, type ProvenanceDocument } from '@assurance/flows/domain/provenance';
import { looseArtifact } from '@assurance/flows/domain/trail';
import type { EventStore } from '@assurance/storage-ports';
import type { Scope } from '../scope';
import { COMPONENTS, FINDINGS, PAYLOAD } from './chain';
import { type ProvedFlow, type SetTemplate, templateOf } from './flow';

/** The data of an event, with its position and time. */
export interface Recorded<Event> {
  readonly data: Event extends { readonly data: infer Data } ? Data : never;
  readonly meta: EventMeta;
}

/** The recorded events of a stream that belong in the package. Payloads are not read here. */
export interface Record {
  readonly settings: Partial<TrailSettings>;
  /** The template that applies to it. */
  readonly template: SetTemplate;
  readonly status: TrailStatus;
  /** In the order of the stream, like the next two lists. */
  readonly set: readonly (Recorded<TrailBegun> | Recorded<TrailUpdated>)[];
  readonly reports: readonly Recorded<ArtifactReported>[];
  readonly attestations: readonly Recorded<AttestationReported>[];
  /** Ids of the attestations that count, because they are the newest of their target and name. */
  readonly countingIds: ReadonlySet<string>;
}

/** How many artifacts of a trail are judged: the newest ones, as in answers of the API. */
const JUDGED_MAX = 1_000;

/**
 * Reads a stream up to a commit. Later commits are not in the package.
 *
 * @param to seq
 */
export async function readRecord(events: EventStore, scope: Scope, to: number, flow: ProvedFlow): Promise<Record> {
  const set: (Recorded<TrailBegun> | Recorded<TrailUpdated>)[] = [];
  const reports: Recorded<ArtifactReported>[] = [];
  const attestations: Recorded<AttestationReported>[] = [];
  for await (const commit of commitsOf(events, scope.stream, 1, to)) {
    const meta = metaOf(commit);
    for (const event of (await eventsOf(events, commit, isRead)) as TrailEvent[]) {
      switch (event.type) {
        case 'TrailBegun':
        case 'TrailUpdated':
          set.push({ data: event.data, meta });
          break;
        case 'ArtifactReported':
          reports.push({ data: event.data, meta });
          break;
        case 'AttestationReported':
          attestations.push({ data: event.data, meta });
          break;
        case 'AttestationPayloadKept':
        case 'ComponentsListed':
        case 'FindingsListed':
          break;
      }
    }
  }
  const scopedEvents = inScope(scope, reports, attestations);
  const ids = [...set, ...reports, ...attestations].sort((a, b) => a.meta.seq - b.meta.seq);
  const templateId = ids.reduce((id, { data }) => data.templateId ?? id, flow.flow.templateId);
  const template = ownTemplate(set, templateId) ?? (await templateOf(events, flow, templateId));
  const newest = newestOf(scopedEvents.attestations);
  const status = trailStatus(
    narrowTemplate(template.template, scope, scopedEvents.reports),
    reportedOf(scopedEvents.reports),
    newest,
  );
  const settings = Object.assign({}, ...set.map(({ data }) => data)) as Partial<TrailSettings>;
  return { settings, template, status, set, ...scopedEvents, countingIds: new Set(newest.map(({ id }) => id)) };
}

/** The types of events that are not read here, because a package has their data only in its chain. */
const UNREAD: readonly string[] = [PAYLOAD, COMPONENTS, FINDINGS];
const isRead = (type: string) => !UNREAD.includes(type);

/** A template that the trail itself set; null if the trail did not set it. */
function ownTemplate(set: Record['set'], id: string): SetTemplate | null {
  for (const { data, meta } of set) {
    const { template, templateId } = data;
    const { stream, seq } = meta;
    if (template !== undefined && templateId === id) return { id, template, recorded: { stream, seq } };
  }
  return null;
}

type ReportedEvents = Pick<Record, 'reports' | 'attestations'>;

/** The events of a stream that concern the subject of the package. */
function inScope(
  { fingerprint, attestation }: Scope,
  reports: ReportedEvents['reports'],
  attestations: ReportedEvents['attestations'],
): ReportedEvents {
  if (attestation !== null) {
    const own = attestations.filter(({ data }) => data.id === attestation);
    return { reports: reports.filter(({ data }) => data.fingerprint === fingerprint), attestations: own };
  }
  if (fingerprint === null) return { reports, attestations };
  const own = reports.filter(({ data }) => data.fingerprint === fingerprint);
  const subjects = new Set([
    TRAIL_SUBJECT,
    ...own.flatMap(({ data }) => subjectsOf({ fingerprint, ...data.provenance })),
  ]);
  return { reports: own, attestations: attestations.filter(({ data }) => subjects.has(subjectOf(data.target))) };
}

/**
 * The part of the template that applies. For a package of one artifact it has this artifact only, and for a package of an attestation it has none.
 */
function narrowTemplate(
  template: FlowTemplate,
  { fingerprint, attestation }: Scope,
  reports: ReportedEvents['reports'],
): FlowTemplate {
  if (!('yaml' in template)) return template;
  const { attestations, artifacts } = requirementsOf(template);
  if (attestation !== null) return { ...template, trail: { attestations: [], artifacts: [] } };
  if (fingerprint === null) return template;
  const names = new Set(reports.map(({ data }) => data.provenance.template));
  return { ...template, trail: { attestations, artifacts: artifacts.filter(({ name }) => names.has(name)) } };
}

function newestOf(attestations: ReportedEvents['attestations']): AttestationDocument[] {
  const newest = new Map<string, AttestationDocument>();
  for (const { data, meta } of attestations) {
    const [document] = attestationDocuments({ type: 'AttestationReported', version: 1, data }, meta);
    const doc = document?.doc as AttestationDocument;
    newest.set(newestAttestationId(doc.stream, doc.subject, doc.name), doc);
  }
  return [...newest.values()];
}

/** The artifacts, newest first. If an artifact was reported again, its first report counts. */
function reportedOf(reports: ReportedEvents['reports']) {
  const results = new Map<string, ProvenanceDocument>();
  for (const { data, meta } of reports) {
    const { doc } = provenanceDocument({ type: 'ArtifactReported', version: 1, data }, meta);
    results.set(data.fingerprint, doc as ProvenanceDocument);
  }
  return [...results.values()]
    .sort((a, b) => b.first.reportedAt - a.first.reportedAt)
    .slice(0, JUDGED_MAX)
    .map(({ fingerprint, first }) => {
      const { artifactId, template, gitCommit } = first;
      return { fingerprint, artifactId, template, gitCommit };
    });
}

/** Whether the artifact was reported without a trail (the legacy form). */
export function isWithoutTrail({ stream }: Pick<Scope, 'stream'>): boolean {
  return kindOf(stream) === looseArtifact.kind;
}
