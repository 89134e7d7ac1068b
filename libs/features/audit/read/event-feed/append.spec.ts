import { openTemporary } from '@assurance/storage-sqlite/testing';
import { appendToFeed } from './append';
import { BEGINNING, digestAt, type FeedPage, feedPages, PAGE_COMMITS } from './pages';

const commit = (seq: number, org = 'o1') => ({ org, stream: 'trail/f1/t1', seq });

describe('the order of a feed', () => {
  let opened: Awaited<ReturnType<typeof openTemporary>>;
  beforeEach(async () => (opened = await openTemporary()));
  afterEach(() => opened.close());
  const pages = async (org = 'o1'): Promise<FeedPage[]> => {
    const results = await opened.engines.documents
      .collection(feedPages)
      .find({ where: { org }, order: [['number', 'asc']], limit: 100 });
    return results.map(({ doc }) => doc);
  };
  const append = (commits: Parameters<typeof appendToFeed>[1]) => appendToFeed(opened.engines.documents, commits);

  it('holds each commit once, in full pages, each with the digest of all before it', async () => {
    const all = Array.from({ length: 2 * PAGE_COMMITS + 3 }, (_, i) => commit(i + 1));
    for (const size of [1, 5, 200, all.length]) await append(all.splice(0, size));
    const results = await pages();
    expect(results.map(({ commits }) => commits.length)).toEqual([PAGE_COMMITS, PAGE_COMMITS, 3]);
    expect(results.flatMap(({ commits }) => commits)).toEqual(
      Array.from({ length: 2 * PAGE_COMMITS + 3 }, (_, i) => `trail/f1/t1#${i + 1}`),
    );
    const digests = results.map((page) => digestAt(page, page.commits.length));
    expect(results.map(({ start }) => start)).toEqual([BEGINNING, ...digests.slice(0, -1)]);
  });

  it('loses none and doubles none where several append at once', async () => {
    const all = Array.from({ length: 300 }, (_, i) => commit(i + 1));
    await Promise.all(all.map((nextCommit) => append([nextCommit])));
    const places = (await pages()).flatMap(({ commits }) => commits);
    expect([...places].sort()).toEqual(all.map(({ stream, seq }) => `${stream}#${seq}`).sort());
  });

  it('begins again where its pages are gone', async () => {
    const all = Array.from({ length: PAGE_COMMITS + 2 }, (_, i) => commit(i + 1));
    await append(all);
    await opened.engines.documents.drop(feedPages);
    await append(all);
    expect((await pages()).map(({ number, start, commits }) => [number, start === BEGINNING, commits.length])).toEqual([
      [0, true, PAGE_COMMITS],
      [1, false, 2],
    ]);
  });

  it('is not changed by what comes again, and differs by organization', async () => {
    await append([commit(1), commit(2), commit(1, 'o2')]);
    await append([commit(2), commit(1)]);
    expect((await pages()).flatMap(({ commits }) => commits)).toEqual(['trail/f1/t1#1', 'trail/f1/t1#2']);
    expect((await pages('o2')).flatMap(({ commits }) => commits)).toEqual(['trail/f1/t1#1']);
  });
});
