import type { SnapshotRecorded } from '@assurance/contracts/environments/events';
import type { ArtifactReported } from '@assurance/contracts/flows/events';
import { BATCH, batches, removeDuplicates, LARGE, putRows } from '@assurance/event-sourcing/projection/batches';
import type { RecordedEvent } from '@assurance/event-sourcing/projection/view';
import { groupBy, mapInSlices, waitForAll, pieces, Slices, yieldToOthers } from '@assurance/kernel';
import { type Collection, type Documents, pagesAmong } from '@assurance/storage-ports';
import { firstStartReader, withFirsts } from './kinds';
import { recordLines } from './lines';
import { firstOf, type Origin } from './origin';
import { cachedFirsts, type FingerprintReports, firstReportReader, isSameOrigin, readReports } from './reports';
import { type OriginOf, RecentStarts } from './recent-starts';
import { reviseLists } from './revise-lists';
import {
  type DepartureRow,
  departures,
  type DeploymentRow,
  deployments,
  reportOf,
  type ReportRow,
  reports,
  rowId,
  type Rows,
  rowsOf,
} from './rows';
import { PendingComputations } from './pending-computations';
import { snapshotTimesBefore } from './snapshot-times';

/** The events of both sides of the join. */
export type JoinedEvent = SnapshotRecorded | ArtifactReported;

type JoinedRow = DeploymentRow | DepartureRow;

/** Rows that are added together. */
interface AddedRows {
  readonly arrived: Rows<DeploymentRow>;
  readonly departed: Rows<DepartureRow>;
  /** The environments whose kinds and pairs are decided, with the origins that decided, by fingerprint. */
  readonly decided: ReadonlyMap<string, ReadonlyMap<string, Origin | null>>;
  /** The first report of each fingerprint, as far as this process knows it. */
  readonly before: ReadonlyMap<string, Pick<FingerprintReports, 'first'>>;
}

/** How many deployments, and how many departures, are added together. More would block the thread for too long. */
const PORTION = 4_000;

/** Takes snapshots and reports of one organization: it writes the rows of both, then reads the rows of others, then revises lists. */
export async function join(
  documents: Documents,
  org: string,
  recorded: readonly RecordedEvent<JoinedEvent>[],
): Promise<void> {
  const reported = new Map<string, ReportRow>();
  for (const { event, meta } of recorded) if (event.type === 'ArtifactReported') reported.set(...reportOf(event, meta));
  await putRows(documents.collection<ReportRow>(reports), reported);
  const arrived = new Map<string, DeploymentRow>();
  const remaining = new Map<string, DepartureRow>();
  const settling = new PendingComputations();
  const snapshots = recorded.filter(isSnapshot);
  const timeBefore = await snapshotTimesBefore(documents, snapshots);
  const recent = new RecentStarts(documents, snapshots);
  for (const { event, meta } of snapshots) {
    if (event.data.changes.length > LARGE) await yieldToOthers();
    const rows = await rowsOf(event, meta, timeBefore(meta, event.data.snapshot));
    for (const [id, row] of rows.deployments) arrived.set(id, row);
    for (const [id, row] of rows.departures) remaining.set(id, row);
    if (Math.max(arrived.size, remaining.size) < PORTION) continue;
    await addPortions(documents, org, arrived, remaining, { recent, settling });
    arrived.clear();
    remaining.clear();
  }
  await addPortions(documents, org, arrived, remaining, { recent, settling });
  await settling.settle(documents, org);
  recent.keep();
  await completeReported(documents, org, [...reported.values()]);
}

async function addPortions(
  documents: Documents,
  org: string,
  arrived: Rows<DeploymentRow>,
  remaining: Rows<DepartureRow>,
  { recent, settling }: { readonly recent: RecentStarts; readonly settling: PendingComputations },
): Promise<void> {
  const [come, gone] = [pieces([...arrived], PORTION), pieces([...remaining], PORTION)];
  if (come.length > 1 || gone.length > 1) recent.forget();
  for (let i = 0; i < Math.max(come.length, gone.length); i += 1) {
    const [started, departed] = [new Map(come[i]), new Map(gone[i])];
    if (started.size + departed.size === 0) continue;
    // Write the cached reports with the rows, so that most rows are written once. The later read finds reports that arrived since.
    const [withFirst, before] = await waitForAll([
      withFirsts(documents, org, started),
      cachedFirsts(documents, org, fingerprintsOf(started, departed)),
    ]);
    const decided = await decideRows(documents, withFirst, departed, recent, firstReportReader(documents, org));
    const { stated, settled } = await addRows(documents, org, { ...decided, before });
    settling.snapshot(decided.arrived, decided.departed, stated, settled);
  }
}

