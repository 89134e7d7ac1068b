import { isErasure } from '@assurance/contracts/access/events';
import { NO_ORGANIZATION } from '@assurance/contracts/events/streams';
import { groupBy } from '@assurance/kernel';
import type { Commit, Documents } from '@assurance/storage-ports';
import { afterChange, changes } from './changes';

/** Notes changed streams for open pages, after the views processed the commits. A repeated batch is noted again, which is harmless. */
export async function recordChanges(documents: Documents, batch: readonly Commit[]): Promise<void> {
  const organizations = groupBy(
    batch.filter(({ org, events }) => org !== NO_ORGANIZATION && !events.some(isErasure)),
    ({ org }) => org,
  );
  if (organizations.size === 0) return;
  await documents.collection(changes).merge([...organizations.keys()], (before, org) => {
    const streams = new Set(organizations.get(org)?.map(({ stream }) => stream));
    return afterChange(before, [...streams]);
  });
}
