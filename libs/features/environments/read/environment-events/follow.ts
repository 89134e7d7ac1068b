import type { EnvironmentTagged, SnapshotChange, SnapshotRecorded } from '@assurance/contracts/environments/events';
import type { EventMeta } from '@assurance/contracts/events/event';
import { keyOf } from '@assurance/contracts/events/streams';
import { batches, removeDuplicates, LARGE, putRows } from '@assurance/event-sourcing/projection/batches';
import { documentMemory } from '@assurance/event-sourcing/projection/document-memory';
import type { RecordedEvent, View } from '@assurance/event-sourcing/projection/view';
import { followTags } from '@assurance/flows/read/tags';
import { mapInSlices, yieldToOthers } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import { observedAtOf } from '../../domain/reports';
import { byKey } from '../../domain/runs';
import { type EnvironmentEventRow, environmentEvents, environmentTagWords, eventId, eventsUpTo } from './rows';

type FollowedEvent = SnapshotRecorded | EnvironmentTagged;

/** The view of events in environments, with one row for each change, and of words of their tags. */
export const environmentEventsView: View = {
  name: 'environment-events',
  version: 5,
  collections: [environmentEvents, environmentTagWords],
  kinds: new Set(['environment']),
  types: new Set<FollowedEvent['type']>(['SnapshotRecorded', 'EnvironmentTagged']),
  take: (documents, recorded) => follow(documents, recorded as readonly RecordedEvent<FollowedEvent>[]),
};

async function follow(documents: Documents, recorded: readonly RecordedEvent<FollowedEvent>[]): Promise<void> {
  const snapshots: RecordedEvent<SnapshotRecorded>[] = [];
  const tagged: RecordedEvent<EnvironmentTagged>[] = [];
  for (const { event, meta } of recorded) {
    if (event.type === 'SnapshotRecorded') snapshots.push({ event, meta });
    else tagged.push({ event, meta });
  }
  if (tagged.length > 0) await followTags(documents.collection(environmentTagWords), tagged);
  if (snapshots.length > 0) await followSnapshots(documents, snapshots);
}

/** By environment: the newest snapshot that this process took, and how many events there are up to it. That never changes. */
const newestEvents = documentMemory<{ readonly snapshot: number; readonly number: number }>();

async function followSnapshots(
  documents: Documents,
  snapshotEvents: readonly RecordedEvent<SnapshotRecorded>[],
): Promise<void> {
  const rows = new Map<string, EnvironmentEventRow>();
  /** How many events an environment has up to a snapshot that was just taken, by the place of its rows. */
  const eventCounts = await countEventsBefore(documents, snapshotEvents);
  for (const { event, meta } of snapshotEvents) {
    const environment = keyOf(meta.stream);
    const { snapshot } = event.data;
    // Snapshots come in order, each wholly before the next or with it: what is counted here never changes any more.
    const before =
      eventCounts.get(`${environment}/${snapshot - 1}`) ?? (await eventsUpTo(documents, environment, snapshot - 1));
    if (event.data.changes.length > LARGE) await yieldToOthers();
    const own = await eventRows(event, meta, before);
    await mapInSlices(own, ([id, row]) => rows.set(id, row));
    eventCounts.set(`${environment}/${snapshot}`, before + own.length);
  }
  const collection = documents.collection(environmentEvents);
  await putRows(collection, rows);
  for (const { event, meta } of snapshotEvents) {
    const environment = keyOf(meta.stream);
    const { snapshot } = event.data;
    const number = eventCounts.get(`${environment}/${snapshot}`);
    const cachedSnapshot = newestEvents(collection).peek(environment)?.snapshot ?? 0;
    if (number !== undefined && snapshot > cachedSnapshot)
      newestEvents(collection).set(environment, { snapshot, number });
  }
}

/**
 * How many events environments have up to the snapshots before these, as far as this process knows or rows at hand tell: the first of a snapshot
 * has the highest number.
 */
async function countEventsBefore(
  documents: Documents,
  snapshotEvents: readonly RecordedEvent<SnapshotRecorded>[],
): Promise<Map<string, number>> {
  const collection = documents.collection(environmentEvents);
  const eventCounts = new Map<string, number>();
  const places: string[] = [];
  for (const { event, meta } of snapshotEvents) {
    const environment = keyOf(meta.stream);
    const before = event.data.snapshot - 1;
    const cached = newestEvents(collection).get(environment);
    if (cached?.snapshot === before) eventCounts.set(`${environment}/${before}`, cached.number);
    else places.push(`${environment}/${before}`);
  }
  for (const some of batches(removeDuplicates(places))) {
    const first = await collection.getMany(some.map((place) => `${place}/0`));
    for (const place of some) {
      const number = place.endsWith('/0') ? 0 : first.get(`${place}/0`)?.number;
      if (number !== undefined) eventCounts.set(place, number);
    }
  }
  return eventCounts;
}

/**
 * The rows of a snapshot, by ids that the same event always makes: what runs by name, then what left; the first has the highest number. An
 * artifact whose place another took is not told again, and an unknown digest is none.
 *
 * @param before how many events the environment had before
 */
export async function eventRows(
  event: SnapshotRecorded,
  meta: EventMeta,
  before: number,
): Promise<(readonly [id: string, row: EnvironmentEventRow])[]> {
  const { data } = event;
  const [environment, at] = [keyOf(meta.stream), observedAtOf(event, meta)];
  const { snapshot } = data;
  const snapshotCompliant = data.judged?.compliant ?? null;
  const changes = data.changes
    .filter(({ fingerprint, now, replacedBy }) => fingerprint !== '' && (now > 0 || replacedBy === null))
    .sort(compareChanges);
  return await mapInSlices(changes, (change, place) => {
    const number = before + changes.length - place;
    const id = eventId(environment, snapshot, place);
    return [id, row({ environment, snapshot, at, number, snapshotCompliant }, change)] as const;
  });
}

function compareChanges(a: SnapshotChange, b: SnapshotChange): number {
  if (a.now > 0 !== b.now > 0) return a.now > 0 ? -1 : 1;
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return byKey(a, b);
}

function row(
  where: Pick<EnvironmentEventRow, 'environment' | 'snapshot' | 'at' | 'number' | 'snapshotCompliant'>,
  { fingerprint, name, change, because, was, now, compliant, flows }: SnapshotChange,
): EnvironmentEventRow {
  const [first] = flows;
  return {
    ...where,
    fingerprint,
    name,
    change,
    was,
    now,
    compliant,
    ...(because === undefined ? {} : { because }),
    flows: flows.map(({ flow: { id, name } }) => ({ id, name })),
    artifactId: first?.artifactId ?? null,
    repo: first?.repo?.id ?? null,
    diffUrl: first?.deploymentDiff?.diffUrl ?? null,
  };
}