/** Rows with the kinds and pairs that the newest starts decide. */
type DecidedRows = Omit<AddedRows, 'before'>;

async function decideRows(
  documents: Documents,
  arrived: Rows<DeploymentRow>,
  departed: Rows<DepartureRow>,
  recent: RecentStarts,
  originOf: OriginOf,
): Promise<DecidedRows> {
  const all = {
    arrived: new Map(arrived),
    departed: new Map(departed),
    decided: new Map<string, ReadonlyMap<string, Origin | null>>(),
  };
  const [come, gone] = [
    groupBy(arrived.values(), ({ environment }) => environment),
    groupBy(departed.values(), ({ environment }) => environment),
  ];
  const firstStartOf = firstStartReader(documents);
  await mapInSlices(new Set([...come.keys(), ...gone.keys()]), (environment) => {
    const [own, left] = [come.get(environment) ?? [], gone.get(environment) ?? []];
    const decision = recent.decide(environment, own, left, originOf, firstStartOf);
    if (decision === null) return;
    for (const row of decision.returns) all.arrived.set(idOf(row), row);
    for (const row of decision.completions) all.departed.set(idOf(row), row);
    all.decided.set(environment, decision.origins);
  });
  return all;
}

function idOf({ environment, snapshot, fingerprint }: JoinedRow): string {
  return rowId(environment, snapshot, fingerprint);
}

export function isSnapshot(event: RecordedEvent<JoinedEvent>): event is RecordedEvent<SnapshotRecorded> {
  return event.event.type === 'SnapshotRecorded';
}

/**
 * Adds rows, and reads the reports of their fingerprints afterwards.
 *
 * @returns these reports, and the environments whose decided rows are as they would be if all were read now
 */
async function addRows(
  documents: Documents,
  org: string,
  { arrived, departed, decided, before }: AddedRows,
): Promise<{ readonly stated: ReadonlyMap<string, FingerprintReports>; readonly settled: ReadonlySet<string> }> {
  const own = fingerprintsOf(arrived, departed);
  const fingerprints = removeDuplicates([...own, ...[...decided.values()].flatMap((origins) => [...origins.keys()])]);
  const addAll = async (come: Rows<DeploymentRow>, gone: Rows<DepartureRow>, stated: AddedRows['before']) => {
    const existing = await waitForAll([
      add(documents.collection(deployments), come, stated),
      add(documents.collection(departures), gone, stated),
    ]);
    return new Set(existing.flat());
  };
  const rows = [...arrived.values(), ...departed.values()];
  // Lines are recorded before reports are read: who takes a report meanwhile finds the rows and their lines.
  const record = (stated: AddedRows['before']) =>
    recordLines(
      documents,
      rows.map((row) => ({ ...row, origin: stated.get(row.fingerprint)?.first ?? null })),
    );
  const existing = await addAll(arrived, departed, before);
  await record(before);
  let stated = await readReports(documents, org, fingerprints);
  const originOf = (fingerprint: string) => stated.get(fingerprint)?.first ?? null;
  const moved = new Set(
    own.filter((fingerprint) => !isSameOrigin(originOf(fingerprint), before.get(fingerprint)?.first ?? null)),
  );
  if (moved.size > 0) {
    await addAll(rowsOfFingerprints(arrived, moved), rowsOfFingerprints(departed, moved), stated);
    stated = await readReports(documents, org, fingerprints);
    await record(stated);
  }
  const settled = [...decided].flatMap(([environment, origins]) => {
    const isSame = [...origins].every(([fingerprint, origin]) => isSameOrigin(originOf(fingerprint), origin));
    return isSame && !existing.has(environment) ? [environment] : [];
  });
  return { stated, settled: new Set(settled) };
}

