import fc from 'fast-check';
import { codePoint } from '../../code-point';
import { tick, unique } from '../harness';
import { expected, matches, valueAt } from './oracle';
import { canonicalJson } from '@assurance/kernel';
import type { Condition, Documents, StoredDocument, IndexDefinition, Query } from '@assurance/storage-ports';

/** `run` keeps the rounds of the property apart in one collection. `mixed` holds all types and is only ever compared. */
const INDEXES: readonly IndexDefinition[] = [
  {
    name: 'by_name',
    fields: [
      ['run', 'asc'],
      ['name', 'asc'],
      ['n', 'desc'],
    ],
  },
  {
    name: 'by_n',
    fields: [
      ['run', 'asc'],
      ['n', 'desc'],
      ['name', 'asc'],
    ],
  },
  {
    name: 'by_mixed',
    fields: [
      ['run', 'asc'],
      ['mixed', 'desc'],
      ['n', 'asc'],
      ['name', 'desc'],
    ],
  },
  {
    name: 'by_done',
    fields: [
      ['run', 'desc'],
      ['done', 'asc'],
      ['commit.sha1', 'asc'],
      ['n', 'asc'],
    ],
  },
];

const VALUES = {
  name: fc.oneof(
    fc.constantFrom('', 'a', 'A', 'a ', 'b', '\u00e9', '\uff5e', '\u{1f600}', 'a\u0000', 'true', '1'),
    fc.string({ unit: codePoint, maxLength: 3 }),
  ),
  n: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(0.5, -0.1, 1e300, 9007199254740991, 5e-324)),
  mixed: fc.constantFrom<(string | number | boolean)[]>(true, false, 0, 1, '0', '1', 'true', 'null', ''),
  done: fc.boolean(),
  'commit.sha1': fc.constantFrom('aa', 'ab', 'b', '\u{1f600}', '\uff5e'),
};
type Field = keyof typeof VALUES;

const row = fc.record(
  {
    name: fc.option(VALUES.name),
    n: fc.option(VALUES.n),
    mixed: fc.option(VALUES.mixed),
    done: fc.option(VALUES.done),
    commit: fc.option(fc.record({ sha1: fc.option(VALUES['commit.sha1']) })),
    // A key with a dot is another thing than a path.
    'commit.sha1': fc.constant('never'),
  },
  { requiredKeys: [] },
);

function condition(field: Field): fc.Arbitrary<Condition> {
  const scalar = fc.option(VALUES[field] as fc.Arbitrary<string | number | boolean>);
  return fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 4 }).map((values) => ({ in: values })),
  );
}

function range(field: Field): fc.Arbitrary<Condition> {
  const bound = VALUES[field] as fc.Arbitrary<string | number>;
  const keys = { gte: bound, lte: bound };
  return fc.oneof(fc.record(keys), fc.record({ gte: bound }), fc.record({ lte: bound }));
}

/** A query that an index covers: conditions on its first fields, perhaps a range, perhaps an order in either direction. */
const query: fc.Arbitrary<Omit<Query, 'limit'> & { limit: number }> = fc
  .record({
    index: fc.constantFrom(...INDEXES),
    fixed: fc.nat(3),
    ordered: fc.nat(3),
    flip: fc.boolean(),
    ranged: fc.boolean(),
  })
  .chain(({ index, fixed, ordered, flip, ranged }) => {
    const fields = index.fields.slice(1) as readonly (readonly [Field, 'asc' | 'desc'])[];
    const least = index.name === 'by_mixed' ? 1 : 0;
    const equal = fields.slice(0, Math.max(least, Math.min(fixed, fields.length - 1))).map(([path]) => path);
    const rest = fields.slice(equal.length);
    const over = ranged && (rest[0]![0] === 'n' || rest[0]![0] === 'name') ? rest[0]![0] : undefined;
    const order = rest
      .slice(0, ordered)
      .map(([path, direction]) => [path, (direction === 'asc') !== flip ? 'asc' : 'desc'] as const);
    const where = fc.record({
      ...Object.fromEntries(equal.map((path) => [path, condition(path)])),
      ...(over === undefined ? {} : { [over]: range(over) }),
    }) as fc.Arbitrary<Record<string, Condition>>;
    return fc.record({
      where,
      order: fc.constant(order.length === 0 ? undefined : order),
      skip: fc.oneof(fc.constant(undefined), fc.nat(5)),
      limit: fc.oneof(fc.constant(1_000), fc.integer({ min: 1, max: 6 })),
    });
  });

export function queries(documents: () => Documents): void {
  it('finds and counts what a plain search over all documents does', async () => {
    const rows = documents().collection<object>({ name: unique('queries'), indexes: INDEXES });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 20 }),
        fc.array(fc.tuple(fc.nat(19), fc.option(row)), { maxLength: 6 }),
        fc.array(query, { minLength: 1, maxLength: 6 }),
        async (first, changes, requested) => {
          const run = `run-${tick()}`;
          const all = new Map<string, object>();
          const put = (n: number, doc: object | null) => {
            const id = `${run}/${n}`;
            if (doc === null) all.delete(id);
            else all.set(id, { ...doc, run });
            return doc === null
              ? ({ kind: 'remove', id, seq: tick() } as const)
              : ({ kind: 'put', id, doc: { ...doc, run } } as const);
          };
          await rows.write(first.map((doc, n) => put(n, doc)));
          for (const [n, doc] of changes) await rows.write([put(n, doc)]);
          const stored = [...all].map(([id, doc]) => ({ id, doc }));
          for (const item of requested) await check(rows, stored, { ...item, where: { run, ...item.where } });
        },
      ),
      { numRuns: 80 },
    );
  }, 60_000);
}

async function check(
  rows: ReturnType<Documents['collection']>,
  stored: readonly StoredDocument<object>[],
  requested: Query,
): Promise<void> {
  const results = await rows.find(requested);
  const target = expected(stored, requested);
  const paths = (requested.order ?? []).map(([path]) => path);
  const keys = (of: readonly StoredDocument<object>[]) => of.map(({ doc }) => paths.map((path) => valueAt(doc, path)));
  expect(keys(results)).toEqual(keys(target));
  expect(new Set(results.map(({ id }) => id)).size).toBe(results.length);
  for (const { id, doc } of results) {
    expect(matches(doc, requested.where)).toBe(true);
    expect(canonicalJson(doc)).toBe(canonicalJson(stored.find((document) => document.id === id)!.doc));
  }
  // Without skip and with room for all, not only how they sort but which they are.
  if (requested.skip === undefined && requested.limit === 1_000) {
    expect(results.map(({ id }) => id).sort()).toEqual(target.map(({ id }) => id).sort());
  }
  expect(await rows.count(requested.where)).toBe(expected(stored, { ...requested, skip: 0, limit: 1_000 }).length);
}
