import type { SnapshotRecorded } from '@assurance/contracts/environments/events';
import type { ArtifactReported } from '@assurance/contracts/flows/events';
import { BATCH, batches, removeDuplicates, LARGE, putRows } from '@assurance/event-sourcing/projection/batches';
import type { RecordedEvent } from '@assurance/event-sourcing/projection/view';
import { waitForAll, pieces, Slices, yieldToOthers } from '@assurance/kernel';
import { type Collection, type Documents, findPages } from '@assurance/storage-ports';
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
  readonly arrivedRows: Rows<DeploymentRow>;
  readonly departedRows: Rows<DepartureRow>;
  /** The first report of each fingerprint, as far as this process knows it. */
  readonly before: ReadonlyMap<string, Pick<FingerprintReports, 'first'>>;
}

/** How many deployments, and how many departures, are added together. More would block the thread for too long. */
const PORTION = 4_000;

/** Takes snapshots and reports of one organization: it writes the rows of both, then reads the rows of others, then revises lists. */
export async function join(
  documents: Documents,
  org: string,
  recordedEvents: readonly RecordedEvent<JoinedEvent>[],
): Promise<void> {
  const reportRows = new Map<string, ReportRow>();
  for (const { event, meta } of recordedEvents)
    if (event.type === 'ArtifactReported') reportRows.set(...reportOf(event, meta));
  await putRows(documents.collection<ReportRow>(reports), reportRows);
  const arrivedRows = new Map<string, DeploymentRow>();
  const departedRows = new Map<string, DepartureRow>();
  const computations = new PendingComputations();
  const snapshots = recordedEvents.filter(isSnapshot);
  const timeBefore = await snapshotTimesBefore(documents, snapshots);
  for (const { event, meta } of snapshots) {
    if (event.data.changes.length > LARGE) await yieldToOthers();
    const rows = await rowsOf(event, meta, timeBefore(meta, event.data.snapshot));
    for (const [id, row] of rows.deployments) arrivedRows.set(id, row);
    for (const [id, row] of rows.departures) departedRows.set(id, row);
    if (Math.max(arrivedRows.size, departedRows.size) < PORTION) continue;
    await addPortions(documents, org, arrivedRows, departedRows, computations);
    arrivedRows.clear();
    departedRows.clear();
  }
  await addPortions(documents, org, arrivedRows, departedRows, computations);
  await computations.settle(documents, org);
  await completeReported(documents, org, [...reportRows.values()]);
}

async function addPortions(
  documents: Documents,
  org: string,
  arrivedRows: Rows<DeploymentRow>,
  departedRows: Rows<DepartureRow>,
  computations: PendingComputations,
): Promise<void> {
  const [come, gone] = [pieces([...arrivedRows], PORTION), pieces([...departedRows], PORTION)];
  for (let i = 0; i < Math.max(come.length, gone.length); i += 1) {
    const [started, departedRows] = [new Map(come[i]), new Map(gone[i])];
    if (started.size + departedRows.size === 0) continue;
    // Write the cached reports with the rows, so that most rows are written once. The later read finds reports that arrived since.
    const [arrivedRows, before] = await waitForAll([
      withFirsts(documents, org, started),
      cachedFirsts(documents, org, fingerprintsOf(started, departedRows)),
    ]);
    const stated = await addRows(documents, org, { arrivedRows, departedRows, before });
    computations.snapshot(arrivedRows, departedRows, stated);
  }
}

export function isSnapshot(event: RecordedEvent<JoinedEvent>): event is RecordedEvent<SnapshotRecorded> {
  return event.event.type === 'SnapshotRecorded';
}