function fingerprintsOf(arrived: Rows<DeploymentRow>, departed: Rows<DepartureRow>): string[] {
  return removeDuplicates([...arrived.values(), ...departed.values()].map(({ fingerprint }) => fingerprint));
}

function rowsOfFingerprints<T extends JoinedRow>(rows: Rows<T>, fingerprints: ReadonlySet<string>): Rows<T> {
  return new Map([...rows].filter(([, { fingerprint }]) => fingerprints.has(fingerprint)));
}

/**
 * Adds missing rows. Existing rows are equal except for their origin, which may change to an earlier report, and for what other rows decide.
 *
 * @returns the environments that had one of the rows
 */
async function add<T extends JoinedRow>(
  collection: Collection<T>,
  rows: Rows<T>,
  stated: ReadonlyMap<string, Pick<FingerprintReports, 'first'>>,
): Promise<string[]> {
  const slices = new Slices();
  const existing: string[] = [];
  for (const ids of batches([...rows.keys()])) {
    await slices.pause();
    await collection.merge(ids, (current, id) => {
      const row = rows.get(id);
      if (row === undefined) return undefined;
      const origin = stated.get(row.fingerprint)?.first ?? null;
      if (current === null) return { ...row, origin };
      existing.push(row.environment);
      return withOrigin(current, origin);
    });
  }
  return existing;
}

/** Completes all rows of fingerprints that have their first report among these. For others, the consumer of the first report completes the rows. */
export async function completeReported(
  documents: Documents,
  org: string,
  reported: readonly { readonly fingerprint: string; readonly origin: Pick<Origin, 'artifactId'> }[],
): Promise<void> {
  const stated = await readReports(documents, org, removeDuplicates(reported.map(({ fingerprint }) => fingerprint)));
  const firsts = new Map<string, Origin>();
  for (const { fingerprint, origin } of reported) {
    const first = stated.get(fingerprint)?.first;
    if (first?.artifactId === origin.artifactId) firsts.set(fingerprint, first);
  }
  const settling = new PendingComputations();
  const deployed = completeRows<DeploymentRow>(documents.collection(deployments), org, firsts, async (rows) => {
    settling.origin(rows);
    const fingerprints = removeDuplicates(rows.map(({ fingerprint }) => fingerprint));
    await waitForAll([
      recordLines(documents, rows),
      readReports(documents, org, fingerprints).then((known) => reviseLists(documents, org, rows, known)),
    ]);
  });
  const departed = completeRows<DepartureRow>(documents.collection(departures), org, firsts, async (rows) => {
    await recordLines(documents, rows);
    settling.origin(rows);
  });
  await waitForAll([deployed, departed]);
  await settling.settleLate(documents, org);
}

/**
 * Completes every row of fingerprints.
 *
 * @param written receives these rows in batches, changed or not
 */
async function completeRows<T extends JoinedRow>(
  collection: Collection<T>,
  org: string,
  firsts: ReadonlyMap<string, Origin>,
  written: (rows: readonly T[]) => Promise<void>,
): Promise<void> {
  // Rows are added and never removed.
  for await (const page of pagesAmong(collection, { org }, 'fingerprint', firsts.keys(), BATCH)) {
    const late = page.filter(({ doc }) => withOrigin(doc, firsts.get(doc.fingerprint) ?? null) !== undefined);
    const ids = late.map(({ id }) => id);
    if (ids.length > 0)
      await collection.merge(ids, (row) => withOrigin(row, firsts.get(row?.fingerprint ?? '') ?? null));
    const complete = (row: T) => ({ ...row, origin: firstOf(row.origin, firsts.get(row.fingerprint) ?? null) });
    await written(page.map(({ doc }) => complete(doc)));
  }
}

/** Returns a row with an earlier origin, or undefined if the row already has this or an earlier one. */
function withOrigin<T extends JoinedRow>(row: T | null, origin: Origin | null): T | undefined {
  if (row === null) return undefined;
  const first = firstOf(row.origin, origin);
  return first === null || isSameOrigin(first, row.origin) ? undefined : { ...row, origin: first };
}
