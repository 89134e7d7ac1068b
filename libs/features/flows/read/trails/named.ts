import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import { flowStates } from '@assurance/contracts/flows/documents';
import { type Documents, findPages, getAll } from '@assurance/storage-ports';
import { type TrailRow, trailRows } from './rows';

/** The most flows in which a trail is looked for, and how many are read at once. */
const FLOWS_MAX = 2_500;
const TOGETHER = 250;

/**
 * The trails of a name in all flows of an organization, newest first: their ids follow from the flow and the name.
 *
 * @param documents of the view of trails
 * @param states of flows
 */
export async function trailsNamed(
  documents: Documents,
  states: Documents,
  org: string,
  name: string,
): Promise<readonly TrailRow[]> {
  const ids: string[] = [];
  for (const archived of [false, true]) {
    const query = { where: { org, archived }, order: orderBy('name') };
    for await (const some of findPages(states.collection(flowStates), query, TOGETHER)) {
      if (ids.length >= FLOWS_MAX) break;
      ids.push(...some.map(({ doc }) => streams.trail(doc.id, name)));
    }
  }
  const rows = await getAll(documents.collection(trailRows), ids);
  return [...rows.values()].sort((a, b) => b.createdAt - a.createdAt);
}
