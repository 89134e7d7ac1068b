import {
  type CollectionDefinition,
  type Condition,
  type Document,
  indexFor,
  type Query,
} from '@assurance/storage-ports';
import { fieldOf } from './document-record';

/** A query in the form that MongoDB needs. `hint` makes MongoDB use the declared index. */
export interface MongoQuery {
  readonly filter: Record<string, unknown>;
  readonly sort: Record<string, 1 | -1>;
  readonly hint: string;
}

/**
 * @throws UnindexedQuery
 */
export function mongoQuery(definition: CollectionDefinition<Document>, query: Omit<Query, 'limit'>): MongoQuery {
  const index = indexFor(definition, query);
  const filter: Record<string, unknown> = { gone: false };
  for (const [path, condition] of Object.entries(query.where)) filter[fieldOf(path)] = conditionOf(condition);
  return { filter, sort: sortOf(index.fields, query), hint: index.name };
}

function conditionOf(condition: Condition): unknown {
  if (typeof condition !== 'object' || condition === null) return { $eq: condition };
  if ('in' in condition) return { $in: condition.in };
  const { gte, lte } = condition;
  return { ...(gte === undefined ? {} : { $gte: gte }), ...(lte === undefined ? {} : { $lte: lte }) };
}

/**
 * The requested order, then the rest of the index and the id in the same direction, so that the whole order equals the
 * order of the index.
 */
function sortOf(
  fields: readonly (readonly [path: string, direction: 'asc' | 'desc'])[],
  { where, order = [] }: Omit<Query, 'limit'>,
): Record<string, 1 | -1> {
  const [first] = order;
  const start = first === undefined ? -1 : fields.findIndex(([path]) => path === first[0]);
  if (first === undefined || start < 0) return {};
  const flip = fields[start]?.[1] !== first[1];
  const rest = fields
    .slice(start)
    .filter(([path]) => !(path in where) || order.some(([orderedPath]) => orderedPath === path));
  const sort = rest.map(([path, direction]) => [fieldOf(path), (direction === 'asc') !== flip ? 1 : -1] as const);
  return { ...Object.fromEntries(sort), _id: flip ? -1 : 1 };
}
