import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JudgingQueue, LEASE_MS, type LeasedEnvironment } from '@assurance/environments/judging/judging-queue';
import { FINGERPRINTS_MAX, type JudgingWork } from '@assurance/environments/judging/work';
import { QueueWorkers } from '@assurance/event-sourcing/work-queue/workers';
import type { Documents, Engines } from '@assurance/storage-ports';
import { openEmbedded } from '@assurance/storage-sqlite';
import { loosen } from '@assurance/testing/loose/loosen';
import { eventually } from '../support/eventually';

const workOf = (...fingerprints: string[]): JudgingWork => ({
  org: 'acme',
  fingerprints,
  correlation: fingerprints.join('-'),
});

describe.each(['embedded', 'loose'])('due environments on the %s engine', (kind) => {
  let folder: string;
  let engines: Engines;
  let documents: Documents;
  let now = 1_000_000;
  let count = 0;
  const fresh = (name: string) => `${name}-${(count += 1)}`;
  const started: QueueWorkers<JudgingWork>[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assurance-due-'));
    engines = await openEmbedded({ folder, now: () => now, random: (bytes) => new Uint8Array(bytes).fill(7) });
    ({ documents } = kind === 'loose' ? loosen(engines, { random: () => 0.4 }) : engines);
  });
  afterEach(async () => {
    for (const workers of started.splice(0)) await workers.stop();
    // Work items that a test leaves do not reach other tests.
    now += 1_000_000;
    for (const { id: env } of await queue().ready(1000)) {
      const leased = await queue().lease(env, fresh('clean'));
      if (leased !== null) await queue().complete(leased);
    }
  });
  afterAll(async () => {
    await engines.close();
    rmSync(folder, { recursive: true });
  });

  const queue = () => new JudgingQueue(documents, () => now);
  const enqueue = (env: string, fields: JudgingWork) => queue().enqueue(new Map([[env, fields]]));
  const isReady = async (env: string) => (await queue().ready(1000)).some(({ id }) => id === env);
  /** Workers of another process, which gets no wake-up. */
  const workersOf = (work: (leased: LeasedEnvironment) => Promise<void>, failures: unknown[] = []) => {
    const workers = new QueueWorkers({
      queue: queue(),
      work,
      workersPerOwner: 2,
      newId: () => fresh('holder'),
      onFailure: (error) => failures.push(error),
    });
    started.push(workers);
    workers.start();
    return workers;
  };

  it('are enqueued once; their reasons accumulate', async () => {
    const env = fresh('env');
    for (const fields of [workOf('a'), workOf('b', 'a'), workOf('c')]) await enqueue(env, fields);
    expect(await queue().ready(1000)).toEqual([{ id: env, owner: 'acme' }]);
    const leased = await queue().lease(env, fresh('me'));
    expect(leased?.item).toMatchObject({ fingerprints: ['a', 'b', 'c'], correlation: 'c', org: 'acme' });
  });

  it('of one organization do not delay others, however many they are', async () => {
    const many = new Map(Array.from({ length: 300 }, () => [fresh('env'), workOf('a')]));
    await queue().enqueue(many);
    now += 1;
    const [env] = [fresh('env')];
    await enqueue(env, { ...workOf('a'), org: 'beta' });
    const begun: string[] = [];
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    workersOf(async ({ id, item: { org } }) => {
      begun.push(id);
      if (org === 'acme') await ended;
    });
    await eventually(
      async () => begun,
      (all) => all.includes(env),
    );
    expect(begun.length).toBeLessThanOrEqual(3);
    end();
    for (const id of many.keys()) {
      const leased = await queue().lease(id, fresh('clean'));
      if (leased !== null) await queue().complete(leased);
    }
  });

  it('of many organizations are looked at in turn', async () => {
    const orgs = Array.from({ length: 70 }, (_, i) => `org-${String(i).padStart(3, '0')}`);
    await queue().enqueue(new Map(orgs.map((org) => [fresh('env'), { ...workOf('a'), org }])));
    const all = queue();
    const seen = new Set<string | null>();
    for (let i = 0; i < 3; i += 1) for (const { owner } of await all.ready(100)) seen.add(owner);
    expect(seen.size).toBe(70);
    for (let left = await all.ready(100); left.length > 0; left = await all.ready(100)) {
      for (const { id } of left) await all.complete((await all.lease(id, fresh('clean')))!);
    }
  });

  it('are judged as a whole if too many reasons accumulate', async () => {
    const env = fresh('env');
    await enqueue(env, workOf(...Array.from({ length: FINGERPRINTS_MAX }, (_, i) => `f${i}`)));
    await enqueue(env, workOf('one more'));
    await enqueue(env, workOf('another'));
    expect((await queue().lease(env, fresh('me')))?.item.fingerprints).toBeNull();
  });

  it('are leased by one worker at a time, and by another after the lease', async () => {
    const env = fresh('env');
    await enqueue(env, workOf('a'));
    const all = await Promise.all([1, 2, 3].map(() => queue().lease(env, fresh('rival'))));
    expect(all.filter((leased) => leased !== null)).toHaveLength(1);
    await enqueue(env, workOf('b'));
    expect(await isReady(env)).toBe(false);
    now += LEASE_MS;
    const [late] = all.filter((leased) => leased !== null);
    const other = await queue().lease(env, fresh('other'));
    expect(other?.item.fingerprints).toEqual(['a', 'b']);
    await queue().complete(late!);
    await queue().complete(other!);
    now += LEASE_MS;
    expect(await isReady(env)).toBe(false);
  });

  it('that were enqueued again meanwhile are due at once', async () => {
    const env = fresh('env');
    await enqueue(env, workOf('a'));
    const leased = await queue().lease(env, fresh('me'));
    await enqueue(env, workOf('b'));
    await queue().complete(leased!);
    const again = await queue().lease(env, fresh('me'));
    expect(again?.item.fingerprints).toContain('b');
    await queue().complete(again!);
    expect(await isReady(env)).toBe(false);
    await enqueue(env, workOf('c'));
    expect((await queue().lease(env, fresh('me')))?.item.fingerprints).toEqual(['c']);
  });

  it('are leased although the clock that set their lease was ahead', async () => {
    const env = fresh('env');
    const hour = 3_600_000;
    now += hour;
    await enqueue(env, workOf('a'));
    await queue().lease(env, fresh('me'));
    now -= hour;
    expect(await isReady(env)).toBe(true);
  });

  it('wait longer after each failure, up to a minute', async () => {
    const env = fresh('env');
    await enqueue(env, workOf('a'));
    const rests: number[] = [];
    for (let i = 0; i < 12; i += 1) {
      const leased = await queue().lease(env, fresh('me'));
      await queue().retryLater(leased!);
      const from = now;
      while (!(await isReady(env))) now += 125;
      rests.push(now - from);
    }
    expect(rests.slice(0, 4)).toEqual([250, 500, 1_000, 2_000]);
    expect(Math.max(...rests)).toBe(60_000);
  });

  it('of a process that ended are judged by the next one', async () => {
    const env = fresh('env');
    await enqueue(env, workOf('a'));
    const seen: LeasedEnvironment[] = [];
    workersOf(async (leased) => void seen.push(leased));
    await eventually(
      async () => seen.length,
      (done) => done > 0,
    );
    expect(seen.map(({ id }) => id)).toEqual([env]);
    await eventually(
      () => isReady(env),
      (still) => !still,
    );
    expect(await isReady(env)).toBe(false);
  });

  it('are judged by one of two processes at a time, and none is lost', async () => {
    const environments = Array.from({ length: 6 }, () => fresh('env'));
    const busy = new Set<string>();
    const seen = new Map<string, Set<string>>(environments.map((env) => [env, new Set()]));
    let together = 0;
    const work = async ({ id: environment, item: { fingerprints } }: LeasedEnvironment) => {
      expect(busy.has(environment)).toBe(false);
      busy.add(environment);
      together = Math.max(together, busy.size);
      await new Promise((resolve) => setImmediate(resolve));
      for (const fingerprint of fingerprints ?? []) seen.get(environment)?.add(fingerprint);
      busy.delete(environment);
    };
    const failures: unknown[] = [];
    const workerPair = [workersOf(work, failures), workersOf(work, failures)];
    for (let i = 0; i < 10; i += 1) {
      await Promise.all(environments.map((env) => enqueue(env, workOf(`f${i}`))));
      for (const workers of workerPair) workers.wake();
    }
    const all = () => [...seen.values()].every(({ size }) => size === 10);
    await eventually(async () => all(), Boolean);
    expect([all(), failures]).toEqual([true, []]);
    expect(together).toBeGreaterThan(1);
    expect(together).toBeLessThanOrEqual(8);
  });

  it('that fail delay no other, and are tried again', async () => {
    const [bad, good] = [fresh('bad'), fresh('good')];
    const failures: unknown[] = [];
    const seen: string[] = [];
    let mended = false;
    await enqueue(bad, workOf('a'));
    const workers = workersOf(async ({ id: environment }) => {
      if (environment === bad && !mended) throw new Error('broken');
      seen.push(environment);
    }, failures);
    await eventually(
      async () => failures.length,
      (failed) => failed > 0,
    );
    await enqueue(good, workOf('a'));
    workers.wake();
    await eventually(
      async () => seen.length,
      (done) => done > 0,
    );
    expect([seen, failures]).toEqual([[good], [new Error('broken')]]);
    mended = true;
    now += 60_000;
    workers.wake();
    await eventually(
      async () => seen.length,
      (done) => done > 1,
    );
    expect(seen).toEqual([good, bad]);
  });

  it('that are being judged are finished before the workers stop; the others stay due', async () => {
    const [slow, next] = [fresh('env'), fresh('env')];
    await enqueue(slow, workOf('a'));
    let release: () => void = () => undefined;
    const begun: string[] = [];
    const workers = workersOf(({ id: environment }) => {
      begun.push(environment);
      return new Promise((resolve) => (release = resolve));
    });
    await eventually(
      async () => begun.length,
      (count) => count > 0,
    );
    const stopped = workers.stop();
    await enqueue(next, workOf('a'));
    workers.wake();
    release();
    await stopped;
    now += LEASE_MS;
    expect([begun, await isReady(slow), await isReady(next)]).toEqual([[slow], false, true]);
  });
});
