import { setImmediate } from 'node:timers/promises';
import type { Commit, EventStore } from '@assurance/storage-ports';
import { appendAll, makeStream, nextCommit } from '../harness';

export function scans(events: () => EventStore): void {
  it('gives every commit once, each stream in its own order, in pages of bounded size', async () => {
    const streams = Array.from({ length: 5 }, () => makeStream(Array.from({ length: 7 }, () => ({}))));
    for (let seq = 0; seq < 7; seq += 1)
      await appendAll(
        events(),
        streams.map((commits) => commits[seq]!),
      );
    for (const limit of [1, 3, 1_000]) {
      const scanned = await scanAll(events(), limit);
      expect(new Set(scanned.map(({ id }) => id)).size).toBe(scanned.length);
      for (const commits of streams) {
        expect(scanned.filter(({ stream }) => stream === commits[0]!.stream)).toEqual(commits);
      }
    }
  }, 60_000);

  it('gives what was committed when it began and no more, also while others commit', async () => {
    const streams = Array.from({ length: 6 }, () => makeStream([{}, {}, {}]));
    await appendAll(events(), streams.flat());
    const newest = streams.map((commits) => commits[2]!);
    const scanned = await scanAll(events(), 2, async (page) => {
      const turn = page % newest.length;
      const next = nextCommit(newest[turn]!);
      newest[turn] = next;
      await appendAll(events(), [next]);
    });
    for (const commits of streams) {
      const seqs = scanned.filter(({ stream }) => stream === commits[0]!.stream).map(({ seq }) => seq);
      expect(seqs).toEqual([1, 2, 3]);
    }
  });

  it('goes on with what was appended since another began, in any stream, where the engine can tell', async () => {
    const [old, other] = [makeStream([{}, {}, {}]), makeStream([{}, {}])];
    await appendAll(events(), [...old, ...other]);
    const first = await scanFrom(events(), 2, () => appendAll(events(), makeStream([{}])));
    const added = [nextCommit(old[2]!), ...makeStream([{}, {}, {}])];
    await appendAll(events(), added);
    const second = await scanFrom(events(), 2, undefined, first.since);
    const ids = (commits: readonly Commit[]) => commits.map(({ id }) => id);
    expect(ids(second.commits)).toEqual(expect.arrayContaining(ids(added)));
    const allIds = [...ids(first.commits), ...ids(second.commits)];
    if (first.since !== null) expect(new Set(allIds).size).toBe(allIds.length);
    expect(ids((await scanFrom(events(), 1_000)).commits).sort()).toEqual([...new Set(allIds)].sort());
    const third = await scanFrom(events(), 1_000, undefined, second.since);
    expect(second.since === null ? [] : third.commits).toEqual([]);
  });

  it('holds what a commit followed wherever it holds the commit, also of commits that are under way when it begins', async () => {
    const chain = makeStream(Array.from({ length: 60 }, () => ({})));
    // Each is committed after the commit of the other stream with its number, so a scan with it has the other one too.
    const echo = makeStream(Array.from({ length: 60 }, () => ({})));
    let over = false;
    const writing = (async () => {
      for (const [i, commit] of chain.entries()) await appendAll(events(), [commit, echo[i]!]);
    })().finally(() => (over = true));
    do {
      const scanned = await scanAll(events(), 5, () => setImmediate());
      const many = (of: readonly Commit[]) => scanned.filter(({ stream }) => stream === of[0]!.stream).length;
      expect(many(chain) - many(echo)).toBeGreaterThanOrEqual(0);
      expect(many(chain) - many(echo)).toBeLessThanOrEqual(1);
    } while (!over);
    await writing;
  });
}

/** All commits; `between` runs after each of the first 30 pages. */
async function scanAll(events: EventStore, limit: number, between?: (page: number) => Promise<void>) {
  return (await scanFrom(events, limit, between)).commits;
}

/** All pages from a place, and where a later scan may begin. */
async function scanFrom(
  events: EventStore,
  limit: number,
  between?: (page: number) => Promise<void>,
  from: string | null = null,
): Promise<{ readonly commits: readonly Commit[]; readonly since: string | null }> {
  const all: Commit[] = [];
  for (let [page, after] = [0, from]; ; page += 1) {
    const { commits, next, since = null } = await events.scan(after, limit);
    expect(commits.length).toBeLessThanOrEqual(limit);
    all.push(...commits);
    if (next === null) return { commits: all, since };
    after = next;
    if (page < 30) await between?.(page);
  }
}
