import type { ArtifactReported, EventMeta, TrailBegun } from '@assurance/contracts-events';
import type { Documents } from '@assurance/storage-ports';
import { BrokenRecord } from '@assurance/storage-records';
import { stamp } from '../days/stamps';
import type { View } from '../view';
import { countedTrails, trailArtifactRows, trailCollections, trailList, type TrailRow, trailRows } from './rows';

type Followed = TrailBegun | ArtifactReported;

/** Which trails there are, and which artifacts were reported in them: counted by days, as heads alone cannot be. */
export const trailsView: View = {
  name: 'trails',
  version: 1,
  collections: trailCollections,
  kinds: new Set(['trail']),
  types: new Set<Followed['type']>(['TrailBegun', 'ArtifactReported']),
  take: (documents, event, meta) => follow(documents, event as Followed, meta),
};

/** Rows depend on their trail's stream alone, and never change: an event that comes again writes the same. */
async function follow(documents: Documents, event: Followed, { org, stream, at }: EventMeta): Promise<void> {
  const { data } = event;
  if ('fingerprint' in data) {
    // Told by the first report of it in this trail already.
    if (data.first !== null) return;
    const trail = await documents.collection(trailRows).get(stream);
    if (trail === null) throw new BrokenRecord(`${stream} reports an artifact before it begins`);
    const { fingerprint } = data;
    const doc = { ...trail, fingerprint, trail: stream };
    await documents.collection(trailArtifactRows).write([{ kind: 'put', id: `${fingerprint}@${stream}`, doc }]);
    return stampTrail(documents, trail, fingerprint);
  }
  const row: TrailRow = { org, flow: data.flow.id, name: data.name, createdAt: at / 1000 };
  await documents.collection(trailRows).write([{ kind: 'put', id: stream, doc: row }]);
  return stampTrail(documents, row, null);
}

function stampTrail(documents: Documents, { org, flow, createdAt }: TrailRow, fingerprint: string | null) {
  return stamp(documents, countedTrails.spans, [
    [trailList({ org }, fingerprint).key, createdAt],
    [trailList({ flow }, fingerprint).key, createdAt],
  ]);
}
