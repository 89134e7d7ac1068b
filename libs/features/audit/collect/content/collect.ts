import { actorsOf } from '@assurance/access/lookups/actors';
import type { EnvironmentEvent } from '@assurance/contracts/environments/events';
import { streams } from '@assurance/contracts/events/streams';
import type { Attachment } from '@assurance/contracts/evidence/events';
import { BrokenRecord, commitAt } from '@assurance/event-sourcing/sealing/read';
import type { Settings } from '@assurance/event-sourcing/tokens';
import { groupBy } from '@assurance/kernel';
import type { Commit, Engines } from '@assurance/storage-ports';
import { type Chain, type Heading, jsonText } from '../../package/manifest';
import type { AuditReport } from '../../package/pdf/report';
import { writeReport } from '../../package/pdf/write';
import { type Contents, type PackageFile, textFile } from '../../package/write';
import type { VulnerabilitiesInView } from '@assurance/vulnerabilities/read/known-vulnerabilities';
import type { Scope } from '../scope';
import { artifactFiles, artifactsOf } from './artifacts';
import { AttestationFiles } from './attestations';
import { filterBySubject, ChainFiles, type CommitRange, commitRangeTo, type EventFilter, rangesOf } from './chain';
import { DroppedEvidence } from './dropped-evidence';
import { aboutFlow, flowFiles, readFlow } from './flow';
import { policiesOf } from './policies';
import { isWithoutTrail, readRecord } from './recorded';
import { reportOf, trailJson, verdictJson } from './report';
import { type Run, runsOf } from './runs';
import { vexOf } from './vex';

/** An attachment that the package contains, and its attestation. */
interface AttachmentOf extends Attachment {
  readonly attestation: string;
}

type Ports = Pick<Engines, 'events' | 'documents' | 'blobs'>;

/**
 * The content of a package, without later commits. It reads a file only when the file is needed, so a package of any size takes little memory.
 *
 * @throws BrokenRecord if the store has lost data
 */
export async function collect(
  engines: Ports,
  { publicUrl: url, region }: Settings,
  vulnerabilities: VulnerabilitiesInView,
  requestedScope: Scope,
): Promise<
  Pick<Contents, 'heading' | 'files' | 'silent' | 'sboms' | 'vex'> & { readonly attachments: readonly AttachmentOf[] }
> {
  const { events, documents } = engines;
  const nameOf = actorsOf(documents);
  const newest = await events.newest(requestedScope.stream);
  if (newest === null) throw new BrokenRecord(`${requestedScope.stream} is gone`);
  const range = await commitRangeTo(engines, 1, newest);
  const flow = await readFlow(engines, requestedScope.flow.id);
  const scope = { ...requestedScope, flow: flow.flow };
  const record = await readRecord(events, scope, range.to.seq, flow);
  const fingerprints = [...new Set(record.reports.map(({ data }) => data.fingerprint))];
  const { runs, cut } = await runsOf(engines, scope.org.id, scope.flow.id, fingerprints);
  const droppedEvidence = await DroppedEvidence.read(engines, scope, record.attestations);
  const vex = await vexOf(engines, vulnerabilities, scope.org.id, record, nameOf);
  const commits = [...(await allowanceCommits(events, runs)), ...(vex?.commits ?? [])];
  if (droppedEvidence.range !== null) commits.push(droppedEvidence.range.to);
  const last = newestOf([range.to, flow.range.to, ...commits], runs);
  const heading: Heading = {
    what: scope.what,
    at: last.at,
    by: { id: last.actor, name: await nameOf(last.actor) },
    service: { url, region },
    dropped: droppedEvidence.droppedFiles,
  };
  const artifacts = artifactsOf(record, runs);
  const policies = await policiesOf(engines, runs, nameOf);
  const ids = new Set([...record.attestations.map(({ data }) => data.id), ...fingerprints]);
  const selects = droppedEvidence.excludeDropped(scope.what.kind === 'trail' ? () => true : filterBySubject(ids));

  const attestationFiles = new AttestationFiles(engines, record, droppedEvidence, nameOf);

  async function* files(): AsyncGenerator<PackageFile, readonly Chain[]> {
    const chains = new ChainFiles(events);
    yield textFile('verdict.json', jsonText({ ...verdictJson(record), older_runs_left_out: cut }));
    if (!isWithoutTrail(scope)) yield textFile('trail.json', jsonText(trailJson({ scope, record })));
    yield* chains.filesOf(range, selects, (commit) => attestationFiles.filesOf(commit));
    yield* artifactFiles(artifacts, nameOf);
    yield* flowFiles(flow, record.template);
    yield* chains.filesOf(flow.range, aboutFlow(flow, record.template.id));
    for (const { versions, range: commitRange, events: policyEvents } of policies) {
      for (const version of versions) yield* version.files;
      yield* chains.filesOf(commitRange, policyEvents);
    }
    for (const { range: commitRange, events: snapshotEvents } of await snapshotRanges(engines, runs))
      yield* chains.filesOf(commitRange, snapshotEvents);
    if (droppedEvidence.range !== null) yield* chains.filesOf(droppedEvidence.range, droppedEvidence.proves);
    if (vex !== null) {
      yield vex.file;
      for (const commitRange of vex.ranges) yield* chains.filesOf(commitRange, vex.events);
    }
    const parts = { scope, heading, record, artifacts, runs, cut, policies, vex, nameOf };
    const { rows: evidence, sboms } = attestationFiles;
    yield await reportFile(await reportOf({ ...parts, evidence, sboms, chains: chains.chains }));
    return chains.chains;
  }
  const attachments = record.attestations.flatMap(({ data: { id, attachments: own } }) =>
    droppedEvidence.rule(id, 'attachments') === null
      ? own.map((attachment) => ({ ...attachment, attestation: id }))
      : [],
  );
  return {
    heading,
    files: files(),
    silent: attestationFiles.silentAttestations,
    sboms: attestationFiles.sboms,
    vex: vex?.manifest ?? null,
    attachments,
  };
}