/** @returns the reports of the fingerprints, read after the rows were written */
async function addRows(
  documents: Documents,
  org: string,
  { arrivedRows, departedRows, before }: AddedRows,
): Promise<ReadonlyMap<string, FingerprintReports>> {
  const fingerprints = fingerprintsOf(arrivedRows, departedRows);
  const addAll = (come: Rows<DeploymentRow>, gone: Rows<DepartureRow>, stated: AddedRows['before']) =>
    waitForAll([
      add(documents.collection(deployments), come, stated),
      add(documents.collection(departures), gone, stated),
    ]);
  await addAll(arrivedRows, departedRows, before);
  let reportsByFingerprint = await readReports(documents, org, fingerprints);
  const movedFingerprints = fingerprints.filter(
    (fingerprint) =>
      !isSameOrigin(reportsByFingerprint.get(fingerprint)?.first ?? null, before.get(fingerprint)?.first ?? null),
  );
  if (movedFingerprints.length > 0) {
    const late = new Set(movedFingerprints);
    await addAll(rowsOfFingerprints(arrivedRows, late), rowsOfFingerprints(departedRows, late), reportsByFingerprint);
    reportsByFingerprint = await readReports(documents, org, fingerprints);
  }
  const from = (row: JoinedRow) => ({ ...row, origin: reportsByFingerprint.get(row.fingerprint)?.first ?? null });
  await recordLines(documents, [...arrivedRows.values(), ...departedRows.values()].map(from));
  return reportsByFingerprint;
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
  reportsByFingerprint: ReadonlyMap<string, Pick<FingerprintReports, 'first'>>,
): Promise<void> {
  const slices = new Slices();
  for (const ids of batches([...rows.keys()])) {
    await slices.pause();
    await collection.merge(ids, (current, id) => {
      const row = rows.get(id);
      if (row === undefined) return undefined;
      const origin = reportsByFingerprint.get(row.fingerprint)?.first ?? null;
      return current === null ? { ...row, origin } : withOrigin(current, origin);
    });
  }
}

/** Completes all rows of fingerprints that have their first report among these. For others, the consumer of the first report completes the rows. */
export async function completeReported(
  documents: Documents,
  org: string,
  reportedArtifacts: readonly { readonly fingerprint: string; readonly origin: Pick<Origin, 'artifactId'> }[],
): Promise<void> {
  const reportsByFingerprint = await readReports(
    documents,
    org,
    removeDuplicates(reportedArtifacts.map(({ fingerprint }) => fingerprint)),
  );
  const firstOrigins = new Map<string, Origin>();
  for (const { fingerprint, origin } of reportedArtifacts) {
    const first = reportsByFingerprint.get(fingerprint)?.first;
    if (first?.artifactId === origin.artifactId) firstOrigins.set(fingerprint, first);
  }
  const computations = new PendingComputations();
  const deploymentRows = completeRows<DeploymentRow>(
    documents.collection(deployments),
    org,
    firstOrigins,
    async (rows) => {
      computations.origin(rows);
      const fingerprints = removeDuplicates(rows.map(({ fingerprint }) => fingerprint));
      await waitForAll([
        recordLines(documents, rows),
        readReports(documents, org, fingerprints).then((known) => reviseLists(documents, org, rows, known)),
      ]);
    },
  );
  const departureRows = completeRows<DepartureRow>(
    documents.collection(departures),
    org,
    firstOrigins,
    async (rows) => {
      await recordLines(documents, rows);
      computations.origin(rows);
    },
  );
  await waitForAll([deploymentRows, departureRows]);
  await computations.settleLate(documents, org);
}

/**
 * Completes every row of fingerprints.
 *
 * @param onWritten receives these rows in batches, changed or not
 */
async function completeRows<T extends JoinedRow>(
  collection: Collection<T>,
  org: string,
  firstOrigins: ReadonlyMap<string, Origin>,
  onWritten: (rows: readonly T[]) => Promise<void>,
): Promise<void> {
  for (const group of batches([...firstOrigins.keys()])) {
    // Rows are added and never removed.
    for await (const page of findPages(collection, { where: { org, fingerprint: { in: group } } }, BATCH)) {
      const late = page.filter(({ doc }) => withOrigin(doc, firstOrigins.get(doc.fingerprint) ?? null) !== undefined);
      if (late.length > 0) {
        await collection.merge(
          late.map(({ id }) => id),
          (row) => withOrigin(row, firstOrigins.get(row?.fingerprint ?? '') ?? null),
        );
      }
      const complete = (row: T) => ({ ...row, origin: firstOf(row.origin, firstOrigins.get(row.fingerprint) ?? null) });
      await onWritten(page.map(({ doc }) => complete(doc)));
    }
  }
}

/** Returns a row with an earlier origin, or undefined if the row already has this or an earlier one. */
function withOrigin<T extends JoinedRow>(row: T | null, origin: Origin | null): T | undefined {
  if (row === null) return undefined;
  const first = firstOf(row.origin, origin);
  return first === null || isSameOrigin(first, row.origin) ? undefined : { ...row, origin: first };
}
