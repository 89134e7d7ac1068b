import type { Commit } from '@assurance/storage-ports';
import { openTemporary } from '@assurance/storage-sqlite/testing';
import type { Ports } from '../tokens';
import { followViews } from './follow-views';
import { Generations } from './generations';
import { liveFollowers } from './live-followers';
import type { View } from './view';
import { checkpointsOf, CheckpointCache, liveCheckpoints } from './view-checkpoints';

const STREAM = 'trail/shop/1';
const TYPE = 'TrailBegun';

/** A commit with one event. No view in this file reads its data. */
const commit = (seq: number): Commit => ({
  id: `commit-${seq}`,
  org: 'acme',
  stream: STREAM,
  seq,
  at: seq,
  actor: 'ada',
  correlation: 'spec',
  prev: null,
  events: [{ type: TYPE, version: 1, digest: '', size: 2, data: '{}' }],
});

describe('checkpoints of views', () => {
  let temporary: Awaited<ReturnType<typeof openTemporary>>;
  let ports: Ports;
  let generations: Generations;
  /** Views that currently fail to process an event. */
  const broken = new Set<string>();
  const views = ['one', 'two'].map((name): View => ({
    name,
    version: 1,
    collections: [],
    kinds: new Set(['trail']),
    types: new Set([TYPE]),
    take: () => (broken.has(name) ? Promise.reject(new Error(`${name} is broken`)) : Promise.resolve()),
  }));
  const [firstView, secondView] = views as [View, View];

  beforeEach(async () => {
    broken.clear();
    temporary = await openTemporary();
    ports = temporary.engines;
    generations = new Generations(ports);
  });
  afterEach(() => temporary.close());

  /** Processes commits as a process with an empty cache. */
  async function take(...seqs: readonly number[]): Promise<void> {
    const { followers, written } = await liveFollowers(generations, views, new CheckpointCache());
    await followViews(ports.events, followers, seqs.map(commit), written);
  }

  const stored = () => ports.documents.collection(liveCheckpoints).get(STREAM);
  const reached = async (view: View, number = 1) =>
    (await generations.open(view, number).checkpoints.of([STREAM]))(STREAM);

  it('are one document a stream for all views', async () => {
    await take(1, 2);
    expect(await stored()).toEqual({ taken: { one: { 1: 2 }, two: { 1: 2 } } });
    expect([await reached(firstView), await reached(secondView)]).toEqual([2, 2]);
  });

  it('of one view go on where another fails', async () => {
    await take(1);
    broken.add('two');
    await expect(take(2)).rejects.toThrow('two is broken');
    expect([await reached(firstView), await reached(secondView)]).toEqual([2, 1]);
    broken.clear();
    await take(2);
    expect([await reached(firstView), await reached(secondView)]).toEqual([2, 2]);
  });

  it('of a generation that was built are its own until it follows, and those of generations that are gone go', async () => {
    await take(1);
    const { number, without } = await generations.begin(firstView);
    await generations.open(firstView, number).checkpoints.advance(new Map([[STREAM, 1]]));
    expect(
      await ports.documents.collection({ ...checkpointsOf(firstView), name: `progress_one_g${number}` }).get(STREAM),
    ).toEqual({ seq: 1 });
    await generations.join(firstView, number);
    await take(2);
    expect(await stored()).toEqual({ taken: { one: { 1: 2, [number]: 2 }, two: { 1: 2 } } });
    await generations.swap(firstView, number, without);
    await take(3);
    expect(await stored()).toEqual({ taken: { one: { [number]: 3 }, two: { 1: 3 } } });
  });

  it('of one view are seen by queries of its process before another ends, and by others when all are written', async () => {
    const { followers, written } = await liveFollowers(generations, views, new CheckpointCache());
    let seen: readonly number[] = [];
    const elsewhere = new Generations(ports).open(firstView, 1).checkpoints;
    await followViews(ports.events, followers, [commit(1)], async () => {
      seen = [await reached(firstView), (await elsewhere.of([STREAM]))(STREAM)];
      await written();
    });
    expect(seen).toEqual([1, 0]);
    expect((await elsewhere.of([STREAM]))(STREAM)).toBe(1);
  });

  it('that could not be written are written with the next', async () => {
    const batch = generations.batch(new Map());
    const learned: string[] = [];
    const follows = { view: firstView, number: 1, checkpoints: generations.open(firstView, 1).checkpoints };
    const merge = jest.spyOn(ports.documents.collection(liveCheckpoints), 'merge');
    merge.mockRejectedValueOnce(new Error('away'));
    batch.add(follows, new Map([[STREAM, 1]]), () => learned.push('first'));
    const failing = batch.write();
    batch.add(follows, new Map([[STREAM, 2]]), () => learned.push('second'));
    await expect(failing).rejects.toThrow('away');
    expect(learned).toEqual([]);
    await batch.write();
    expect(learned).toEqual(['first', 'second']);
    expect(await stored()).toEqual({ taken: { one: { 1: 2 } } });
  });

  it('are never lowered by a batch that comes again', async () => {
    await take(1, 2, 3);
    await take(1, 2);
    expect(await reached(firstView)).toBe(3);
  });
});
