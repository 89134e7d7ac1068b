import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { DetailedDeploymentPage, OrgDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { SnapshotListItem } from '@assurance/contracts/environments/answers/snapshot';
import type { Answer } from './support/contract';
import { keyOf } from './support/declared';
import { onOwnServices } from './support/world';

const DEMO = resolve(__dirname, '../../../tools/demo/demo.ts');

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function demo(...args: string[]): Promise<Ran> {
  const all = { env: { PATH: process.env['PATH'] }, timeout: 60_000 };
  return promisify(execFile)(process.execPath, [DEMO, ...args], all).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (fault: Ran) => fault,
  );
}

const DAY = 24 * 3600;

onOwnServices((world) => {
  /** The output of the run that filled the service. */
  let printed = '';
  const run = () => demo('--url', world().url, '--key', keyOf('admin'), '--org', 'acme');
  const paths = [
    '/flows/acme',
    '/environments/acme?tag=tier:production',
    '/repos/acme',
    '/trails/acme?per_page=50',
    '/artifacts/acme?flow_name=demo-web',
    '/deployments/acme?per_page=50&start_ts=0&end_ts=9999999999',
    '/snapshots/acme/demo-staging?per_page=50',
    '/snapshots/acme/demo-production?per_page=50',
    '/snapshots/acme/demo-functions?per_page=50',
    '/snapshots/acme/demo-production/-1',
    '/environments/acme/demo-production/events?per_page=50',
    '/env-diff/acme?snappish1=demo-production&snappish2=demo-staging',
    '/trails/acme/demo-web/build-10',
  ];
  const member = () => world().as('member');
  /** As the caller who filled the service: its reads contain its own writes. Without how long the latest snapshot has been in force by now. */
  const look = async () => {
    const admin = world().as('admin');
    const texts = await Promise.all(paths.map(async (path) => (await admin.send('GET', path)).text));
    return texts.map((text) => text.replace(/"duration":[0-9.]+/g, ''));
  };

  it('fills a service with a shop, and adds nothing twice', async () => {
    const first = await run();
    expect([first.code, first.stderr]).toEqual([0, expect.stringMatching(/21 builds .*: 21 new\n/) as string]);
    const before = await look();
    for (const [i, text] of before.entries()) expect([paths[i], text.length > 100]).toEqual([paths[i], true]);
    const again = await run();
    expect([again.code, again.stderr.match(/\d+ new/g)]).toEqual([0, ['0 new', '0 new', '0 new', '0 new']]);
    expect(await look()).toEqual(before);
    expect(again.stdout).toBe(first.stdout);
    printed = first.stdout;
  }, 120_000);

  it('shows deployments over a month with lead times, and each kind of event', async () => {
    const { deployments } = await member().get<OrgDeploymentPage>(
      '/deployments/acme?per_page=50&start_ts=0&end_ts=9999999999',
    );
    expect(new Set(deployments.map(({ env_name }) => env_name)).size).toBe(3);
    // The commit from which a vendor built its agent is unknown.
    const demoDeployments = deployments.filter(({ artifact_name }) => artifact_name !== 'vendor/agent:7');
    expect(demoDeployments).toHaveLength(deployments.length - 1);
    for (const { lead_time } of demoDeployments) expect(lead_time).toBeGreaterThan(0);
    const times = deployments.map(({ deployed_at }) => deployed_at);
    expect(Math.max(...times)).toBeLessThan(Date.now() / 1000);
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(25 * DAY);
    const events = JSON.stringify(await member().get('/environments/acme/demo-production/events?per_page=50'));
    for (const word of ['started', 'changed', 'scaled']) expect(events).toContain(word);
  });

  it('gives the time of each snapshot over weeks, and is notified of the newest at once', async () => {
    const snapshots = await member().get<readonly SnapshotListItem[]>('/snapshots/acme/demo-production?per_page=50');
    const times = snapshots.map(({ from }) => from).reverse();
    expect(times).toHaveLength(20);
    expect(new Set(times).size).toBe(20);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-2)! - times[0]!).toBeGreaterThan(24 * DAY);
    expect(times.at(-1)).toBeGreaterThan(Date.now() / 1000 - 600);
  });

  it('has deployments of each kind, a rollback after two hours, and a hotfix two hours after its commit', async () => {
    const of = async (env: string) => {
      const path = `/deployments/acme/detailed?per_page=50&start_ts=0&env_name=${env}`;
      const { deployments } = await member().get<DetailedDeploymentPage>(path);
      return deployments.toReversed();
    };
    const production = await of('demo-production');
    expect(production).toHaveLength(18);
    const others = production.filter(({ kind }) => kind !== 'first');
    expect(others.map(({ kind, artifact_name, snapshot_index: n }) => [n, artifact_name, kind])).toEqual([
      [1, 'shop/web:2.1', 'baseline'],
      [14, 'shop/checkout:2.4', 'rollback'],
    ]);
    const at = (index: number) => production.find(({ snapshot_index: n }) => n === index)!;
    expect(at(14).deployed_at - at(13).deployed_at).toBe(2 * 3600);
    expect(at(16)).toMatchObject({ artifact_name: 'shop/checkout:2.6', lead_time: 2 * 3600 });
    const returned = (await of('demo-staging')).filter(({ kind }) => kind === 'rollback' || kind === 'redeployment');
    expect(returned.map(({ artifact_name, kind }) => [artifact_name, kind])).toEqual([
      ['shop/checkout:2.6', 'rollback'],
      ['shop/checkout:2.7', 'redeployment'],
    ]);
  });

  it('has a release that failed and was rolled back, and one that was never reviewed', async () => {
    const snapshots = await member().get<readonly { index: number; compliant: boolean }[]>(
      '/snapshots/acme/demo-production?per_page=50',
    );
    const failing = snapshots.filter(({ compliant }) => !compliant).map(({ index }) => index);
    expect(failing).toEqual([20, 13]);
    const latest = JSON.stringify(await member().get('/snapshots/acme/demo-production/-1'));
    expect(latest).toContain("attestation of type pull_request is missing in trail 'build-10' of flow 'demo-web'");
  });

  it('prints curl commands that succeed', async () => {
    const lines = [...printed.matchAll(/curl "\$API(\S+)"/g)].map(([, path = '']) => path);
    expect(lines.length).toBeGreaterThan(5);
    for (const path of lines) {
      const answer: Answer = await member().send('GET', path);
      expect([path, answer.status, answer.text.length > 100]).toEqual([path, 200, true]);
    }
  }, 60_000);

  it('explains in one sentence why it cannot continue', async () => {
    const sentence = async (...args: string[]) => {
      const { code, stderr } = await demo(...args);
      return [code, stderr];
    };
    const url = ['--url', world().url];
    expect(await sentence(...url)).toEqual([1, expect.stringMatching(/^No key is given.*\n$/)]);
    expect(await sentence(...url, '--key', 'wrong')).toEqual([
      1,
      expect.stringMatching(/^The service at .* this key.*\n$/),
    ]);
    expect(await sentence(...url, '--key', keyOf('reader'), '--org', 'acme')).toEqual([
      1,
      expect.stringMatching(/^This key may not write to the organization acme.*\n$/),
    ]);
    expect(await sentence('--url', 'http://127.0.0.1:1', '--key', 'x')).toEqual([
      1,
      expect.stringMatching(/^No service is ready at http:\/\/127.0.0.1:1: start one with `npm start`.*\n$/),
    ]);
  }, 60_000);
});
