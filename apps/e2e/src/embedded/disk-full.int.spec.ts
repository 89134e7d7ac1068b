import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { commitHash } from '@assurance/event-sourcing/sealing/seal';
import { openEmbedded } from '@assurance/storage-sqlite';
import { type AcknowledgedReport, complete, reportManyTimes } from '../support/acknowledged';
import { BOOTSTRAP } from '../support/declared';
import { closeConnections } from '../support/exchange';
import { Place } from '../support/process';
import { digest, environment, item } from '../support/samples';
import { onDiskOf, onSmallDisk, SmallDisk } from '../support/small-disk';
import { worldOf } from '../support/world';

const DISK_BYTES = 24 * 1024 * 1024;
const ROUNDS = 80;

describe('a service whose disk is full', () => {
  const place = new Place();
  const env = { ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP), ASSURANCE_LOG_LEVEL: 'fatal' };
  const holders: ChildProcess[] = [];
  afterAll(async () => {
    for (const holder of holders) holder.stdin?.end();
    await place.clear();
  });

  it('reports it, stores nothing partially, still reads, and works again when there is space', async () => {
    const folder = join(place.folder, 'disk');
    const service = place.start({ ...env, ASSURANCE_DATA_DIR: join(folder, 'data') }, onSmallDisk(folder, DISK_BYTES));
    const caller = (await worldOf({ url: await service.url() })).as('member');
    const disk = new SmallDisk(service.child.pid ?? 0, folder);
    const environments = await Promise.all([1, 2, 3, 4].map(() => environment(caller)));
    const all: AcknowledgedReport[] = [];
    const busy = async (run: string) => {
      let rounds = 0;
      const over = () => (rounds += 1) > ROUNDS;
      all.push(...(await reportManyTimes(caller, { run, environments, over, gone: () => false })));
    };
    const report = (n: number) =>
      caller.send('PUT', `/environments/acme/${environments[0]}/report/docker`, {
        json: { artifacts: [item({ 'web:1': digest(`full ${n}`) })] },
      });

    await busy('room');
    const before = all.length;
    expect(before).toBeGreaterThan(0);
    disk.fill();
    await busy('none');
    // Uses up the free space of the write-ahead log first.
    let tried = 0;
    let refused = await report(tried);
    while (refused.status === 200 && tried < 1_000) refused = await report((tried += 1));
    expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
      503,
      '60',
      { message: expect.stringMatching(/^The service has no room to store this\. Try again later \(request .+\)$/) },
    ]);
    await caller.get(`/snapshots/acme/${environments[0]}/-1`);
    disk.free();
    expect((await report(tried + 1)).status).toBe(200);
    const without = all.length;
    await busy('again');
    expect(all.length).toBeGreaterThan(without);

    expect(await service.stop()).toBe(0);
    disk.copy('data', join(place.folder, 'data'));
    disk.close();
    await expectChained(join(place.folder, 'data'));
    const after = place.start(env);
    const later = (await worldOf({ url: await after.url() })).as('member');
    // The first environment has reports of this test's own too, which are no one's acknowledged ones.
    await complete(
      later,
      environments.slice(1),
      all.filter(({ environment: name }) => name !== environments[0]),
    );
    expect(await after.stop()).toBe(0);
  }, 120_000);

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'starts again after %s while the disk is full, and serves reads',
    async (signal) => {
      const folder = join(place.folder, signal);
      const [command = '', ...args] = [...onSmallDisk(folder, DISK_BYTES), 'sh', '-c', 'echo mounted && exec cat'];
      const holder = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
      holders.push(holder);
      await once(holder.stdout, 'data');
      const disk = new SmallDisk(holder.pid ?? 0, folder);
      const settings = { ...env, ASSURANCE_DATA_DIR: join(folder, 'data'), ASSURANCE_PUBLIC_URL: 'https://a.example' };
      const start = () => place.start(settings, onDiskOf(holder.pid ?? 0));
      const first = start();
      let caller = (await worldOf({ url: await first.url() })).as('member');
      const name = await environment(caller);
      const send = () =>
        caller.send('PUT', `/environments/acme/${name}/report/docker`, {
          json: { artifacts: [item({ 'web:1': randomBytes(32).toString('hex') })] },
        });
      expect((await send()).status).toBe(200);
      const before = await caller.get(`/snapshots/acme/${name}/1`);
      closeConnections();
      if (signal === 'SIGKILL') disk.fill();
      first.child.kill(signal);
      await first.ended;
      if (signal === 'SIGTERM') disk.fill();

      // The second start has the room that the first one left.
      for (const ends of [true, false]) {
        const service = start();
        const url = await service.url();
        expect((await fetch(`${url}/ready`)).status).toBe(200);
        caller = (await worldOf({ url })).as('member');
        expect(await caller.get(`/snapshots/acme/${name}/1`)).toEqual(before);
        if (ends) {
          closeConnections();
          service.child.kill(signal);
          await service.ended;
          continue;
        }
        // Uses up the free space of the write-ahead log first.
        let refused = await send();
        for (let i = 0; refused.status === 200 && i < 1_000; i += 1) refused = await send();
        expect(refused.status).toBe(503);
        disk.free();
        expect((await send()).status).toBe(200);
        expect(await service.stop()).toBe(0);
      }
      disk.close();
    },
    120_000,
  );
});

/** Every stream from its first commit on, without a gap, each commit after the one that it names. */
async function expectChained(folder: string): Promise<void> {
  const { events, close } = await openEmbedded({ folder, now: () => Date.now(), random: (n) => randomBytes(n) });
  const ends = new Map<string, { seq: number; hash: string | null }>();
  for (let after: string | null = null; ;) {
    const { commits, next } = await events.scan(after, 1_000);
    for (const commit of commits) {
      const end = ends.get(commit.stream) ?? { seq: 0, hash: null };
      expect([commit.stream, commit.seq, commit.prev]).toEqual([commit.stream, end.seq + 1, end.hash]);
      ends.set(commit.stream, { seq: commit.seq, hash: commitHash(commit) });
      for (const { digest: outside, data } of commit.events) {
        if (data === undefined) expect(await events.readData(commit.org, outside)).not.toBeNull();
      }
    }
    if (next === null) break;
    after = next;
  }
  await close();
}
