import type { SnapshotRecorded } from '@assurance/contracts/environments/events';
import type { ArtifactReported } from '@assurance/contracts/flows/events';
import { BATCH, batches, removeDuplicates, LARGE, putRows } from '@assurance/event-sourcing/projection/batches';
import type { RecordedEvent } from '@assurance/event-sourcing/projection/view';
import { waitForAll, pieces, Slices, yieldToOthers } from '@assurance/kernel';
import { type Collection, type Documents, pagesAmong } from '@assurance/storage-ports';
import { withFirsts } from './kinds';
import { recordLines } from './lines';
import { firstOf, type Origin } from './origin';
import { cachedFirsts, type FingerprintReports, isSameOrigin, readReports } from './reports';
import { reviseLists } from './revise-lists';
import {
  type DepartureRow,
  departures,
  type DeploymentRow,
  deployments,
  reportOf,
  type ReportRow,
  reports,
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
  for (const { event, meta } of snapshots) {
    if (event.data.changes.length > LARGE) await yieldToOthers();
    const rows = await rowsOf(event, meta, timeBefore(meta, event.data.snapshot));
    for (const [id, row] of rows.deployments) arrived.set(id, row);
    for (const [id, row] of rows.departures) remaining.set(id, row);
    if (Math.max(arrived.size, remaining.size) < PORTION) continue;
    await addPortions(documents, org, arrived, remaining, settling);
    arrived.clear();
    remaining.clear();
  }
  await addPortions(documents, org, arrived, remaining, settling);
  await settling.settle(documents, org);
  await completeReported(documents, org, [...reported.values()]);
}

async function addPortions(
  documents: Documents,
  org: string,
  arrived: Rows<DeploymentRow>,
  remaining: Rows<DepartureRow>,
  settling: PendingComputations,
): Promise<void> {
  const [come, gone] = [pieces([...arrived], PORTION), pieces([...remaining], PORTION)];
  for (let i = 0; i < Math.max(come.length, gone.length); i += 1) {
    const [started, departed] = [new Map(come[i]), new Map(gone[i])];
    if (started.size + departed.size === 0) continue;
    // Write the cached reports with the rows, so that most rows are written once. The later read finds reports that arrived since.
    const [arrived, before] = await waitForAll([
      withFirsts(documents, org, started),
      cachedFirsts(documents, org, fingerprintsOf(started, departed)),
    ]);
    const stated = await addRows(documents, org, { arrived, departed, before });
    settling.snapshot(arrived, departed, stated);
  }
}

export function isSnapshot(event: RecordedEvent<JoinedEvent>): event is RecordedEvent<SnapshotRecorded> {
  return event.event.type === 'SnapshotRecorded';
}

/** @returns the reports of the fingerprints, read after the rows were written */
async function addRows(
  documents: Documents,
  org: string,
  { arrived, departed, before }: AddedRows,
): Promise<ReadonlyMap<string, FingerprintReports>> {
  const fingerprints = fingerprintsOf(arrived, departed);
  const addAll = (come: Rows<DeploymentRow>, gone: Rows<DepartureRow>, stated: AddedRows['before']) =>
    waitForAll([
      add(documents.collection(deployments), come, stated),
      add(documents.collection(departures), gone, stated),
    ]);
  await addAll(arrived, departed, before);
  let stated = await readReports(documents, org, fingerprints);
  const moved = fingerprints.filter(
    (fingerprint) => !isSameOrigin(stated.get(fingerprint)?.first ?? null, before.get(fingerprint)?.first ?? null),
  );
  if (moved.length > 0) {
    const late = new Set(moved);
    await addAll(rowsOfFingerprints(arrived, late), rowsOfFingerprints(departed, late), stated);
    stated = await readReports(documents, org, fingerprints);
  }
  const from = (row: JoinedRow) => ({ ...row, origin: stated.get(row.fingerprint)?.first ?? null });
  await recordLines(documents, [...arrived.values(), ...departed.values()].map(from));
  return stated;
}

function fingerprintsOf(arrived: Rows<DeploymentRow>, departed: Rows<DepartureRow>): string[] {
  return removeDuplicates([...arrived.values(), ...departed.values()].map(({ fingerprint }) => fingerprint));
}

function rowsOfFingerprints<T extends JoinedRow>(rows: Rows<T>, fingerprints: ReadonlySet<string>): Rows<T> {
  return new Map([...rows].filter(([, { fingerprint }]) => fingerprints.has(fingerprint)));
}

/** Adds missing rows. Existing rows are equal except for their origin, which may change to an earlier report. */
async function add<T extends JoinedRow>(
  collection: Collection<T>,
  rows: Rows<T>,
  stated: ReadonlyMap<string, Pick<FingerprintReports, 'first'>>,
): Promise<void> {
  const slices = new Slices();
  for (const ids of batches([...rows.keys()])) {
    await slices.pause();
    await collection.merge(ids, (current, id) => {
      const row = rows.get(id);
      if (row === undefined) return undefined;
      const origin = stated.get(row.fingerprint)?.first ?? null;
      return current === null ? { ...row, origin } : withOrigin(current, origin);
    });
  }
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
