import { type EventMeta, keyOf, type SnapshotChange, type SnapshotRecorded } from '@assurance/contracts-events';
import { byKey } from '@assurance/model-environment';
import type { Documents } from '@assurance/storage-ports';
import type { View } from '../view';
import { type EnvironmentEventRow, environmentEvents, eventsUpTo } from './rows';

const BATCH = 500;

/** What happened in environments: a row a change. */
export const environmentEventsView: View = {
  name: 'environment-events',
  version: 1,
  collections: [environmentEvents],
  kinds: new Set(['environment']),
  types: new Set<SnapshotRecorded['type']>(['SnapshotRecorded']),
  async take(documents, event, meta) {
    await followSnapshot(documents, event as SnapshotRecorded, meta);
  },
};

async function followSnapshot(documents: Documents, event: SnapshotRecorded, meta: EventMeta): Promise<void> {
  // Snapshots come in order, each wholly before the next: what is counted here never changes any more.
  const before = await eventsUpTo(documents, keyOf(meta.stream), event.data.snapshot - 1);
  const rows = [...eventRows(event, meta, before)].map(([id, doc]) => ({ kind: 'put', id, doc }) as const);
  const collection = documents.collection(environmentEvents);
  for (let i = 0; i < rows.length; i += BATCH) await collection.write(rows.slice(i, i + BATCH));
}

/**
 * The rows of a snapshot, by ids that the same event always makes: what runs by name, then what left; the first has the highest number. An
 * artifact whose place another took is not told again.
 *
 * @param before how many events the environment had before
 */
export function eventRows(
  { data }: SnapshotRecorded,
  { stream, at }: EventMeta,
  before: number,
): Map<string, EnvironmentEventRow> {
  const environment = keyOf(stream);
  const { snapshot } = data;
  const told = data.changes.filter(({ now, replacedBy }) => now > 0 || replacedBy === null).sort(byPlace);
  return new Map(
    told.map((change, place) => [
      `${environment}/${snapshot}/${place}`,
      row({ environment, snapshot, at, number: before + told.length - place }, change),
    ]),
  );
}

function byPlace(a: SnapshotChange, b: SnapshotChange): number {
  if (a.now > 0 !== b.now > 0) return a.now > 0 ? -1 : 1;
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return byKey(a, b);
}

function row(
  where: Pick<EnvironmentEventRow, 'environment' | 'snapshot' | 'at' | 'number'>,
  { fingerprint, name, change, was, now, compliant, flows }: SnapshotChange,
): EnvironmentEventRow {
  const [first] = flows;
  return {
    ...where,
    ...{ fingerprint, name, change, was, now, compliant },
    flows: flows.map(({ flow }) => flow.name),
    artifactId: first?.artifactId ?? null,
    repo: first?.repo?.id ?? null,
    diffUrl: first?.deploymentDiff?.diffUrl ?? null,
  };
}
