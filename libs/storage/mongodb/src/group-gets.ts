import type { DocumentRecord } from './document-record';
import { groupByGroup } from './group';

/**
 * The most ids of a request that is combined with others. Larger requests are sent alone, so that others need not wait
 * for them.
 */
const FEW = 32;
/** The most ids of one group. */
const GROUP_MAX = 512;

type RecordsById = ReadonlyMap<string, DocumentRecord>;
type Look = (ids: readonly string[]) => Promise<RecordsById>;

/**
 * Looks up documents by id. Requests for a few ids that arrive in one turn of the event loop, or while others are running, become one query. Each
 * request sees all earlier writes.
 *
 * @returns a function that finds at least the requested documents that exist
 */
export function groupGets(look: Look): Look {
  const getTogether = groupByGroup<readonly string[], RecordsById>(groupLimit, async (group) => {
    const records = await look([...new Set(group.flat())]);
    return group.map(() => records);
  });
  return (ids) => (ids.length > FEW ? look(ids) : getTogether(ids));
}

function groupLimit(): (ids: readonly string[]) => boolean {
  let many = 0;
  return ({ length }) => {
    many += length;
    return many <= GROUP_MAX;
  };
}
