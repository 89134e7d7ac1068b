import { type CollectionDefinition, type Documents, scanPages } from '@assurance/storage-ports';
import { lookAlikes, unique } from '../harness';

interface Row {
  readonly n: number;
}

const define = (): CollectionDefinition<Row> => ({ name: unique('scans'), indexes: [] });

export function scans(documents: () => Documents): void {
  const scanAll = async (definition: CollectionDefinition<Row>, limit: number, between?: () => Promise<void>) => {
    const all: (readonly [id: string, n: number])[] = [];
    for await (const page of scanPages(documents().collection(definition), limit)) {
      expect(page.length).toBeLessThanOrEqual(limit);
      all.push(...page.map(({ id, doc }) => [id, doc.n] as const));
      await between?.();
    }
    return all;
  };

  it('gives every document once, whatever its id, and none that is removed', async () => {
    const definition = define();
    const ids = [...lookAlikes('a'), '', '\u0000', '\u001b"x"', '😀'];
    const rows = documents().collection(definition);
    await rows.write(ids.map((id, n) => ({ kind: 'put', id, doc: { n } })));
    await rows.write([{ kind: 'remove', id: ids[0]!, seq: 1 }]);
    const remaining = new Map(ids.map((id, n) => [id, n] as const).slice(1));
    for (const limit of [1, 2, 1_000]) {
      const all = await scanAll(definition, limit);
      expect(all).toHaveLength(remaining.size);
      expect(new Map(all)).toEqual(remaining);
    }
  });

  it('misses none that is there all the while, also while others come and go', async () => {
    const definition = define();
    const rows = documents().collection(definition);
    await rows.write(Array.from({ length: 40 }, (_, n) => ({ kind: 'put', id: `row-${n}`, doc: { n } })));
    let come = 0;
    const all = await scanAll(definition, 7, async () => {
      come += 1;
      await rows.write([
        { kind: 'put', id: `new-${come}`, doc: { n: -1 } },
        { kind: 'put', id: `z-${come}`, doc: { n: -1 } },
        { kind: 'remove', id: `new-${come - 1}`, seq: 1 },
      ]);
    });
    const there = all.filter(([, n]) => n >= 0);
    expect(there).toHaveLength(40);
    expect(new Set(there.map(([id]) => id)).size).toBe(40);
  });

  it('gives nothing of a collection that nobody used', async () => {
    expect(await documents().collection(define()).scan(null, 10)).toEqual({ documents: [], next: null });
  });
}
