import fc from 'fast-check';
import { codePoint } from '../../code-point';
import { lookAlikes, unique } from '../harness';
import { canonicalJson, type Json } from '@assurance/kernel';
import type { Collection, Documents } from '@assurance/storage-ports';

interface Row {
  readonly n?: number;
  readonly value?: Json;
}

export function bodies(documents: () => Documents): void {
  const open = (): Collection<Row> => documents().collection<Row>({ name: unique('bodies'), indexes: [] });

  it('gives a document as it was put, the newest put, and null where nothing is', async () => {
    const rows = open();
    expect(await rows.get('a')).toBeNull();
    await rows.write([{ kind: 'put', id: 'a', doc: { n: 1 } }]);
    expect(await rows.get('a')).toEqual({ n: 1 });
    await rows.write([{ kind: 'put', id: 'a', doc: { value: 'other' } }]);
    expect(await rows.get('a')).toEqual({ value: 'other' });
    await rows.write([]);
    expect(await rows.get('b')).toBeNull();
  });

  it('keeps any JSON value under any key, in indexed documents too', async () => {
    const name = unique('any');
    const indexes = [{ name: 'by_value', fields: [['value', 'asc']] }] as const;
    const rows = documents().collection<object>({ name, indexes });
    await fc.assert(
      fc.asyncProperty(anyObject, fc.boolean(), async (text, merged) => {
        const [id, doc] = [unique('id'), JSON.parse(text) as object];
        if (merged) await rows.merge([id], () => doc);
        else await rows.write([{ kind: 'put', id, doc }]);
        expect(canonicalJson(await rows.get(id))).toBe(canonicalJson(JSON.parse(text)));
      }),
      { numRuns: 100 },
    );
  });

  it('takes ids byte for byte', async () => {
    const rows = open();
    const ids = [...lookAlikes('id'), 'a.b', '$id', '__proto__', '/', '{"a":1}', '5', '05', 'null'];
    await rows.write(ids.map((id, n) => ({ kind: 'put', id, doc: { n } })));
    for (const [n, id] of ids.entries()) expect(await rows.get(id)).toEqual({ n });
    const all = await rows.getMany(ids);
    expect([...all.keys()].sort()).toEqual([...ids].sort());
    for (const [n, id] of ids.entries()) expect(all.get(id)).toEqual({ n });
  });

  it('takes ids of 1,024 bytes that differ in their last byte alone', async () => {
    const name = unique('long');
    const rows = documents().collection<Row>({ name, indexes: [{ name: 'by_n', fields: [['n', 'asc']] }] });
    const ids = ['a', 'b', 'A'].map((last) => '\u20ac'.repeat(341) + last);
    await rows.write(ids.map((id, n) => ({ kind: 'forward', id, seq: 1, doc: { n } })));
    await rows.merge([ids[0]!], (current) => ({ ...current, value: 'merged' }));
    expect(await rows.get(ids[0]!)).toEqual({ n: 0, value: 'merged' });
    expect(await rows.get(ids[1]!)).toEqual({ n: 1 });
    expect([...(await rows.getMany(ids)).keys()].sort()).toEqual([...ids].sort());
    const results = await rows.find({ where: {}, order: [['n', 'asc']], limit: 10 });
    expect(results.map(({ id }) => id)).toEqual(ids);
  });

  it('gives of many ids those that are there', async () => {
    const rows = open();
    const ids = Array.from({ length: 1_000 }, (_, i) => `id-${i}`);
    const there = ids.filter((_, i) => i % 3 === 0);
    await rows.write(there.map((id) => ({ kind: 'put', id, doc: { value: id } })));
    const results = await rows.getMany(ids);
    expect(results.size).toBe(there.length);
    for (const id of there) expect(results.get(id)).toEqual({ value: id });
    expect((await rows.getMany([])).size).toBe(0);
    expect([...(await rows.getMany(['id-0', 'id-0', 'id-1'])).keys()]).toEqual(['id-0']);
  });

  it('keeps collections apart, and gives the same one by the same name', async () => {
    const [name, other] = [unique('one'), open()];
    const rows = documents().collection<Row>({ name, indexes: [] });
    await rows.write([{ kind: 'put', id: 'same', doc: { n: 1 } }]);
    await other.write([{ kind: 'put', id: 'same', doc: { n: 2 } }]);
    await other.write([{ kind: 'remove', id: 'same', seq: 9 }]);
    expect(await rows.get('same')).toEqual({ n: 1 });
    expect(await documents().collection<Row>({ name, indexes: [] }).get('same')).toEqual({ n: 1 });
  });

  it('keeps a document of 1 MB', async () => {
    const [rows, value] = [open(), '\u20ac'.repeat(350_000)];
    await rows.write([{ kind: 'put', id: 'large', doc: { value } }]);
    expect((await rows.get('large'))?.value === value).toBe(true);
  });
}

const hardKey = fc.constantFrom(
  '',
  '.',
  'a.b',
  '$set',
  '$',
  '__proto__',
  'constructor',
  'toString',
  '_id',
  'id',
  'seq',
  'rev',
  'doc',
  'value',
  '\u0000',
  'a\u0000b',
  '\u00e9',
  'e\u0301',
  '\u{1f600}',
  '0',
  '-1',
  ' ',
  '"',
  '\\',
  'length',
  'toJSON',
);
const key = fc.oneof(hardKey, fc.string({ unit: codePoint, maxLength: 6 }));
const scalar = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    'false',
    '0',
    '1',
    '-1',
    '9007199254740991',
    '1e21',
    '1e-7',
    '5e-324',
    '0.1',
    '""',
    '"e\u0301"',
    '" x "',
    '"\u212b"',
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => JSON.stringify(n)),
  fc.string({ unit: codePoint, maxLength: 12 }).map((text) => JSON.stringify(text)),
);
const members = (value: fc.Arbitrary<string>) =>
  fc
    .uniqueArray(fc.tuple(key, value), { selector: ([name]) => name, maxLength: 5 })
    .map((pairs) => `{${pairs.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`);
/** JSON text of an object: text, because an object literal cannot carry every key (`__proto__`). */
const anyObject = fc.letrec<{ object: string; value: string }>((tie) => ({
  object: members(tie('value')),
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    tie('object'),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
  ),
})).object;
