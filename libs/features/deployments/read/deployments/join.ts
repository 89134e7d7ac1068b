import type { SnapshotRecorded } from '@assurance/contracts/environments/events';
import { keyOf } from '@assurance/contracts/events/streams';
import type { ArtifactReported } from '@assurance/contracts/flows/events';
import { BATCH, batches, removeDuplicates, LARGE, putRows } from '@assurance/event-sourcing/projection/batches';
import type { RecordedEvent } from '@assurance/event-sourcing/projection/view';
import { forEachConcurrently, getOrInsert, groupBy, waitForAll, Slices, yieldToOthers } from '@assurance/kernel';
import { type Collection, type Documents, pagesAmong } from '@assurance/storage-ports';
import { decideAgain, type DecidedRows, decideSnapshots, writeResults } from './decide';
import { noteChanges } from './finality';
import { keptHistories, type KeptHistory, lineOriginOf, raiseRevision, readRevisions } from './histories';
import { firstOf, type Origin } from './origin';
import { cachedFirsts, type FingerprintReports, isSameOrigin, readReports } from './reports';
import { reviseLists } from './revise-lists';
import {
  type DepartureRow,
  departures,
  type DeploymentRow,
  deployments,
  kindRevisions,
  reportOf,
  type ReportRow,
  reports,
  type Rows,
} from './rows';
import { snapshotTimesBefore } from './snapshot-times';

/** The events of both sides of the join. */
export type JoinedEvent = SnapshotRecorded | ArtifactReported;

type JoinedRow = DeploymentRow | DepartureRow;

/** Rows that are added. */
interface AddedRows extends Pick<DecidedRows, 'arrived' | 'departed'> {
  /** The first report of each fingerprint, as far as this process knows it. */
  readonly before: ReadonlyMap<string, Pick<FingerprintReports, 'first'>>;
}

/** How many environments are decided at the same time. */
const ENVIRONMENTS = 8;

/** Takes snapshots and reports of one organization: it writes the rows of both, then reads the rows of others, then revises lists. */
export async function join(
  documents: Documents,
  org: string,
  recorded: readonly RecordedEvent<JoinedEvent>[],
): Promise<void> {
  const reported = new Map<string, ReportRow>();
  for (const { event, meta } of recorded) if (event.type === 'ArtifactReported') reported.set(...reportOf(event, meta));
  await putRows(documents.collection<ReportRow>(reports), reported);
  const snapshots = recorded.filter(isSnapshot);
  const timeBefore = await snapshotTimesBefore(documents, snapshots);
  const previousAt = ({ event, meta }: RecordedEvent<SnapshotRecorded>) => timeBefore(meta, event.data.snapshot);
  await joinSnapshots(documents, org, snapshots, previousAt);
  await completeReported(documents, org, [...reported.values()]);
}

/** Decides each environment by itself, and writes the rows of all of them together. */
async function joinSnapshots(
  documents: Documents,
  org: string,
  snapshots: readonly RecordedEvent<SnapshotRecorded>[],
  previousAt: (event: RecordedEvent<SnapshotRecorded>) => number | null,
): Promise<void> {
  if (snapshots.length === 0) return;
  const fingerprints = movedFingerprints(snapshots);
  if (fingerprints.length > LARGE) await yieldToOthers();
  const environments = groupBy(snapshots, ({ meta }) => keyOf(meta.stream));
  // Write the cached reports with the rows, so that most rows are written once. The later read finds reports that arrived since.
  const [before, revisions] = await waitForAll([
    cachedFirsts(documents, org, fingerprints),
    readRevisions(documents, [...environments.keys()]),
  ]);
  const originOf = (fingerprint: string) => before.get(fingerprint)?.first ?? null;
  const decided = new Map<string, DecidedRows>();
  await forEachConcurrently(environments, ENVIRONMENTS, async ([environment, events]) => {
    const snapshotsOfOne = { org, environment, events, revision: revisions(environment) };
    decided.set(environment, await decideSnapshots(documents, snapshotsOfOne, previousAt, originOf));
  });
  const all = [...decided.values()];
  // Revisions come first: where rows are there already, what they revised is not known again.
  await putRows(documents.collection(kindRevisions), new Map(all.flatMap((one) => [...one.revisions])));
  const revised: DeploymentRow[] = [];
  const writeEarlier = async () => {
    for (const [environment, { changed, pending }] of decided) {
      revised.push(...(await writeResults(documents, environment, changed)));
      await noteChanges(documents, environment, pending);
    }
    return readRevisions(documents, [...decided.keys()]);
  };
  const arrived = new Map(all.flatMap((one) => [...one.arrived]));
  const departed = new Map(all.flatMap((one) => [...one.departed]));
  const { stated, existing, current } = await addRows(documents, org, { arrived, departed, before }, writeEarlier);
  await forEachConcurrently(decided, ENVIRONMENTS, async ([environment, { kept }]) => {
    // Rows are written before the revision is read: who changes what decides them meanwhile has raised it, or finds the rows.
    const isCurrent = kept !== null && !existing.has(environment) && current(environment) === kept.revision;
    const isDecided =
      isCurrent &&
      movedFingerprints(environments.get(environment) ?? []).every((fingerprint) => {
        const first = stated.get(fingerprint)?.first ?? null;
        return isSameOrigin(first, originOf(fingerprint)) || changeOrigin(kept, fingerprint, first);
      });
    if (isDecided) keptHistories(documents.collection(deployments)).set(environment, kept);
    else await decideAgain(documents, { org, environment }, (rows) => reviseKinds(documents, org, rows));
  });
  await waitForAll([reviseLists(documents, org, [...arrived.values()], stated), reviseKinds(documents, org, revised)]);
}

