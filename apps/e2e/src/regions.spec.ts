import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewApiKey } from '@assurance/contracts/access/answers/access';
import type { OrgDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import type { Caller } from './support/caller';
import { BOOTSTRAP, keyOf } from './support/declared';
import { together } from './support/deployments';
import { notification, payloads, webhook } from './support/notifying';
import { Receiver } from './support/receiver';
import type { RunningService } from './support/running';
import { artifact, digest, environment, flow, item, post, report } from './support/samples';
import { worldOf } from './support/world';

interface Region {
  readonly name: 'eu' | 'us';
  /** As callers see it: a path of its own is legal. */
  readonly base: string;
  readonly running: RunningService;
  readonly member: Caller;
  readonly admin: Caller;
}

const BASES = { eu: 'https://eu.assurance.example', us: 'https://us.assurance.example/assurance' } as const;
const EVER = 'start_ts=0&end_ts=9999999999';

// Specification 9: two installations, each with its base URL and the same layout of paths.
describe.each(together)('two regional installations side by side ($name)', ({ start }) => {
  let folder: string;
  let receiver: Receiver;
  let regions: readonly Region[];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assurance-regions-'));
    receiver = await Receiver.start();
    const started = async (name: Region['name']): Promise<Region> => {
      const file = join(folder, `${name}.yaml`);
      // The same names in both, with keys of their own.
      writeFileSync(file, BOOTSTRAP.replaceAll('key: ', `key: ${name}-`));
      const running = await start({
        ASSURANCE_REGION: name,
        ASSURANCE_PUBLIC_URL: BASES[name],
        ASSURANCE_BOOTSTRAP_FILE: file,
        ASSURANCE_TARGET_NETWORKS: '127.0.0.0/8',
      });
      const { withHeader } = await worldOf(running);
      const as = (role: 'member' | 'admin') => withHeader(`Bearer ${name}-${keyOf(role)}`);
      return { name, base: BASES[name], running, member: as('member'), admin: as('admin') };
    };
    regions = [await started('eu'), await started('us')];
  }, 120_000);
  afterAll(async () => {
    for (const { running } of regions) await running.stop();
    await receiver.stop();
    rmSync(folder, { recursive: true });
    expect(regions.flatMap(({ running }) => running.faults)).toEqual([]);
  }, 90_000);

  /** Addresses of an installation anywhere in an answer. */
  const urlsIn = (answer: unknown) =>
    [...JSON.stringify(answer).matchAll(/"(https:\/\/[a-z.]*assurance\.example[^"]*)"/g)].map(([, url]) => url ?? '');
  const other = ({ name }: Region) => regions.find((candidate) => candidate.name !== name) ?? regions[0]!;

  it('name themselves in the API reference, with the same paths', async () => {
    const documents = await Promise.all(
      regions.map(
        async ({ running }) =>
          (await fetch(`${running.url}/api/v2/openapi.json`)).json() as Promise<{ servers: unknown; paths: object }>,
      ),
    );
    expect(documents.map(({ servers }) => servers)).toEqual(
      regions.map(({ base, name }) => [{ url: `${base}/api/v2`, description: `Region ${name}` }]),
    );
    const [eu, us] = documents.map(({ paths }) => Object.keys(paths));
    expect(eu).toEqual(us);
  });

  it('keep their own records; links and messages lead to the installation that created them', async () => {
    for (const region of regions) {
      const { name, base, member } = region;
      const [env, built] = [await environment(member), await flow(member)];
      const path = `/hook-${name}`;
      await notification(member, { environments: [env], targets: [webhook(receiver.url(path))] });
      const web = digest(`${name} web`);
      await post(member, built, artifact(web));
      await report(member, env, [item({ 'web:1': web })]);
      const deployments = await member.get<OrgDeploymentPage>(`/deployments/acme?${EVER}`);
      expect(deployments.deployments.map(({ fingerprint }) => fingerprint)).toEqual([web]);
      const snapshot = await member.get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`);
      const [answer] = await payloads(receiver, path, 1);
      const log = await region.admin.get('/membership-audit-log/acme');
      for (const value of [deployments, snapshot, answer, log]) {
        const links = urlsIn(value);
        expect(links.length).toBeGreaterThan(0);
        expect(links.filter((url) => !url.startsWith(`${base}/`))).toEqual([]);
      }
      expect(urlsIn(answer)).toHaveLength(4);
      expect(snapshot.html_url).toBe(`${base}/acme/environments/${env}/snapshots/1`);
      await other(region).member.refused(404, 'GET', `/environments/acme/${env}`);
    }
  });

  it('refuse the keys of each other', async () => {
    for (const region of regions) {
      const json = { description: 'of one region' };
      const path = '/service-accounts/acme/ci-reader/api-keys';
      const { key } = await region.admin.expect<NewApiKey>(201, 'POST', path, { json });
      const status = async ({ running }: Region, authorization: string) =>
        (await (await worldOf(running)).withHeader(authorization).send('GET', '/environments/acme')).status;
      for (const [own, header] of [key, `${region.name}-${keyOf('member')}`].flatMap((keyOfRegion) => [
        [keyOfRegion, `Bearer ${keyOfRegion}`],
        [keyOfRegion, `Basic ${Buffer.from(`${keyOfRegion}:`).toString('base64')}`],
      ])) {
        expect([own, await status(region, header ?? '')]).toEqual([own, 200]);
        expect([own, await status(other(region), header ?? '')]).toEqual([own, 401]);
      }
    }
    const signing = await Promise.all(
      regions.map(async ({ running }) =>
        JSON.stringify(await (await fetch(`${running.url}/api/v2/signing-keys`)).json()),
      ),
    );
    expect(new Set(signing).size).toBe(2);
  });
});
