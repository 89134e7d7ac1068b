import type { Commit } from '@assurance/storage-ports';
import { openTemporary } from '@assurance/storage-sqlite/testing';
import type { Clock, Ids, Logger, Ports } from '../tokens';
import type { BuildViews } from './build-views';
import { changes } from './changes';
import { FeedController } from './feed.controller';
import { Generations } from './generations';
import { SlowViews } from './slow-views';
import type { View } from './view';

const view = (name: string, more: Partial<View> = {}): View => ({
  name,
  version: 1,
  collections: [],
  kinds: new Set(['flow']),
  types: new Set(['FlowCreated']),
  take: () => Promise.resolve(),
  ...more,
});

/** Longer than any work here takes. */
const LONG_MS = 60_000;
const data = '{"name":"shop","description":"","visibility":"private"}';
const commit = (seq: number, type: string): Commit => ({
  id: `commit-${seq}`,
  org: 'acme',
  stream: 'flow/shop',
  seq,
  at: seq,
  prev: null,
  actor: 'ada',
  correlation: 'spec',
  events: [{ type, version: 1, digest: '', size: data.length, data }],
});

describe('the views of the feed', () => {
  let temporary: Awaited<ReturnType<typeof openTemporary>>;
  let ports: Ports;
  beforeEach(async () => {
    temporary = await openTemporary();
    ports = temporary.engines as unknown as Ports;
  });
  afterEach(() => temporary.close());

  const controllerOf = (views: readonly View[]) => {
    const generations = new Generations(ports);
    const reached = async (view: View) => (await generations.open(view, 1).checkpoints.of(['flow/shop']))('flow/shop');
    const clock: Clock = { now: () => 1, steady: () => 1, earliest: () => 1 };
    const slow = new SlowViews(ports, generations, views, clock, {} as Ids, {} as Logger, LONG_MS);
    return { reached, controller: new FeedController(ports, generations, {} as BuildViews, slow, views) };
  };
  const revision = async () => (await ports.documents.collection(changes).get('acme'))?.revision ?? 0;

  it('do not wait for a slow one, whose own group has its checkpoints', async () => {
    let finish = () => {};
    const work = new Promise<void>((resolve) => (finish = resolve));
    const [quick, slow] = [view('quick'), view('slow', { slow: true, take: () => work })];
    const { controller, reached } = controllerOf([quick, slow]);
    const slowly = controller.followSlowly([commit(1, 'FlowCreated')]);
    await controller.follow([commit(1, 'FlowCreated')]);
    expect([await reached(quick), await reached(slow)]).toEqual([1, 0]);
    finish();
    await slowly;
    expect([await reached(quick), await reached(slow)]).toEqual([1, 1]);
  });

  it('notify open pages again after a slow view, and not about commits that it skips', async () => {
    const { controller, reached } = controllerOf([view('quick'), view('slow', { slow: true })]);
    await controller.follow([commit(1, 'FlowCreated'), commit(2, 'FlowArchived')]);
    expect(await revision()).toBe(1);
    await controller.followSlowly([commit(1, 'FlowCreated')]);
    expect(await revision()).toBe(2);
    await controller.followSlowly([commit(2, 'FlowArchived')]);
    expect([await revision(), await reached(view('slow'))]).toEqual([2, 2]);
  });
});
