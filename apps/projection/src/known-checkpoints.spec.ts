import fc from 'fast-check';
import { followViews } from '@assurance/event-sourcing/projection/follow-views';
import { Generations } from '@assurance/event-sourcing/projection/generations';
import { liveFollowers } from '@assurance/event-sourcing/projection/live-followers';
import { CheckpointCache } from '@assurance/event-sourcing/projection/view-checkpoints';
import type { Ports } from '@assurance/event-sourcing/tokens';
import { groupBy } from '@assurance/kernel';
import {
  type Collection,
  type Commit,
  type Document,
  type Documents,
  type Engines,
  scanPages,
} from '@assurance/storage-ports';
import { openTemporary } from '@assurance/storage-sqlite/testing';
import { recordAcme } from '@assurance/testing/recorded/acme';
import { views as VIEWS } from './views';

const RUNS = 15;

/** One process that follows the feed, with its own cache of checkpoints. */
function follower({ events }: Pick<Engines, 'events'>, documents: Documents) {
  const cache = new CheckpointCache();
  const generations = new Generations({ documents } as Ports);
  return async (batch: readonly Commit[]) => {
    const { followers, written } = await liveFollowers(generations, VIEWS, cache);
    await followViews(events, followers, batch, written);
  };
}

/** Documents that report every read by id in the checkpoints of views. */
function watchReads(documents: Documents, onRead: (streams: readonly string[]) => void): Documents {
  return {
    ...documents,
    persist: () => documents.persist(),
    drop: (definition) => documents.drop(definition),
    writeInOrder: (steps) => documents.writeInOrder(steps),
    collection: (definition) => {
      const its = documents.collection(definition);
      if (definition.name !== 'taken_streams') return its;
      const getMany: typeof its.getMany = (ids) => {
        onRead(ids);
        return its.getMany(ids);
      };
      return Object.assign(Object.create(its) as typeof its, { getMany, merge: its.merge.bind(its) });
    },
  };
}

describe('known checkpoints', () => {
  let recorded: Awaited<ReturnType<typeof openTemporary>>;
  let commits: readonly Commit[] = [];

  beforeAll(async () => {
    recorded = await openTemporary();
    await recordAcme(recorded.engines);
    const all: Commit[] = [];
    for (let after: string | null = null; ;) {
      const page: Awaited<ReturnType<Engines['events']['scan']>> = await recorded.engines.events.scan(after, 500);
      all.push(...page.commits);
      if (page.next === null) break;
      after = page.next;
    }
    commits = all;
  });
  afterAll(() => recorded.close());

  /**
   * All documents of all views. Counts and figures are left out because they record how often rows were revised, and the feed because it keeps the
   * order of arrival.
   */
  async function rowsOf(documents: Documents): Promise<Record<string, Document>> {
    const rows: Record<string, Document> = {};
    for (const { name, ...definition } of VIEWS.flatMap(({ collections }) => collections)) {
      if (/_counts|_figures|_quarters|_feed/.test(name)) continue;
      const collection = documents.collection({ name, ...definition }) as Collection<Document>;
      for await (const page of scanPages(collection, 500)) for (const { id, doc } of page) rows[`${name} ${id}`] = doc;
    }
    return rows;
  }

  it('give all views the same end state when streams move between processes and batches are repeated', async () => {
    const plain = await openTemporary();
    for (const commit of commits) await follower(recorded.engines, plain.engines.documents)([commit]);
    const expected = await rowsOf(plain.engines.documents);
    await plain.close();
    for (const { collections } of VIEWS)
      expect(collections.some(({ name }) => Object.keys(expected).some((row) => row.startsWith(`${name} `)))).toBe(
        true,
      );
    const streams = [...groupBy(commits, ({ stream }) => stream).values()];
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat({ max: 1_000 })), async (random) => {
        const next = (below: number) => random.next().value % below;
        const { engines, close } = await openTemporary();
        try {
          const processes = [0, 1, 2].map(() => follower(recorded.engines, engines.documents));
          const left = streams.map((its) => ({ its, at: 0 }));
          while (left.length > 0) {
            const batch: Commit[] = [];
            for (const remaining of left.filter(() => next(3) === 0)) {
              const [from, to] = [Math.max(0, remaining.at - next(4)), remaining.at + 1 + next(3)];
              batch.push(...remaining.its.slice(from, to));
              // A position that is not confirmed is delivered again, to this process or another.
              if (next(4) > 0) remaining.at = Math.max(remaining.at, Math.min(to, remaining.its.length));
            }
            await processes[next(processes.length)]?.(batch);
            for (const remaining of left.filter(({ its, at }) => at >= its.length))
              left.splice(left.indexOf(remaining), 1);
          }
          expect(await rowsOf(engines.documents)).toEqual(expected);
        } finally {
          await close();
        }
      }),
      { numRuns: RUNS },
    );
  });

  describe('of a stream', () => {
    const reads: string[] = [];
    let stream: readonly Commit[] = [];
    let own: Awaited<ReturnType<typeof openTemporary>>;

    afterEach(async () => {
      jest.restoreAllMocks();
      await own.close();
    });
    beforeEach(async () => {
      own = await openTemporary();
      const kinds = groupBy(
        commits.filter(({ stream }) => stream.startsWith('environment/')),
        (commit) => commit.stream,
      );
      stream = [...kinds.values()].reduce((longest, candidate) =>
        candidate.length > longest.length ? candidate : longest,
      );
      expect(stream.length).toBeGreaterThanOrEqual(3);
    });

    const readsOf = async (step: () => Promise<void>): Promise<readonly string[]> => {
      reads.length = 0;
      await step();
      return [...new Set(reads)];
    };

    it('are read once while the stream stays with the process', async () => {
      const [first, second, third] = stream.map((commit) => [commit]);
      await follower(recorded.engines, own.engines.documents)(first ?? []);
      const process = follower(
        recorded.engines,
        watchReads(own.engines.documents, (ids) => reads.push(...ids)),
      );
      expect(await readsOf(() => process(second ?? []))).toEqual([stream[0]?.stream]);
      expect(await readsOf(() => process([...(second ?? []), ...(third ?? [])]))).toEqual([]);
    });

    it('are not read where the stream begins, unless many do, as in a feed that starts over', async () => {
      const process = follower(
        recorded.engines,
        watchReads(own.engines.documents, (ids) => reads.push(...ids)),
      );
      expect(await readsOf(() => process(stream.slice(0, 1)))).toEqual([]);
      const many = Array.from({ length: 9 }, (_, i) =>
        stream.slice(0, 1).map((commit) => ({ ...commit, stream: `environment/${i}` })),
      );
      expect(await readsOf(() => process(many.flat()))).toEqual(many.flat().map((commit) => commit.stream));
    });

    it('are read again when another process had the stream in between', async () => {
      const process = follower(
        recorded.engines,
        watchReads(own.engines.documents, (ids) => reads.push(...ids)),
      );
      const other = follower(recorded.engines, own.engines.documents);
      const [first, second, third] = stream.map((commit) => [commit]);
      await process(first ?? []);
      await other(second ?? []);
      const taken: string[] = [];
      for (const view of VIEWS)
        jest.spyOn(view, 'take').mockImplementation((_, its) => {
          taken.push(...its.map(({ meta }) => `${view.name} ${meta.seq}`));
          return Promise.resolve();
        });
      expect(await readsOf(() => process(third ?? []))).toEqual([stream[0]?.stream]);
      // Commits that the other process took are neither missed nor taken again.
      expect(taken).toEqual(['audit-log 3', 'components 3', 'deployments 3', 'environment-events 3']);
    });
  });
});
