import type { Query, Scalar } from '@assurance/storage-ports';
import { type DocumentRecord, indexedFieldName } from './document-record';
import { groupByGroup, maxItems } from './group';

/** The most queries of one group. */
const GROUP_MAX = 64;
/** The most values in the list of one combined query. */
const VALUES_MAX = 1_000;

type Find = (query: Query) => Promise<readonly DocumentRecord[]>;

/** A query with a list of values for one field. It can be combined with queries that differ only in these values. */
interface ListQuery {
  readonly query: Query;
  readonly path: string;
  readonly values: readonly Scalar[];
  /** Equal for queries that can be combined. */
  readonly key: string;
}

/** The running and waiting queries with one key. */
interface Line {
  readonly send: (listed: ListQuery) => Promise<readonly DocumentRecord[]>;
  open: number;
}

/**
 * Combines queries with lists of values. Queries that differ only in these values, and arrive while a group of them is running, become one query.
 * Each caller gets only its own records. Other queries are sent alone. No query waits for one that it cannot be combined with.
 */
export function groupFinds(find: Find): Find {
  const findTogether = async (listQueries: readonly ListQuery[]): Promise<readonly (readonly DocumentRecord[])[]> => {
    const [first, ...more] = listQueries;
    if (first === undefined) return [];
    if (more.length === 0) return [await find(first.query)];
    const values = [...new Set(listQueries.flatMap((listQuery) => listQuery.values))];
    const { query, path } = first;
    const records =
      values.length > VALUES_MAX ? null : await find({ ...query, where: { ...query.where, [path]: { in: values } } });
    // A result of `limit` rows may be incomplete for one of them.
    if (records === null || records.length === query.limit)
      return Promise.all(listQueries.map((listQuery) => find(listQuery.query)));
    const field = indexedFieldName(path);
    return listQueries.map((listQuery) => {
      const ownValues = new Set(listQuery.values);
      return records.filter(({ f }) => ownValues.has(f[field] ?? null));
    });
  };
  const lines = new Map<string, Line>();
  const send = async (listed: ListQuery): Promise<readonly DocumentRecord[]> => {
    const line = lines.get(listed.key) ?? { send: groupByGroup(maxItems(GROUP_MAX), findTogether), open: 0 };
    lines.set(listed.key, line);
    line.open += 1;
    try {
      return await line.send(listed);
    } finally {
      line.open -= 1;
      if (line.open === 0) lines.delete(listed.key);
    }
  };
  return (query) => {
    const groupedQuery = listQueryOf(query);
    return groupedQuery === null ? find(query) : send(groupedQuery);
  };
}

/** Null if the query has no list of values, has more than one, or skips records. */
function listQueryOf(query: Query): ListQuery | null {
  const { where, order, skip = 0, limit } = query;
  const lists = Object.entries(where).flatMap(([path, condition]) =>
    typeof condition === 'object' && condition !== null && 'in' in condition ? [[path, condition.in] as const] : [],
  );
  const [list, ...more] = lists;
  if (list === undefined || more.length > 0 || skip > 0) return null;
  const [path, values] = list;
  return { query, path, values, key: JSON.stringify([{ ...where, [path]: null }, path, order, limit]) };
}
