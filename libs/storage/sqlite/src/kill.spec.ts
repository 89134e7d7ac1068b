import { rm } from 'node:fs/promises';
import { commitHash } from '@assurance/storage-records';
import type { Commit, EventStore } from '@assurance/storage-ports';
import { openOn, temporaryFolder } from './testing/open-temporary';
import { spawnChild } from './testing/spawn-child';

const ROUNDS = 3;
const LINES = 800;

describe('kill -9 while 32 appends are in flight', () => {
  for (let round = 1; round <= ROUNDS; round += 1) {
    it(`keeps every commit that was told as appended, and streams without gaps (${round})`, async () => {
      const folder = await temporaryFolder();
      const child = spawnChild(folder, 'append');
      try {
        await child.written(LINES * round);
      } finally {
        await child.kill();
      }
      const [opened, ...told] = child.lines();
      expect(opened).toBe('open');
      expect(told.length).toBeGreaterThan(LINES / 2);
      const engines = await openOn(folder);
      const stored = await byStream(engines.events);
      for (const line of told) {
        const [stream = '', seq] = line.split(' ');
        expect(stored.get(stream)?.length ?? 0).toBeGreaterThanOrEqual(Number(seq));
      }
      for (const commits of stored.values()) {
        commits.forEach((commit, i) => {
          expect(commit.seq).toBe(i + 1);
          expect(commit.prev).toBe(i === 0 ? null : commitHash(commits[i - 1]!));
        });
      }
      await engines.close();
      await rm(folder, { recursive: true, force: true });
    });
  }
});

async function byStream(events: EventStore): Promise<Map<string, Commit[]>> {
  const streams = new Map<string, Commit[]>();
  for (let after: string | null = null; ;) {
    const { commits, next } = await events.scan(after, 1_000);
    for (const commit of commits) streams.set(commit.stream, [...(streams.get(commit.stream) ?? []), commit]);
    if (next === null) return streams;
    after = next;
  }
}
