import { grouped } from '@assurance/kernel';
import type { Query, Scalar } from '@assurance/storage-ports';
import { type DocumentRecord, flat } from './document-record';
import { groupByGroup, upTo } from './group';

/** Queries of one group. */
const GROUP_MAX = 64;
/** Values in the list of one query. */
const VALUES_MAX = 1_000;

type Find = (query: Query) => Promise<readonly DocumentRecord[]>;

/** A query that names a list of values for one field, and can go together with others that differ in these values alone. */
interface Listed {
  readonly query: Query;
  readonly path: string;
  readonly values: readonly Scalar[];
  /** Equal for queries that can go together. */
  readonly key: string;
}

/**
 * Sends queries for lists of values together: those that differ only in their values and come while another group is under way are one query. Each
 * gets what it asked for. Other queries are sent alone.
 */
export function groupFinds(find: Find): Find {
  const together = async (listed: readonly Listed[]): Promise<readonly (readonly DocumentRecord[])[]> => {
    const [first, ...more] = listed;
    if (first === undefined) return [];
    if (more.length === 0) return [await find(first.query)];
    const values = [...new Set(listed.flatMap((one) => one.values))];
    const { query, path } = first;
    const found =
      values.length > VALUES_MAX ? null : await find({ ...query, where: { ...query.where, [path]: { in: values } } });
    // A result of `limit` rows may be incomplete for one of them.
    if (found === null || found.length === query.limit) return Promise.all(listed.map((one) => find(one.query)));
    const field = flat(path);
    return listed.map((one) => {
      const own = new Set(one.values);
      return found.filter(({ f }) => own.has(f[field] ?? null));
    });
  };
  const send = groupByGroup<Listed, readonly DocumentRecord[]>(upTo(GROUP_MAX), async (group) => {
    const outcomes = new Map<Listed, readonly DocumentRecord[]>();
    const kinds = [...grouped(group, ({ key }) => key).values()];
    await Promise.all(
      kinds.map(async (kind) => {
        const found = await together(kind);
        for (const [i, one] of kind.entries()) outcomes.set(one, found[i] ?? []);
      }),
    );
    return group.map((one) => outcomes.get(one) ?? []);
  });
  return (query) => {
    const listed = listedOf(query);
    return listed === null ? find(query) : send(listed);
  };
}

/** Null where the query has no list of values, more than one, or skips what it finds first. */
function listedOf(query: Query): Listed | null {
  const { where, order, skip = 0, limit } = query;
  const lists = Object.entries(where).flatMap(([path, condition]) =>
    typeof condition === 'object' && condition !== null && 'in' in condition ? [[path, condition.in] as const] : [],
  );
  const [list, ...more] = lists;
  if (list === undefined || more.length > 0 || skip > 0) return null;
  const [path, values] = list;
  return { query, path, values, key: JSON.stringify([{ ...where, [path]: null }, path, order, limit]) };
}
