import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Due, DueMarks, DueWorkers, FINGERPRINTS_MAX, LEASE_MS, type TakenEnvironment } from '@assurance/due';
import type { Documents, Engines } from '@assurance/storage-ports';
import { openEmbedded } from '@assurance/storage-sqlite';
import { loosen } from '@assurance/testing-suites';
import { eventually } from '../support/eventually';

const due = (...fingerprints: string[]): Due => ({ org: 'acme', fingerprints, correlation: fingerprints.join('-') });

describe.each(['embedded', 'loose'])('due environments on the %s engine', (kind) => {
  let folder: string;
  let engines: Engines;
  let documents: Documents;
  let now = 1_000_000;
  let count = 0;
  const fresh = (name: string) => `${name}-${(count += 1)}`;
  const started: DueWorkers<Due>[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assurance-due-'));
    engines = await openEmbedded({ folder, now: () => now, random: (bytes) => new Uint8Array(bytes).fill(7) });
    ({ documents } = kind === 'loose' ? loosen(engines, { random: () => 0.4 }) : engines);
  });
  afterEach(async () => {
    for (const workers of started.splice(0)) await workers.stop();
    // What a test leaves due is no other test's.
    now += 1_000_000;
    for (const { id: env } of await marks().takeable(1000)) {
      const taken = await marks().take(env, fresh('clean'));
      if (taken !== null) await marks().done(taken);
    }
  });
  afterAll(async () => {
    await engines.close();
    rmSync(folder, { recursive: true });
  });

  const marks = () => new DueMarks(documents, () => now);
  const mark = (env: string, said: Due) => marks().mark(new Map([[env, said]]));
  const isDue = async (env: string) => (await marks().takeable(1000)).some(({ id }) => id === env);
  /** Workers of a process of their own, in which nobody is woken. */
  const workersOf = (work: (taken: TakenEnvironment) => Promise<void>, failures: unknown[] = []) => {
    const workers = new DueWorkers({
      marks: marks(),
      work,
      ofOneOwner: 2,
      newId: () => fresh('holder'),
      onFailure: (error) => failures.push(error),
    });
    started.push(workers);
    workers.start();
    return workers;
  };

  it('are marked once, however often; what to look at adds up', async () => {
    const env = fresh('env');
    for (const said of [due('a'), due('b', 'a'), due('c')]) await mark(env, said);
    expect(await marks().takeable(1000)).toEqual([{ id: env, owner: 'acme' }]);
    const taken = await marks().take(env, fresh('me'));
    expect(taken?.mark).toMatchObject({ fingerprints: ['a', 'b', 'c'], correlation: 'c', org: 'acme' });
  });

  it('of one organization leave others their turn, however many they are and however long they take', async () => {
    const many = new Map(Array.from({ length: 300 }, () => [fresh('env'), due('a')]));
    await marks().mark(many);
    now += 1;
    const [env] = [fresh('env')];
    await mark(env, { ...due('a'), org: 'beta' });
    const begun: string[] = [];
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    workersOf(async ({ id, mark: { org } }) => {
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
      const taken = await marks().take(id, fresh('clean'));
      if (taken !== null) await marks().done(taken);
    }
  });

  it('of many organizations are looked at in turn', async () => {
    const orgs = Array.from({ length: 70 }, (_, i) => `org-${String(i).padStart(3, '0')}`);
    await marks().mark(new Map(orgs.map((org) => [fresh('env'), { ...due('a'), org }])));
    const all = marks();
    const seen = new Set<string | null>();
    for (let i = 0; i < 3; i += 1) for (const { owner } of await all.takeable(100)) seen.add(owner);
    expect(seen.size).toBe(70);
    for (let left = await all.takeable(100); left.length > 0; left = await all.takeable(100)) {
      for (const { id } of left) await all.done((await all.take(id, fresh('clean')))!);
    }
  });

  it('are looked at as a whole where too much is named, and stay so', async () => {
    const env = fresh('env');
    await mark(env, due(...Array.from({ length: FINGERPRINTS_MAX }, (_, i) => `f${i}`)));
    await mark(env, due('one more'));
    await mark(env, due('another'));
    expect((await marks().take(env, fresh('me')))?.mark.fingerprints).toBeNull();
  });

  it('are taken by one at a time, and by another once the lease is over', async () => {
    const env = fresh('env');
    await mark(env, due('a'));
    const all = await Promise.all([1, 2, 3].map(() => marks().take(env, fresh('rival'))));
    expect(all.filter((one) => one !== null)).toHaveLength(1);
    await mark(env, due('b'));
    expect(await isDue(env)).toBe(false);
    now += LEASE_MS;
    const [late] = all.filter((one) => one !== null);
    const other = await marks().take(env, fresh('other'));
    expect(other?.mark.fingerprints).toEqual(['a', 'b']);
    await marks().done(late!);
    await marks().done(other!);
    now += LEASE_MS;
    expect(await isDue(env)).toBe(false);
  });

  it('that were marked again meanwhile are due again at once', async () => {
    const env = fresh('env');
    await mark(env, due('a'));
    const taken = await marks().take(env, fresh('me'));
    await mark(env, due('b'));
    await marks().done(taken!);
    const again = await marks().take(env, fresh('me'));
    expect(again?.mark.fingerprints).toContain('b');
    await marks().done(again!);
    expect(await isDue(env)).toBe(false);
    await mark(env, due('c'));
    expect((await marks().take(env, fresh('me')))?.mark.fingerprints).toEqual(['c']);
  });

  it('are taken also when the clock that set their lease ran ahead', async () => {
    const env = fresh('env');
    const hour = 3_600_000;
    now += hour;
    await mark(env, due('a'));
    await marks().take(env, fresh('me'));
    now -= hour;
    expect(await isDue(env)).toBe(true);
  });

  it('rest longer after each failure, and no longer than a minute', async () => {
    const env = fresh('env');
    await mark(env, due('a'));
    const rests: number[] = [];
    for (let i = 0; i < 12; i += 1) {
      const taken = await marks().take(env, fresh('me'));
      await marks().failed(taken!);
      const from = now;
      while (!(await isDue(env))) now += 125;
      rests.push(now - from);
    }
    expect(rests.slice(0, 4)).toEqual([250, 500, 1_000, 2_000]);
    expect(Math.max(...rests)).toBe(60_000);
  });

  it('that somebody marked who ended then are worked on by whoever comes next', async () => {
    const env = fresh('env');
    await mark(env, due('a'));
    const seen: TakenEnvironment[] = [];
    workersOf(async (taken) => void seen.push(taken));
    await eventually(
      async () => seen.length,
      (done) => done > 0,
    );
    expect(seen.map(({ id }) => id)).toEqual([env]);
    await eventually(
      () => isDue(env),
      (still) => !still,
    );
    expect(await isDue(env)).toBe(false);
  });

  it('are each worked on by one at a time, in two processes, and none is lost', async () => {
    const environments = Array.from({ length: 6 }, () => fresh('env'));
    const busy = new Set<string>();
    const seen = new Map<string, Set<string>>(environments.map((env) => [env, new Set()]));
    let together = 0;
    const work = async ({ id: environment, mark: { fingerprints } }: TakenEnvironment) => {
      expect(busy.has(environment)).toBe(false);
      busy.add(environment);
      together = Math.max(together, busy.size);
      await new Promise((resolve) => setImmediate(resolve));
      for (const one of fingerprints ?? []) seen.get(environment)?.add(one);
      busy.delete(environment);
    };
    const failures: unknown[] = [];
    const both = [workersOf(work, failures), workersOf(work, failures)];
    for (let i = 0; i < 10; i += 1) {
      await Promise.all(environments.map((env) => mark(env, due(`f${i}`))));
      for (const workers of both) workers.wake();
    }
    const all = () => [...seen.values()].every(({ size }) => size === 10);
    await eventually(async () => all(), Boolean);
    expect([all(), failures]).toEqual([true, []]);
    expect(together).toBeGreaterThan(1);
    expect(together).toBeLessThanOrEqual(8);
  });

  it('whose work fails stop no other, and are tried again', async () => {
    const [bad, good] = [fresh('bad'), fresh('good')];
    const failures: unknown[] = [];
    const seen: string[] = [];
    let mended = false;
    await mark(bad, due('a'));
    const workers = workersOf(async ({ id: environment }) => {
      if (environment === bad && !mended) throw new Error('broken');
      seen.push(environment);
    }, failures);
    await eventually(
      async () => failures.length,
      (failed) => failed > 0,
    );
    await mark(good, due('a'));
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

  it('that are under way are done before the workers have stopped; the others stay due', async () => {
    const [slow, next] = [fresh('env'), fresh('env')];
    await mark(slow, due('a'));
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
    await mark(next, due('a'));
    workers.wake();
    release();
    await stopped;
    now += LEASE_MS;
    expect([begun, await isDue(slow), await isDue(next)]).toEqual([[slow], false, true]);
  });
});
