import type { DetailedDeploymentPage, OrgDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { SnapshotListItem } from '@assurance/contracts/environments/answers/snapshot';
import type { TrailAnswer } from '@assurance/contracts/flows/answers/trail';
import { makeDemo } from '@assurance/web/demo';
import { userKeyOf } from './support/declared';
import { onOwnServices } from './support/world';

const DAY = 24 * 3600;
const ORG = 'shop-demo';

onOwnServices((world) => {
  const paths = [
    '/flows/shop-demo',
    '/environments/shop-demo?tag=tier:production',
    '/repos/shop-demo',
    '/trails/shop-demo?per_page=50',
    '/artifacts/shop-demo?flow_name=demo-web',
    '/deployments/shop-demo?per_page=50&start_ts=0&end_ts=9999999999',
    '/snapshots/shop-demo/demo-staging?per_page=50',
    '/snapshots/shop-demo/demo-production?per_page=50',
    '/snapshots/shop-demo/demo-functions?per_page=50',
    '/snapshots/shop-demo/demo-production/-1',
    '/environments/shop-demo/demo-production/events?per_page=50',
    '/env-diff/shop-demo?snappish1=demo-production&snappish2=demo-staging',
    '/trails/shop-demo/demo-web/build-10',
  ];
  const authorization = `Bearer ${userKeyOf('member')}`;
  const member = () => world().withHeader(authorization);
  const make = async () => {
    const parts: number[] = [];
    const api = `${world().url}/api/v2`;
    await makeDemo({ api, headers: { authorization }, org: ORG }, (part) => parts.push(part));
    expect(parts).toEqual(parts.toSorted((a, b) => a - b));
    expect(parts.at(-1)).toBe(1);
  };
  /** Without how long the latest snapshot has been in force by now. */
  const look = async () => {
    const texts = await Promise.all(paths.map(async (path) => (await member().send('GET', path)).text));
    return texts.map((text) => text.replace(/"(duration|last_reported_at)":[0-9.]+/g, ''));
  };

  it('fills an organization with a shop, and adds nothing twice', async () => {
    await member().expect(201, 'POST', '/organizations', { json: { name: ORG } });
    await make();
    const before = await look();
    for (const [i, text] of before.entries()) expect([paths[i], text.length > 100]).toEqual([paths[i], true]);
    await make();
    expect(await look()).toEqual(before);
  }, 120_000);

  it('shows deployments over 60 days with lead times, and each kind of event', async () => {
    const { deployments } = await member().get<OrgDeploymentPage>(
      '/deployments/shop-demo?per_page=50&start_ts=0&end_ts=9999999999',
    );
    expect(new Set(deployments.map(({ env_name }) => env_name)).size).toBe(3);
    // The commit from which a vendor built its agent is unknown.
    const demoDeployments = deployments.filter(({ artifact_name }) => artifact_name !== 'vendor/agent:7');
    expect(demoDeployments).toHaveLength(deployments.length - 1);
    for (const { lead_time } of demoDeployments) expect(lead_time).toBeGreaterThan(0);
    const times = deployments.map(({ deployed_at }) => deployed_at);
    expect(Math.max(...times)).toBeLessThan(Date.now() / 1000);
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(50 * DAY);
    const events = JSON.stringify(await member().get('/environments/shop-demo/demo-production/events?per_page=50'));
    for (const word of ['started', 'changed', 'scaled']) expect(events).toContain(word);
  });

  it('gives the time of each snapshot over weeks, and is notified of the newest at once', async () => {
    const snapshots = await member().get<readonly SnapshotListItem[]>(
      '/snapshots/shop-demo/demo-production?per_page=50',
    );
    const times = snapshots.map(({ from }) => from).reverse();
    expect(times).toHaveLength(20);
    expect(new Set(times).size).toBe(20);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-2)! - times[0]!).toBeGreaterThan(48 * DAY);
    expect(times.at(-1)).toBeGreaterThan(Date.now() / 1000 - 600);
  });

  it('has tests that were made between a commit and its first deployment, and not when they were attested', async () => {
    const path = '/attestations/shop-demo/demo-web/trail/build-9/tests';
    const [tests] = await member().get<{ made_at: number; created_at: number }[]>(path);
    const { git_commit_info: commit } = await member().get<TrailAnswer>('/trails/shop-demo/demo-web/build-9');
    expect(tests!.made_at).toBe(commit!.timestamp! + 600);
    expect(tests!.created_at - tests!.made_at).toBeGreaterThan(DAY);
  });

  it('has deployments of each kind, a rollback after two hours, and a hotfix two hours after its commit', async () => {
    const of = async (env: string) => {
      const path = `/deployments/shop-demo/detailed?per_page=50&start_ts=0&env_name=${env}`;
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

  it('has a failed release that was rolled back, and a release without a review', async () => {
    const snapshots = await member().get<readonly { index: number; compliant: boolean }[]>(
      '/snapshots/shop-demo/demo-production?per_page=50',
    );
    const failing = snapshots.filter(({ compliant }) => !compliant).map(({ index }) => index);
    expect(failing).toEqual([20, 13]);
    const latest = JSON.stringify(await member().get('/snapshots/shop-demo/demo-production/-1'));
    expect(latest).toContain("attestation of type pull_request is missing in trail 'build-10' of flow 'demo-web'");
  });

  it('is erased by an operator like any other organization', async () => {
    const { outcome, error } = await world().operator.run('erase-organization', ORG, '--confirm', ORG);
    expect([error, outcome]).toMatchObject([null, { ok: true }]);
    await member().refused(403, 'GET', `/environments/${ORG}`);
    const verified = await world().operator.run('verify');
    expect(verified.outcome).toMatchObject({ ok: true, details: { erased: [{ name: ORG }] } });
  });
});
