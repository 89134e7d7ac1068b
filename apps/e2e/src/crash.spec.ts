import type { OrgDeploymentPage, SnapshotAnswer, SnapshotListItem } from '@assurance/contracts-http';
import type { Caller } from './support/caller';
import { BOOTSTRAP } from './support/declared';
import { Place, type Process } from './support/process';
import { digest, environment, item, YESTERDAY } from './support/samples';
import { worldOf } from './support/world';

const CLIENTS = 32;
const ENVIRONMENTS = 8;
const ROUNDS = 3;
const BUSY_MS = 1_500;

/** A report that the service answered: it must be there for ever. */
interface Acknowledged {
  readonly environment: string;
  readonly snapshot: number;
  readonly fingerprint: string;
}

describe('a service that is killed while clients report', () => {
  let place: Place;
  let env: Record<string, string>;
  beforeEach(() => {
    place = new Place();
    env = { ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP), ASSURANCE_LOG_LEVEL: 'error' };
  });
  afterEach(() => place.clear());

  it('keeps every report that it acknowledged, none twice, without gaps', async () => {
    const all: Acknowledged[] = [];
    let environments: readonly string[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const service = place.start(env);
      const caller = (await worldOf({ url: await service.url() })).as('member');
      if (environments.length === 0) environments = await make(caller);
      else await complete(caller, environments, all);
      const acknowledged = reportUntilEnd(caller, environments, `round ${round}`, service);
      await new Promise((resolve) => setTimeout(resolve, BUSY_MS + round * 137));
      await service.kill();
      all.push(...(await acknowledged));
    }
    expect(all.length).toBeGreaterThan(CLIENTS);
    const service = place.start(env);
    await complete((await worldOf({ url: await service.url() })).as('member'), environments, all);
    expect(await service.stop()).toBe(0);
    expect(service.err).toBe('');
  }, 120_000);

  it('loses nothing acknowledged when it is asked to end, and ends with 0', async () => {
    const service = place.start(env);
    const caller = (await worldOf({ url: await service.url() })).as('member');
    const environments = await make(caller);
    const acknowledged = reportUntilEnd(caller, environments, 'term', service);
    await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
    expect(await service.stop()).toBe(0);
    expect(service.err).toBe('');
    const all = await acknowledged;
    expect(all.length).toBeGreaterThan(CLIENTS);
    const again = place.start(env);
    await complete((await worldOf({ url: await again.url() })).as('member'), environments, all);
    expect(await again.stop()).toBe(0);
  }, 60_000);
});

async function make(caller: Caller): Promise<string[]> {
  return Promise.all(Array.from({ length: ENVIRONMENTS }, () => environment(caller)));
}

/** Many clients report one new artifact after the other, until the service is gone. */
async function reportUntilEnd(
  caller: Caller,
  environments: readonly string[],
  round: string,
  service: Process,
): Promise<Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  let over = false;
  void service.ended.then(() => (over = true));
  const client = async (client: number) => {
    const name = environments[client % environments.length] ?? '';
    for (let i = 0; !over; i += 1) {
      const fingerprint = digest(`${round} ${client} ${i}`);
      const json = { artifacts: [item({ [`web-${client}`]: fingerprint }, YESTERDAY)] };
      const answer = await caller
        .send('PUT', `/environments/acme/${name}/report/docker`, { json })
        .catch((fault: unknown) => {
          if (fault instanceof TypeError || service.child.killed) return null;
          throw fault;
        });
      // Cut off: nobody knows whether it is there. Both are right, as long as it is there at most once.
      if (answer === null) return;
      if (answer.status === 409 || answer.status === 503) continue;
      expect(answer.status).toBe(200);
      const [, snapshot] = /^"Report processed, snapshot (\d+) created"$/.exec(answer.text) ?? [];
      if (snapshot === undefined) throw new Error(`not acknowledged: ${answer.text}`);
      acknowledged.push({ environment: name, snapshot: Number(snapshot), fingerprint });
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(i)));
  return acknowledged;
}

/**
 * Everything acknowledged is there by its snapshot, once, from the first read on; snapshots have no gaps. Reports that were cut off may come
 * into sight a moment later (a restart writes the heads that are behind): then the deployment list has one for each snapshot.
 */
async function complete(caller: Caller, environments: readonly string[], all: readonly Acknowledged[]): Promise<void> {
  expect(new Set(all.map(({ environment: name, snapshot }) => `${name}#${snapshot}`)).size).toBe(all.length);
  for (const name of environments) {
    const mine = all.filter(({ environment: one }) => one === name);
    const first = await inSight(caller, name);
    expect(Math.max(0, ...mine.map(({ snapshot }) => snapshot))).toBeLessThanOrEqual(first.snapshots);
    let { snapshots, fingerprints } = first;
    while (fingerprints.size !== snapshots) ({ snapshots, fingerprints } = await inSight(caller, name));
    for (const { snapshot, fingerprint } of mine) {
      expect([snapshot, first.fingerprints.get(snapshot)]).toEqual([snapshot, fingerprint]);
    }
    // A snapshot's own answer is slower to ask for than a list: some of them, the newest among them.
    for (const { snapshot, fingerprint } of mine.filter((_, i) => i % 10 === 0 || i === mine.length - 1)) {
      const { artifacts } = await caller.get<SnapshotAnswer>(`/snapshots/acme/${name}/${snapshot}`);
      const running = artifacts.filter(({ annotation }) => annotation.now > 0);
      expect(running.map((one) => one.fingerprint)).toEqual([fingerprint]);
    }
  }
}

/** How many snapshots an environment shows, which have no gap, and what was deployed in each, no artifact twice. */
async function inSight(caller: Caller, name: string) {
  const indexes: number[] = [];
  for (let page = 1; ; page += 1) {
    const path = `/snapshots/acme/${name}?per_page=50&page=${page}&reverse=true`;
    const list = await caller.get<SnapshotListItem[]>(path);
    indexes.push(...list.map(({ index }) => index));
    if (list.length < 50) break;
  }
  expect(indexes).toEqual(Array.from({ length: indexes.length }, (_, i) => i + 1));
  const deployed = await deployments(caller, name);
  expect(new Set(deployed.map(({ fingerprint }) => fingerprint)).size).toBe(deployed.length);
  const fingerprints = new Map(deployed.map((one) => [one.snapshot_index, one.fingerprint]));
  expect(fingerprints.size).toBe(deployed.length);
  return { snapshots: indexes.length, fingerprints };
}

async function deployments(caller: Caller, name: string) {
  const found: OrgDeploymentPage['deployments'][number][] = [];
  for (let page = 1; ; page += 1) {
    const path = `/deployments/acme?env_name=${name}&per_page=50&page=${page}&start_ts=0&end_ts=9999999999`;
    const { deployments: more, total_pages } = await caller.get<OrgDeploymentPage>(path);
    found.push(...more);
    if (page >= total_pages) return found;
  }
}
