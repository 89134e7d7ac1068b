import type { CollectionDefinition, Documents, Part } from '@assurance/storage-ports';
import { unique } from '../harness';

interface Row {
  readonly n: number;
}

const define = (): CollectionDefinition<Row> => ({ name: unique('orders'), indexes: [] });

export function orders(documents: () => Documents): void {
  const part = (collection: CollectionDefinition<Row>, n: number, ids: readonly string[] = ['a']): Part => ({
    collection,
    writes: ids.map((id) => ({ kind: 'forward', id, seq: n, doc: { n } })),
  });
  const read = async (collection: CollectionDefinition<Row>, id = 'a') =>
    (await documents().collection(collection).get(id))?.n ?? 0;

  it('writes to all collections of all steps, as a write to each does', async () => {
    const [collection, two, three] = [define(), define(), define()];
    await documents().writeInOrder([[part(collection, 2, ['a', 'b']), part(two, 2)], [], [part(three, 2)]]);
    expect([await read(collection), await read(collection, 'b'), await read(two), await read(three)]).toEqual([
      2, 2, 2, 2,
    ]);
    await documents().writeInOrder([[part(collection, 1), part(two, 3)], [{ collection: three, writes: [] }]]);
    await documents().writeInOrder([[{ collection: collection, writes: [{ kind: 'remove', id: 'b', seq: 3 }] }]]);
    await documents().writeInOrder([]);
    expect([await read(collection), await read(collection, 'b'), await read(two), await read(three)]).toEqual([
      2, 0, 3, 2,
    ]);
  });

  it.each([
    [2, 20],
    [400, 3],
  ])('shows nothing of a step before all of the one before it: %i documents', async (many, rounds) => {
    const [first, last] = [define(), define()];
    const ids = Array.from({ length: many }, (_, i) => `${i}`);
    const end = ids.at(-1) ?? '';
    let writing = true;
    const writer = (async () => {
      for (let n = 1; n <= rounds; n += 1) await documents().writeInOrder([[part(first, n, ids)], [part(last, n)]]);
    })().finally(() => (writing = false));
    const seen: (readonly [last: number, first: number])[] = [];
    do {
      seen.push([await read(last), Math.min(await read(first, '0'), await read(first, end))]);
      // An engine that reads all at once would leave the writer no turn.
      await new Promise((resolve) => setImmediate(resolve));
    } while (writing);
    await writer;
    expect(seen.filter(([after, before]) => before < after)).toEqual([]);
    expect([await read(last), await read(first, end)]).toEqual([rounds, rounds]);
  });
}
