import { orderBy } from '@assurance/contracts/events/aggregate';
import { parkedStreams } from '@assurance/event-sourcing/feed/parked-streams';
import type { Documents } from '@assurance/storage-ports';

/** Whether a consumer group has parked streams: documents made from these streams may be missing. */
export async function hasParkedStreams(documents: Documents, group: string): Promise<boolean> {
  const query = { where: { group }, order: orderBy('stream'), limit: 1 } as const;
  return (await documents.collection(parkedStreams).find(query)).length > 0;
}
