import {
  type ArtifactReported,
  type EnvironmentRenamed,
  type EventMeta,
  keyOf,
  type SnapshotRecorded,
} from '@assurance/contracts-events';
import type { Collection, Documents } from '@assurance/storage-ports';
import { BATCH, batches, distinct } from '../batches';
import type { View } from '../view';
import { firstOf, reportOf, type Rows, rowsOf } from './fold';
import {
  deploymentCollections,
  type DepartureRow,
  departures,
  type DeploymentRow,
  deployments,
  type Origin,
  type ReportRow,
  reports,
} from './rows';
import { firstReport, firstReports } from './reports';
import { stampDeployments, stampRepositories } from './stamp';

/** The events that this view is made of. */
export type Followed = SnapshotRecorded | EnvironmentRenamed | ArtifactReported;

/** Deployments, and what they may have replaced. */
export const deploymentsView: View = {
  name: 'deployments',
  version: 1,
  collections: deploymentCollections,
  kinds: new Set(['environment', 'trail', 'artifact']),
  types: new Set<Followed['type']>(['SnapshotRecorded', 'EnvironmentRenamed', 'ArtifactReported']),
  take: (documents, event, meta) => follow(documents, event as Followed, meta),
};

/**
 * Takes one event into the view. Idempotent, and commutative across streams: each side writes its own rows first and looks at the other's
 * second, and a row's origin only ever moves to an earlier report, so any interleaving ends in the same rows.
 */
export async function follow(documents: Documents, event: Followed, meta: EventMeta): Promise<void> {
  switch (event.type) {
    case 'SnapshotRecorded':
      return followSnapshot(documents, event, meta);
    case 'EnvironmentRenamed':
      return followRename(documents, event, meta);
    case 'ArtifactReported':
      return followReport(documents, event, meta);
  }
}

async function followSnapshot(documents: Documents, event: SnapshotRecorded, meta: EventMeta): Promise<void> {
  const rows = rowsOf(event, meta);
  await add(documents.collection(deployments), rows.deployments);
  await add(documents.collection(departures), rows.departures);
  await lookAtReports(documents, meta.org, documents.collection(deployments), rows.deployments);
  await lookAtReports(documents, meta.org, documents.collection(departures), rows.departures);
  const all = [...rows.deployments.values()];
  await stampDeployments(documents, all);
  await stampRepositories(documents, all);
}

/**
 * Gives every row of the environment its new name, by which rows are ordered. All of them have the one before: they come from the same stream.
 * Said again, it finds none of the old name left, or rows that a later event of the stream named so.
 */
async function followRename(
  documents: Documents,
  { data: { name, previousName } }: EnvironmentRenamed,
  { stream, seq }: EventMeta,
): Promise<void> {
  const named = (row: DeploymentRow | null): row is DeploymentRow =>
    row?.environmentName === previousName && (row.namedAt ?? 0) < seq;
  const rows = documents.collection(deployments);
  for (;;) {
    const found = await rows.find({
      where: { environment: keyOf(stream), environmentName: previousName },
      limit: BATCH,
    });
    const older = found.filter(({ doc }) => named(doc));
    // A row of a later event: whoever took that one took this one before it.
    if (older.length === 0) return;
    await rows.merge(
      older.map(({ id }) => id),
      (row) => (named(row) ? { ...row, environmentName: name, namedAt: seq } : undefined),
    );
  }
}

async function followReport(documents: Documents, event: ArtifactReported, meta: EventMeta): Promise<void> {
  const [id, row] = reportOf(event, meta);
  const { fingerprint, origin } = row;
  await documents.collection(reports).write([{ kind: 'put', id, doc: row }]);
  const first = await firstReport(documents, meta.org, fingerprint);
  // Another report came first: whoever follows that one completes the rows.
  if (first?.artifactId !== origin.artifactId) return;
  await complete<DeploymentRow>(documents.collection(deployments), meta.org, row, (rows) =>
    stampRepositories(documents, rows),
  );
  await complete<DepartureRow>(documents.collection(departures), meta.org, row);
}

type Completed = DeploymentRow | DepartureRow;

/** Adds rows that are not there; those that are there are the same but for their origin. */
async function add<T extends Completed>(collection: Collection<T>, rows: Rows<T>): Promise<void> {
  for (const ids of batches([...rows.keys()])) {
    await collection.merge(ids, (current, id) => (current === null ? rows.get(id) : undefined));
  }
}

async function lookAtReports<T extends Completed>(
  documents: Documents,
  org: string,
  collection: Collection<T>,
  rows: Rows<T>,
): Promise<void> {
  for (const ids of batches([...rows.keys()])) {
    const firsts = await firstReports(documents, org, distinct(ids.flatMap((id) => rows.get(id)?.fingerprint ?? [])));
    const known = ids.filter((id) => firsts.has(rows.get(id)?.fingerprint ?? ''));
    if (known.length > 0)
      await collection.merge(known, (row) => completed(row, firsts.get(row?.fingerprint ?? '') ?? null));
  }
}

/**
 * Completes every row of a fingerprint.
 *
 * @param written takes these rows in batches as they were before, changed or not
 */
async function complete<T extends Completed>(
  collection: Collection<T>,
  org: string,
  { fingerprint, origin }: ReportRow,
  written?: (rows: readonly T[]) => Promise<void>,
): Promise<void> {
  for (let skip = 0; ; skip += BATCH) {
    const found = await collection.find({
      where: { org, fingerprint },
      order: [
        ['environment', 'asc'],
        ['snapshot', 'asc'],
      ],
      skip,
      limit: BATCH,
    });
    const ids = found.filter(({ doc }) => completed(doc, origin) !== undefined).map(({ id }) => id);
    if (ids.length > 0) await collection.merge(ids, (row) => completed(row, origin));
    await written?.(found.map(({ doc }) => doc));
    if (found.length < BATCH) return;
  }
}

/** A row with an earlier origin; undefined when it has that or a still earlier one. */
function completed<T extends Completed>(row: T | null, origin: Origin | null): T | undefined {
  if (row === null) return undefined;
  const first = firstOf(row.origin, origin);
  return first === null || first.artifactId === row.origin?.artifactId ? undefined : { ...row, origin: first };
}