/** The fingerprints that started or left. */
function movedFingerprints(snapshots: readonly RecordedEvent<SnapshotRecorded>[]): string[] {
  const changes = snapshots.flatMap(({ event }) => event.data.changes.filter(({ wholly }) => wholly));
  return removeDuplicates(changes.map(({ fingerprint }) => fingerprint));
}

/** @returns false if deployments have to be decided again */
function changeOrigin({ history }: KeptHistory, fingerprint: string, first: Origin | null): boolean {
  return history.changeOrigin(fingerprint, lineOriginOf(first));
}

async function reviseKinds(documents: Documents, org: string, all: readonly DeploymentRow[]): Promise<void> {
  for (const rows of batches(all)) {
    const reports = await readReports(documents, org, removeDuplicates(rows.map(({ fingerprint }) => fingerprint)));
    await reviseLists(documents, org, rows, reports);
  }
}

export function isSnapshot(event: RecordedEvent<JoinedEvent>): event is RecordedEvent<SnapshotRecorded> {
  return event.event.type === 'SnapshotRecorded';
}

/**
 * Adds rows, and reads the reports of their fingerprints afterwards.
 *
 * @param writeEarlier writes the results of earlier rows, and returns the revisions of environments
 * @returns these reports, the environments of which a row was there already, and the revisions
 */
async function addRows<Revisions>(
  documents: Documents,
  org: string,
  { arrived, departed, before }: AddedRows,
  writeEarlier: () => Promise<Revisions>,
): Promise<{
  readonly stated: ReadonlyMap<string, FingerprintReports>;
  readonly existing: ReadonlySet<string>;
  readonly current: Revisions;
}> {
  const fingerprints = fingerprintsOf(arrived, departed);
  const addAll = async (come: Rows<DeploymentRow>, gone: Rows<DepartureRow>, stated: AddedRows['before']) => {
    const existing = await waitForAll([
      add(documents.collection(deployments), come, stated),
      add(documents.collection(departures), gone, stated),
    ]);
    return new Set(existing.flat());
  };
  const existing = await addAll(arrived, departed, before);
  const [stated, current] = await waitForAll([readReports(documents, org, fingerprints), writeEarlier()]);
  const firstIn = (reports: AddedRows['before'], fingerprint: string) => reports.get(fingerprint)?.first ?? null;
  const moved = new Set(
    fingerprints.filter((fingerprint) => !isSameOrigin(firstIn(stated, fingerprint), firstIn(before, fingerprint))),
  );
  if (moved.size > 0) await addAll(rowsOfFingerprints(arrived, moved), rowsOfFingerprints(departed, moved), stated);
  return { stated, existing, current };
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
 * @returns the environments of rows that were there
 */
async function add<T extends JoinedRow>(
  collection: Collection<T>,
  rows: Rows<T>,
  stated: ReadonlyMap<string, Pick<FingerprintReports, 'first'>>,
): Promise<string[]> {
  const slices = new Slices();
  const environments = new Set<string>();
  for (const ids of batches([...rows.keys()])) {
    await slices.pause();
    await collection.merge(ids, (current, id) => {
      const row = rows.get(id);
      if (row === undefined) return undefined;
      const origin = stated.get(row.fingerprint)?.first ?? null;
      if (current === null) return { ...row, origin };
      environments.add(row.environment);
      return withOrigin(current, origin);
    });
  }
  return [...environments];
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
  /** The fingerprints that got another origin, by environment. */
  const environments = new Map<string, Set<string>>();
  const note = (rows: readonly JoinedRow[]) => {
    for (const { environment, fingerprint } of rows)
      getOrInsert(environments, environment, () => new Set<string>()).add(fingerprint);
  };
  const deployed = completeRows<DeploymentRow>(documents.collection(deployments), org, firsts, async (rows) => {
    note(rows);
    const fingerprints = removeDuplicates(rows.map(({ fingerprint }) => fingerprint));
    await reviseLists(documents, org, rows, await readReports(documents, org, fingerprints));
  });
  const departed = completeRows<DepartureRow>(documents.collection(departures), org, firsts, (rows) => {
    note(rows);
    return Promise.resolve();
  });
  await waitForAll([deployed, departed]);
  const memory = keptHistories(documents.collection(deployments));
  await forEachConcurrently(environments, ENVIRONMENTS, async ([environment, fingerprints]) => {
    const revision = await raiseRevision(documents, environment);
    const kept = memory.get(environment);
    const isDecided =
      kept?.revision === revision - 1 &&
      [...fingerprints].every((fingerprint) => changeOrigin(kept, fingerprint, firsts.get(fingerprint) ?? null));
    if (isDecided) kept.revision = revision;
    else await decideAgain(documents, { org, environment }, (rows) => reviseKinds(documents, org, rows));
  });
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
