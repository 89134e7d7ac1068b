import type { ArtifactReported, TrailBegun } from '@assurance/contracts/flows/events';
import { batches, distinct, putRows } from '@assurance/event-sourcing/projection/batches';
import { revise, type ListChange } from '@assurance/event-sourcing/projection/days/revisions';
import type { RecordedEvent, View } from '@assurance/event-sourcing/projection/view';
import { BrokenRecord } from '@assurance/event-sourcing/sealing/read';
import type { Documents } from '@assurance/storage-ports';
import { wordRows, wordsOfName } from '../words';
import {
  countedTrails,
  type TrailArtifactRow,
  trailArtifactRows,
  trailCollections,
  trailList,
  type TrailRow,
  trailRows,
  trailWords,
} from './rows';

type FollowedEvent = TrailBegun | ArtifactReported;

/** The view of trails and of their artifacts. It counts them by day, which is not possible with aggregate states alone. */
export const trailsView: View = {
  name: 'trails',
  version: 3,
  collections: trailCollections,
  kinds: new Set(['trail']),
  types: new Set<FollowedEvent['type']>(['TrailBegun', 'ArtifactReported']),
  take: (documents, recorded) => follow(documents, recorded as readonly RecordedEvent<FollowedEvent>[]),
};

/** Rows depend only on the stream of their trail, and never change. If an event arrives again, it writes the same rows. */
async function follow(documents: Documents, recorded: readonly RecordedEvent<FollowedEvent>[]): Promise<void> {
  const begun = new Map<string, TrailRow>();
  const reported: (readonly [trail: string, fingerprint: string])[] = [];
  for (const { event, meta } of recorded) {
    const { data } = event;
    if (!('fingerprint' in data)) {
      begun.set(meta.stream, { org: meta.org, flow: data.flow.id, name: data.name, createdAt: meta.at / 1000 });
      // The row of the artifact exists since its first report in this trail.
    } else if (data.first === null) reported.push([meta.stream, data.fingerprint]);
  }
  const missing = distinct(reported.map(([trail]) => trail)).filter((trail) => !begun.has(trail));
  const trails = new Map(begun);
  for (const some of batches(missing)) {
    for (const [trail, row] of await documents.collection(trailRows).getMany(some)) trails.set(trail, row);
  }
  const touched = [...begun.values()].flatMap((row) => touchedBy(row, null));
  const artifacts = new Map<string, TrailArtifactRow>();
  for (const [trail, fingerprint] of reported) {
    const row = trails.get(trail);
    if (row === undefined) throw new BrokenRecord(`${trail} reports an artifact before it begins`);
    artifacts.set(`${fingerprint}@${trail}`, { ...row, fingerprint, trail });
    touched.push(...touchedBy(row, fingerprint));
  }
  await putRows(documents.collection(trailRows), begun);
  const words = [...begun].flatMap(([trail, { org, name }]) => [...wordRows(org, trail, wordsOfName(name))]);
  await putRows(documents.collection(trailWords), new Map(words));
  await putRows(documents.collection(trailArtifactRows), artifacts);
  await revise(documents, countedTrails, touched);
}

function touchedBy({ org, flow, createdAt }: TrailRow, fingerprint: string | null): ListChange[] {
  return [
    [trailList({ org }, fingerprint).key, createdAt],
    [trailList({ flow }, fingerprint).key, createdAt],
  ];
}
