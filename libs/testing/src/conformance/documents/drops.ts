import { setImmediate } from 'node:timers/promises';
import type { CollectionDefinition, Documents } from '@assurance/storage-ports';
import { unique } from '../harness';

interface Row {
  readonly n: number;
}

const define = (): CollectionDefinition<Row> => ({
  name: unique('drops'),
  indexes: [{ name: 'by_n', fields: [['n', 'asc']] }],
});

export function drops(documents: () => Documents): void {
  it('removes all of a collection, and leaves others as they are', async () => {
    const [droppedShape, other] = [define(), define()];
    const many = Array.from({ length: 700 }, (_, n) => ({ kind: 'put', id: `${n}`, doc: { n } }) as const);
    await documents().collection(droppedShape).write(many);
    await documents().collection(other).write(many.slice(0, 3));
    await documents().drop(droppedShape);
    expect(await documents().collection(droppedShape).get('1')).toBeNull();
    expect(
      await documents()
        .collection(droppedShape)
        .count({ n: { gte: 0 } }),
    ).toBe(0);
    expect(
      await documents()
        .collection(other)
        .count({ n: { gte: 0 } }),
    ).toBe(3);
  });

  it('leaves a collection that can be used as a new one, with its indexes', async () => {
    const definition = define();
    const rows = documents().collection(definition);
    await rows.write([{ kind: 'forward', id: 'a', seq: 7, doc: { n: 7 } }]);
    await rows.write([{ kind: 'remove', id: 'b', seq: 7 }]);
    await documents().drop(definition);
    await rows.write(['a', 'b'].map((id) => ({ kind: 'forward', id, seq: 1, doc: { n: 1 } })));
    expect(await rows.find({ where: { n: 1 }, limit: 10 })).toHaveLength(2);
    expect(await documents().collection(definition).get('a')).toEqual({ n: 1 });
  });

  it('drops what nobody has used, and what was dropped before', async () => {
    const definition = define();
    await documents().drop(definition);
    await documents().drop(definition);
    expect(await documents().collection(definition).get('a')).toBeNull();
  });
  it.each([0, 1, 3, 8])(
    'persists all other writes when a collection is first used %i turns into its drop',
    async (turns) => {
      const [droppedShape, other] = [define(), define()];
      const dropped = documents().drop(droppedShape);
      for (let i = 0; i < turns; i += 1) await setImmediate();
      // This row may exist or not: it was written before the drop or after it.
      const late = documents()
        .collection(droppedShape)
        .write([{ kind: 'put', id: 'late', doc: { n: 1 } }]);
      await documents()
        .collection(other)
        .write([{ kind: 'put', id: 'a', doc: { n: 2 } }]);
      await Promise.all([dropped, late]);
      await documents().persist();
      expect(await documents().collection(other).get('a')).toEqual({ n: 2 });
      await documents()
        .collection(droppedShape)
        .write([{ kind: 'put', id: 'later', doc: { n: 3 } }]);
      await documents().persist();
      expect(await documents().collection(droppedShape).get('later')).toEqual({ n: 3 });
    },
  );
}