/** The path of the report in a package. */
const REPORT = 'report.pdf';

/** Makes only the report. It does not read the contents of other files. */
export async function reportIn(files: AsyncGenerator<PackageFile, unknown>): Promise<Buffer> {
  const content: Uint8Array[] = [];
  for await (const file of files) {
    if (file.path === REPORT) for await (const piece of file.content) content.push(piece);
  }
  return Buffer.concat(content);
}

/** Makes the whole report in memory, because tar needs the size of a file before its content. The report has a bounded number of rows. */
async function reportFile(report: AuditReport): Promise<PackageFile> {
  const content: Uint8Array[] = [];
  for await (const piece of writeReport(report)) content.push(piece as Uint8Array);
  return { path: REPORT, size: content.reduce((sum, { length }) => sum + length, 0), content };
}

/** The time and the actor of the newest event in a package. */
function newestOf(commits: readonly [Commit, ...Commit[]], runs: readonly Run[]): Pick<Commit, 'at' | 'actor'> {
  const moments = runs.flatMap(({ since, until }) => (until === null ? [since] : [since, until]));
  return [...commits, ...moments].reduce<Pick<Commit, 'at' | 'actor'>>((a, b) => (b.at > a.at ? b : a), commits[0]);
}

/** The commits that recorded the entries of allow-lists. */
async function allowanceCommits(events: Ports['events'], runs: readonly Run[]): Promise<Commit[]> {
  const places = new Map<string, readonly [stream: string, seq: number]>();
  for (const { environment, allowance } of runs) {
    if (allowance === null || allowance.seq === null) continue;
    const stream = streams.environment(environment.id);
    places.set(`${stream}\n${allowance.seq}`, [stream, allowance.seq]);
  }
  const commits: Commit[] = [];
  for (const [stream, seq] of places.values()) commits.push(await commitAt(events, stream, seq));
  return commits;
}

/** The ranges of environments' streams that contain the snapshots in which runs began and ended. */
async function snapshotRanges(
  engines: Ports,
  runs: readonly Run[],
): Promise<{ readonly range: CommitRange; readonly events: EventFilter }[]> {
  const result: { range: CommitRange; events: EventFilter }[] = [];
  for (const [environment, own] of groupBy(runs, (run) => run.environment.id)) {
    const stream = streams.environment(environment);
    const seqs = new Set(
      own.flatMap(({ since, until, allowance }) => [since.seq, until?.seq ?? since.seq, allowance?.seq ?? since.seq]),
    );
    const eventFilter: EventFilter = ({ type }, { seq }) => seqs.has(seq) && PACKAGED_TYPES.has(type);
    for (const range of await rangesOf(engines, stream, seqs)) result.push({ range, events: eventFilter });
  }
  return result;
}

/** The types of environment events that are packaged with their data: the changes of snapshots, their verdicts, and allow-list entries. */
const PACKAGED_TYPES: ReadonlySet<string> = new Set<EnvironmentEvent['type']>([
  ...(['SnapshotRecorded', 'VerdictsKept'] as const),
  ...(['ArtifactAllowed', 'AllowanceRevised', 'AllowanceEnding'] as const),
]);
