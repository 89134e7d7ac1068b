import type { SnapshotRecorded } from '@assurance/contracts/environments/events';
import type { EventMeta } from '@assurance/contracts/events/event';
import { keyOf } from '@assurance/contracts/events/streams';
import { batches, putRows } from '@assurance/event-sourcing/projection/batches';
import type { RecordedEvent } from '@assurance/event-sourcing/projection/view';
import type { Documents } from '@assurance/storage-ports';
import { isOfEarlierVersion, type SnapshotTime, snapshotTimes } from './rows';

/**
 * Returns when the snapshot before each event was recorded (milliseconds), for events that do not say when the previous report was observed. All
 * snapshots of an environment come from one stream, in order. So the previous snapshot is already written or among these.
 */
export async function snapshotTimesBefore(
  documents: Documents,
  recordedEvents: readonly RecordedEvent<SnapshotRecorded>[],
): Promise<(meta: EventMeta, snapshot: number) => number | null> {
  const earlierEvents = recordedEvents.filter(({ event }) => isOfEarlierVersion(event.data));
  const newTimes = new Map<string, SnapshotTime>();
  for (const { event, meta } of earlierEvents) newTimes.set(timeId(meta, event.data.snapshot), { at: meta.at });
  await putRows(documents.collection(snapshotTimes), newTimes);
  const before = earlierEvents
    .map(({ event, meta }) => timeId(meta, event.data.snapshot - 1))
    .filter((id) => !newTimes.has(id));
  for (const ids of batches(before)) {
    for (const [id, time] of await documents.collection(snapshotTimes).getMany(ids)) newTimes.set(id, time);
  }
  return (meta, snapshot) => newTimes.get(timeId(meta, snapshot - 1))?.at ?? null;
}

function timeId({ stream }: EventMeta, snapshot: number): string {
  return `${keyOf(stream)}/${snapshot}`;
}
