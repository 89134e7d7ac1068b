import { setTimeout as sleep } from 'node:timers/promises';
import type { Commit } from '@assurance/storage-ports';
import { openTemporary } from '@assurance/storage-sqlite/testing';
import { ParkedStreams, skipErased } from '../feed/parked-streams';
import { commitHash } from '../sealing/seal';
import type { Clock, Ids, Logger, Ports } from '../tokens';
import { dueCommits, DueOrganizations } from './due-commits';
import { Generations } from './generations';
import { SLOW_VIEWS_GROUP, SlowViews } from './slow-views';
import type { View } from './view';

const data = '{"name":"shop","description":"","visibility":"private"}';
/** In a feed that waits this long, all work ends in time; in one that waits for a moment, what waits for the test is late. */
const LONG_MS = 60_000;
const MOMENT_MS = 1;

/** How far the clock was set forward (milliseconds). */
let ahead = 0;
const clock: Clock = { now: () => Date.now() + ahead, steady: () => performance.now(), earliest: () => Date.now() };
const logger = { warn: () => undefined, error: () => undefined } as unknown as Logger;

describe('views that may take seconds for a commit', () => {
  let temporary: Awaited<ReturnType<typeof openTemporary>>;
  let ports: Ports;
  let take: (key: string) => Promise<void>;
  /** The commits that the view began to process, as often as it did. */
  let begun: string[];
  /** The commits that the view processed, as often as it did. */
  let taken: string[];
  let started: SlowViews[];
  let ids = 0;
  const hashes = new Map<string, string>();

  beforeEach(async () => {
    temporary = await openTemporary();
    ports = temporary.engines as unknown as Ports;
    [take, begun, taken, started, ahead] = [() => Promise.resolve(), [], [], [], 0];
    hashes.clear();
  });
  afterEach(async () => {
    await Promise.all(started.map((one) => one.onApplicationShutdown()));
    await temporary.close();
  });

  const view: View = {
    name: 'slow',
    version: 1,
    collections: [],
    kinds: new Set(['flow']),
    types: new Set(['FlowCreated']),
    slow: true,
    take: async (_, recorded) => {
      for (const { meta } of recorded) {
        const key = `${meta.stream}#${meta.seq}`;
        begun.push(key);
        await take(key);
        taken.push(key);
      }
    },
  };
  const slowViews = (patienceMs = LONG_MS) => {
    const newIds = { next: () => `id-${(ids += 1)}` } as Ids;
    return new SlowViews(ports, new Generations(ports), [view], clock, newIds, logger, patienceMs);
  };
  const start = (patienceMs?: number) => {
    const own = slowViews(patienceMs);
    own.onApplicationBootstrap();
    started.push(own);
    return own;
  };
  /** Commits of the stream `flow/<org>` from one number to another, in the store. */
  const commits = async (org: string, from: number, to = from, type = 'FlowCreated') => {
    const all: Commit[] = [];
    for (let seq = from; seq <= to; seq += 1) {
      const stream = `flow/${org}`;
      const prev = hashes.get(stream) ?? null;
      const events = [{ type, version: 1, digest: '', size: data.length, data }];
      const commit = {
        id: `${stream}-${seq}`,
        org,
        stream,
        seq,
        at: seq,
        prev,
        actor: 'ada',
        correlation: 's',
        events,
      };
      expect(await ports.events.append(commit)).toBe('appended');
      hashes.set(stream, commitHash(commit));
      all.push(commit);
    }
    return all;
  };
  const reached = async (org: string) => {
    const { checkpoints } = new Generations(ports).open(view, 1);
    return (await checkpoints.readStored([`flow/${org}`]))(`flow/${org}`);
  };
  const due = async (org: string) => {
    const rows = await ports.documents.collection(dueCommits).find({ where: { org }, limit: 1_000 });
    return rows.map(({ id }) => id).sort();
  };
  const until = async (holds: () => Promise<boolean>) => {
    while (!(await holds())) await sleep(5);
  };
  const isDone = (org: string, seq: number) => async () =>
    (await reached(org)) === seq && (await due(org)).length === 0;
  /** Holds the commits of an organization until the returned function is called. */
  const hold = (org: string) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    take = (key) => (key.startsWith(`flow/${org}#`) ? held : Promise.resolve());
    return release;
  };

  it('take a batch, and note nothing, if that ends soon', async () => {
    await start().follow([...(await commits('acme', 1, 2)), ...(await commits('other', 1))]);
    expect(taken.sort()).toEqual(['flow/acme#1', 'flow/acme#2', 'flow/other#1']);
    expect([await reached('acme'), await reached('other'), await due('acme')]).toEqual([2, 1, []]);
  });

  it('take others of the same batch and of later batches while one organization takes long, and that one once', async () => {
    const release = hold('acme');
    const slow = start(MOMENT_MS);
    await slow.follow([...(await commits('acme', 1)), ...(await commits('other', 1))]);
    await until(isDone('other', 1));
    await slow.follow([...(await commits('acme', 2)), ...(await commits('other', 2))]);
    await until(isDone('other', 2));
    expect([await reached('acme'), await due('acme')]).toEqual([0, ['flow/acme#1', 'flow/acme#2']]);
    release();
    await until(isDone('acme', 2));
    expect(taken.filter((key) => key.includes('acme'))).toEqual(['flow/acme#1', 'flow/acme#2']);
  });

  it('leave an organization that a batch still processes to the process that does so', async () => {
    const release = hold('acme');
    const slow = start(MOMENT_MS);
    await slow.follow(await commits('acme', 1));
    const queue = new DueOrganizations(ports.documents, () => clock.now());
    expect([await due('acme'), await queue.ready(10)]).toEqual([['flow/acme#1'], []]);
    release();
    await until(isDone('acme', 1));
    expect(taken).toEqual(['flow/acme#1']);
  });

  it('pass over commits that concern none of them without waiting for an organization that takes long', async () => {
    hold('acme')();
    await start().follow([...(await commits('acme', 1)), ...(await commits('other', 1, 3, 'FlowArchived'))]);
    expect([taken, await reached('other')]).toEqual([['flow/acme#1'], 3]);
  });

  it('lose nothing if the process is killed: the next one processes due commits, and processed commits once more without effect', async () => {
    const release = hold('acme');
    const killed = slowViews(MOMENT_MS);
    const batch = await commits('acme', 1, 3);
    await killed.follow(batch);
    expect(await due('acme')).toEqual(['flow/acme#1', 'flow/acme#2', 'flow/acme#3']);
    // The feed waits for a moment, in which a busy machine may not even begin. What begins later would not be held.
    await until(() => Promise.resolve(begun.length > 0));
    take = () => Promise.resolve();
    // The killed process keeps others from the organization for the length of a lease.
    ahead = LONG_MS;
    start();
    await until(isDone('acme', 3));
    expect(taken).toEqual(['flow/acme#1', 'flow/acme#2', 'flow/acme#3']);
    // Killed before it forgot what it took. Only the first commit of a stream is taken without a look at its checkpoint.
    await new DueOrganizations(ports.documents, () => clock.now()).note(batch.slice(1));
    start();
    await until(isDone('acme', 3));
    expect(taken).toHaveLength(3);
    release();
    await killed.onApplicationShutdown();
  });

  it('are told the commits of a busy organization in many parts, in order', async () => {
    const release = hold('acme');
    const slow = start(MOMENT_MS);
    await slow.follow(await commits('acme', 1));
    await slow.follow(await commits('acme', 2, 120));
    expect(await due('acme')).toHaveLength(120);
    release();
    await until(isDone('acme', 120));
    expect(taken).toEqual(Array.from({ length: 120 }, (_, i) => `flow/acme#${i + 1}`));
  });

  it('fail a batch that fails soon', async () => {
    take = () => Promise.reject(new Error('no'));
    await expect(start().follow(await commits('acme', 1))).rejects.toThrow('no');
    expect([await reached('acme'), await due('acme')]).toEqual([0, []]);
  });

  it('park a stream that keeps failing, and take the other streams of the organization', async () => {
    take = (key) => (key === 'flow/acme#1' ? Promise.reject(new Error('no')) : Promise.resolve());
    const batch = [...(await commits('acme', 1)), ...(await commits('other', 1))];
    await new DueOrganizations(ports.documents, () => clock.now()).note(batch.map((one) => ({ ...one, org: 'both' })));
    start();
    await until(async () => (await due('both')).length === 0);
    expect([await reached('acme'), await reached('other')]).toEqual([0, 1]);
    expect(await new ParkedStreams(ports.documents, SLOW_VIEWS_GROUP).all()).toMatchObject([
      { stream: 'flow/acme', from: 1, error: 'Error: no' },
    ]);
  });

  it('forget what is due of an erased organization', async () => {
    await new DueOrganizations(ports.documents, () => clock.now()).note(await commits('acme', 1));
    await skipErased(ports.documents, 'acme', 1);
    start();
    await until(async () => (await due('acme')).length === 0);
    expect([taken, await reached('acme')]).toEqual([[], 0]);
  });

  it('take what is due of others while one organization takes long', async () => {
    const release = hold('acme');
    const queue = new DueOrganizations(ports.documents, () => clock.now());
    await queue.note([...(await commits('acme', 1, 3)), ...(await commits('other', 1))]);
    start();
    await until(isDone('other', 1));
    expect(await reached('acme')).toBe(0);
    release();
    await until(isDone('acme', 3));
    expect(taken.sort()).toEqual(['flow/acme#1', 'flow/acme#2', 'flow/acme#3', 'flow/other#1']);
  });
});
