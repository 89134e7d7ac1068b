import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Answer } from './support/contract';
import { keyOf } from './support/declared';
import { onOwnServices } from './support/world';

const DEMO = resolve(__dirname, '../../../tools/demo/demo.mjs');

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

interface Deployment {
  readonly env_name: string;
  readonly deployed_at: number;
  readonly artifact_name: string;
  readonly lead_time: number;
}

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
    const { deployments } = await member().get<{ deployments: Deployment[] }>(
      '/deployments/acme?per_page=50&start_ts=0&end_ts=9999999999',
    );
    expect(new Set(deployments.map(({ env_name }) => env_name)).size).toBe(3);
    // Nobody knows from which commit a vendor built its agent.
    const known = deployments.filter(({ artifact_name }) => artifact_name !== 'vendor/agent:7');
    expect(known).toHaveLength(deployments.length - 1);
    for (const { lead_time } of known) expect(lead_time).toBeGreaterThan(0);
    const times = deployments.map(({ deployed_at }) => deployed_at);
    expect(Math.max(...times)).toBeLessThan(Date.now() / 1000);
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(25 * 24 * 3600);
    const events = JSON.stringify(await member().get('/environments/acme/demo-production/events?per_page=50'));
    for (const word of ['started', 'changed', 'scaled']) expect(events).toContain(word);
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
