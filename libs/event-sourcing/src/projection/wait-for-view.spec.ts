import type { Clock } from '../tokens';
import { waitForView } from './wait-for-view';
import { CheckpointWatch } from './checkpoint-watch';
import type { View } from './view';

const STREAM = 'environment/acme-prod';

const sample: View = {
  name: 'sample',
  version: 1,
  collections: [],
  kinds: new Set(['environment']),
  types: new Set(['SnapshotRecorded']),
  take: () => Promise.resolve(),
};

/** Queries of one process that wait for a view. Each read of the view's checkpoint takes `readMs` milliseconds. */
function queries({ readMs = 0 } = {}) {
  const watch = new CheckpointWatch();
  const seen = { checkpoint: 1, reads: 0 };
  const of = async () => {
    seen.reads += 1;
    if (readMs > 0) await new Promise((resolve) => setTimeout(resolve, readMs));
    return () => seen.checkpoint;
  };
  const checkpoints = {
    of,
    reach: (...[positions, ms]: [Parameters<CheckpointWatch['reach']>[0], number]) => watch.reach(positions, ms, of),
  };
  const clock = { steady: () => performance.now(), now: () => Date.now(), earliest: () => Date.now() } as Clock;
  const events = { recentOf: () => Promise.resolve([{ stream: STREAM, seq: 2 }]) };
  const ask = () => waitForView(events, checkpoints, sample, 'a caller', clock);
  return { seen, watch, ask };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('waits two seconds by the clock, however long one read of checkpoints takes', async () => {
  const { ask } = queries({ readMs: 700 });
  const begun = performance.now();
  const behind = ask().then((seconds) => ({ seconds, waited: performance.now() - begun }));
  await jest.advanceTimersByTimeAsync(10_000);
  expect(await behind).toEqual({ seconds: 2, waited: 2_000 });
});

it('answers as soon as the view holds the commits', async () => {
  const { ask, seen } = queries();
  const behind = ask();
  await jest.advanceTimersByTimeAsync(50);
  seen.checkpoint = 2;
  await jest.advanceTimersByTimeAsync(10);
  expect(await behind).toBe(0);
});

it('answers without another read where a follower of this process reports the commits', async () => {
  const { ask, seen, watch } = queries({ readMs: 1_000 });
  const behind = ask();
  await jest.advanceTimersByTimeAsync(1_100);
  watch.note(new Map([[STREAM, 2]]));
  expect(await behind).toBe(0);
  expect(seen.reads).toBe(2);
});

it('reads checkpoints no more often for fifty queries than for one', async () => {
  const readsOf = async (count: number) => {
    const { ask, seen } = queries();
    const all = Promise.all(Array.from({ length: count }, ask));
    await jest.advanceTimersByTimeAsync(10_000);
    expect(new Set(await all)).toEqual(new Set([2]));
    // Each query first reads once, because it need not wait if the view already contains its commits.
    return seen.reads - count;
  };
  expect(await readsOf(50)).toBe(await readsOf(1));
});

it('fails where checkpoints cannot be read, and reads again for the next query', async () => {
  const watch = new CheckpointWatch();
  const failing = watch.reach([{ stream: STREAM, seq: 2 }], 2_000, () => Promise.reject(new Error('gone')));
  const caught = failing.catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(100);
  expect(await caught).toEqual(new Error('gone'));
  const next = watch.reach([{ stream: STREAM, seq: 2 }], 2_000, () => Promise.resolve(() => 2));
  await jest.advanceTimersByTimeAsync(100);
  expect(await next).toBe(true);
});
