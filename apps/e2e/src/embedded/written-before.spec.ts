import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DetailedDeployment, DetailedDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { DeploymentMetrics } from '@assurance/contracts/deployments/answers/metrics';
import type { SnapshotListItem } from '@assurance/contracts/environments/answers/snapshot';
import type { Caller } from '../support/caller';
import { everyPath, readSettled } from '../support/every-get';
import { Installation, type RunningRoles } from '../support/installation';
import { fillShop, IMAGES, printOf } from '../support/older-shop';
import { inFile } from '../support/operated';
import { worldOf } from '../support/world';

/** What commit 5d2cb280 wrote when `fillShop` filled it: to make it again, build that commit, start it on a new folder, fill it and stop it. */
const FOLDER = join(__dirname, 'folders/5d2cb280.tar.gz');

const image = (fingerprint: string | undefined) => IMAGES.get(fingerprint ?? '') ?? null;
const adminOf = async (served: RunningRoles) => (await worldOf(served)).as('admin');
const read = async <T>(caller: Caller, path: string) => JSON.parse(await readSettled(caller, path)) as T;

async function deploymentsOf(caller: Caller): Promise<readonly DetailedDeployment[]> {
  return (await read<DetailedDeploymentPage>(caller, '/deployments/acme/detailed?start_ts=0&per_page=50')).deployments;
}

/** What follows from the story, whenever it happened. */
async function conclusions(caller: Caller) {
  const deployments = (await deploymentsOf(caller)).map((deployment) => [
    deployment.env_name,
    deployment.snapshot_index,
    image(deployment.fingerprint),
    deployment.kind,
    image(deployment.replaced_artifact?.fingerprint),
    deployment.replaced_artifact?.snapshot_index,
    deployment.lead_time !== undefined,
  ]);
  const { totals } = await read<DeploymentMetrics>(caller, '/deployments/acme/metrics?env_name=live');
  return {
    deployments: deployments.map((row) => JSON.stringify(row)).sort(),
    totals: [totals.deployments, totals.rollbacks, totals.lead_time?.count, totals.recoveries],
  };
}

/** Which generation of each view serves, and its version. */
const generations = ({ file }: Installation) =>
  inFile(file, (db) => db.prepare('SELECT id, doc FROM documents_view_generations ORDER BY id').all()).map((row) => ({
    ...row,
  }));

describe('a folder that an earlier version wrote', () => {
  const [before, now] = [new Installation(), new Installation()];
  let served: RunningRoles | undefined;
  let caller: Caller;
  let written: unknown;
  beforeAll(async () => {
    mkdirSync(before.data);
    execFileSync('tar', ['-xzf', FOLDER, '-C', before.data]);
    written = generations(before);
    served = await before.start();
    caller = await adminOf(served);
  }, 60_000);
  afterAll(async () => {
    await Promise.all([before.clear(), now.clear()]);
    expect([...before.log, ...now.log]).toEqual([]);
  });

  it('has its views built again by themselves, with the conclusions that the same story has now', async () => {
    const expected = await now.running(async (started) => {
      const own = await adminOf(started);
      await fillShop(own);
      return conclusions(own);
    });
    expect(expected.totals).toEqual([5, 1, 3, 2]);
    expect(await conclusions(caller)).toEqual(expected);
    expect(generations(before)).not.toEqual(written);
  }, 60_000);

  it('has starts between the snapshots of its time, and no lead time below zero', async () => {
    const snapshots = await caller.get<readonly SnapshotListItem[]>('/snapshots/acme/live?reverse=true');
    const times = new Map(snapshots.map(({ index, from }) => [index, from] as const));
    for (const { snapshot_index, deployed_at, lead_time = 0 } of await deploymentsOf(caller)) {
      const index = snapshot_index ?? 0;
      expect(deployed_at).toBeLessThanOrEqual(times.get(index) ?? 0);
      if (index > 1) expect(deployed_at).toBeGreaterThanOrEqual(times.get(index - 1) ?? Infinity);
      expect(lead_time).toBeGreaterThanOrEqual(0);
    }
  });

  it('answers every read, and its history is unchanged', async () => {
    const paths = await everyPath(caller);
    expect(paths.length).toBeGreaterThan(100);
    const faults = [];
    let result = 0;
    for (const path of paths) {
      const answer = await readSettled(caller, path);
      if (answer.startsWith('5')) faults.push([path, answer]);
      if (!/^\d{3} /.test(answer)) result += 1;
    }
    expect(faults).toEqual([]);
    expect(result).toBeGreaterThan(60);
    expect((await served?.operator.run('verify'))?.outcome).toMatchObject({ ok: true });
    // States of earlier versions are built again when they are needed: here all of them, so that none is left.
    const repaired = async () => (await served?.operator.run('rebuild-heads'))?.outcome?.details;
    const states = ['environments', 'trails', 'repos', 'policies'].map((name) => `documents_${name}`);
    const older = inFile(before.file, (db) =>
      states.map((name) => Number(db.prepare(`SELECT count(*) AS count FROM ${name}`).get()?.['count'])),
    );
    expect(await repaired()).toMatchObject({ repaired: older.reduce((sum, count) => sum + count) });
    expect(await repaired()).toMatchObject({ repaired: 0 });
  }, 60_000);

  it('goes on where it was, and stays as it is when it is opened again', async () => {
    const artifacts = [{ podName: 'w', namespace: 'shop', owners: null, digests: { 'shop/web:2': printOf('web:2') } }];
    await caller.expect(200, 'PUT', '/environments/acme/live/report/K8S', {
      json: { artifacts: artifacts.map((artifact) => ({ ...artifact, creationTimestamp: 0 })) },
    });
    const [newest] = await deploymentsOf(caller);
    expect([newest?.kind, image(newest?.replaced_artifact?.fingerprint)]).toEqual(['rollback', 'web:3']);
    const [concluded, built] = [await conclusions(caller), generations(before)];
    await before.stop();
    const again = await before.running(async (started) => conclusions(await adminOf(started)));
    expect(again).toEqual(concluded);
    expect(generations(before)).toEqual(built);
  }, 60_000);
});
