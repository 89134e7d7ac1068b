import { type CollectionDefinition, type Documents, UnindexedQuery } from '@assurance/storage-ports';
import { id, unique } from '../harness';

interface Row {
  readonly org: string;
  readonly digest: string;
  readonly at: number;
  readonly from: { readonly repo: string } | null;
}

const fields = [
  ['at', 'desc'],
  ['digest', 'asc'],
] as const;

/** Fields that are declared to hold ids, and indexes of documents that have a field. */
export function ids(open: () => Documents): void {
  const define = (): CollectionDefinition<Row> => ({
    name: unique('with_ids'),
    ids: ['org', 'digest', 'from.repo'],
    indexes: [
      { name: 'by_org', fields: [['org', 'asc'], ...fields] },
      { name: 'by_digest', fields: [['digest', 'asc']] },
      { name: 'by_repo', fields: [['org', 'asc'], ['from.repo', 'asc'], ...fields], only: 'from.repo' },
    ],
  });
  const digest = (first: string) => first.padEnd(64, '0');
  const put = (key: string, doc: Row) => ({ kind: 'put', id: key, doc }) as const;

  it('finds and sorts by ids and digests, whole or of other forms', async () => {
    const rows = open().collection(define());
    const [org, other] = [id(), id()];
    const writes = [digest('b'), digest('a'), digest('a1'), digest('A'), 'a', ''].map((text, i) =>
      put(`${i}`, { org: text === '' ? other : org, digest: text, at: 1, from: null }),
    );
    await rows.write(writes);
    const order = fields;
    const results = (await rows.find({ where: { org }, order, limit: 10 })).map(({ doc }) => doc.digest);
    const ofForm = (form: (text: string) => boolean) => results.filter(form);
    expect(results).toHaveLength(5);
    expect(ofForm((text) => /^[0-9a-f]{64}$/.test(text))).toEqual([digest('a'), digest('a1'), digest('b')]);
    expect(ofForm((text) => !/^[0-9a-f]{64}$/.test(text))).toEqual([digest('A'), 'a']);
    expect((await rows.find({ where: { digest: digest('a') }, limit: 10 })).map((row) => row.id)).toEqual(['1']);
    expect(await rows.count({ digest: { in: ['a', digest('b'), digest('c')] } })).toBe(2);
    expect(await rows.count({ org: other })).toBe(1);
    await expect(rows.find({ where: { digest: { gte: 'a' } }, limit: 10 })).rejects.toBeInstanceOf(UnindexedQuery);
  });

  it('serves by an index of documents that have a field only queries for those', async () => {
    const rows = open().collection(define());
    const [org, repo, another] = [id(), id(), id()];
    const row = (at: number, from: string | null) =>
      put(`${at}`, { org, digest: digest('a'), at, from: from === null ? null : { repo: from } });
    await rows.write([row(1, repo), row(2, null), row(3, another), row(4, repo)]);
    const countOf = async (of: string | readonly string[]) => {
      const where = { org, 'from.repo': typeof of === 'string' ? of : { in: of } };
      return (await rows.find({ where, order: fields, limit: 10 })).map(({ doc }) => doc.at);
    };
    expect(await countOf(repo)).toEqual([4, 1]);
    expect(await countOf([repo, another])).toEqual([4, 3, 1]);
    await rows.write([row(4, null), row(2, repo)]);
    expect(await countOf(repo)).toEqual([2, 1]);
    expect(await rows.count({ org, 'from.repo': repo })).toBe(2);
    await expect(rows.count({ org, 'from.repo': null })).rejects.toBeInstanceOf(UnindexedQuery);
    await expect(rows.count({ org, 'from.repo': { in: [repo, null] } })).rejects.toBeInstanceOf(UnindexedQuery);
  });
}
