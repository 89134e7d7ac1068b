import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { commitHash } from '@assurance/event-sourcing/sealing/seal';
import type { Commit, EventStore } from '@assurance/storage-ports';
import { checkpointsOf, effectsOf, FOLLOWERS } from './testing/child';
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
      const [opened, ...items] = child.lines();
      expect(opened).toBe('open');
      expect(items.length).toBeGreaterThan(LINES / 2);
      const engines = await openOn(folder);
      const stored = await byStream(engines.events);
      for (const line of items) {
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

describe('kill -9 while a consumer keeps documents', () => {
  it('delivers again what their loss left out, and keeps no checkpoint without its effect', async () => {
    const folder = await temporaryFolder();
    const child = spawnChild(folder, 'follow');
    try {
      await child.written(LINES);
      // By then some of the documents are in the file, and others are not.
      await sleep(4_700);
    } finally {
      await child.kill();
    }
    const { events, feed, documents, close } = await openOn(folder);
    const stored = await byStream(events);
    const read = async (definition: typeof effectsOf) =>
      new Map((await documents.collection(definition).scan(null, 1_000)).documents.map(({ id, doc }) => [id, doc.seq]));
    const [effects, checkpoints] = [await read(effectsOf), await read(checkpointsOf)];
    expect(checkpoints.size).toBe(32);
    for (const [stream, seq] of checkpoints) expect(effects.get(stream)).toBeGreaterThanOrEqual(seq);
    const heard = new Map<string, number[]>();
    const consumer = await feed.consume(
      FOLLOWERS,
      async (batch) => batch.forEach(({ stream, seq }) => heard.set(stream, [...(heard.get(stream) ?? []), seq])),
      { maxBatch: 1_000 },
    );
    while ((await consumer.lag()) > 0) await new Promise((resolve) => setImmediate(resolve));
    for (const [stream, commits] of stored) {
      const again = heard.get(stream) ?? [];
      // The feed delivers all commits from some seq to the end, without a gap. That seq is at most one after the checkpoint.
      expect(again).toEqual(commits.slice(commits.length - again.length).map(({ seq }) => seq));
      expect(commits.length - again.length).toBeLessThanOrEqual(checkpoints.get(stream) ?? 0);
    }
    await close();
    await rm(folder, { recursive: true, force: true });
  });
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
