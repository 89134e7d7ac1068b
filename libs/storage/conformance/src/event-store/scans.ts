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
  });

  it('gives what was committed when it began, also while others commit', async () => {
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
      expect(seqs).toEqual(seqs.map((_, i) => i + 1));
      expect(seqs.length).toBeGreaterThanOrEqual(commits.length);
    }
  });

  it('comes to its end while more is committed than it reads', async () => {
    const before = makeStream([{}, {}, {}]);
    await appendAll(events(), before);
    const there = (await scanAll(events(), 1_000)).length;
    const scanned: Commit[] = [];
    for (let after: string | null = null, page = 0; page < 2 * there; page += 1) {
      const { commits, next } = await events().scan(after, 10);
      scanned.push(...commits);
      if (next === null) {
        expect(scanned.filter(({ stream }) => stream === before[0]!.stream)).toEqual(before);
        return;
      }
      after = next;
      await appendAll(events(), makeStream(Array.from({ length: 12 }, () => ({}))));
    }
    throw new Error('the scan does not end');
  });
}

/** All pages; `between` runs after each of the first 30. */
async function scanAll(
  events: EventStore,
  limit: number,
  between?: (page: number) => Promise<void>,
): Promise<Commit[]> {
  const all: Commit[] = [];
  let after: string | null = null;
  for (let page = 0; ; page += 1) {
    const { commits, next } = await events.scan(after, limit);
    expect(commits.length).toBeLessThanOrEqual(limit);
    all.push(...commits);
    if (next === null) return all;
    after = next;
    if (page < 30) await between?.(page);
  }
}
