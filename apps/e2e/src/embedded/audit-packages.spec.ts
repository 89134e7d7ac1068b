import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { auditPackage } from '@assurance/audit-package/role';
import { verifyPackage } from '@assurance/audit/package/verify/verify';
import { streams } from '@assurance/contracts/events/streams';
import { seal } from '@assurance/event-sourcing/sealing/seal';
import { gateway } from '@assurance/gateway/role';
import { ingestion } from '@assurance/ingestion/role';
import { projection } from '@assurance/projection/role';
import { keyOf } from '../support/declared';
import { Installation, ROLES, type RunningRoles } from '../support/installation';
import type { Settings } from '../support/running';
import {
  artifact,
  attach,
  digest,
  environment,
  flow,
  fresh,
  item,
  policy,
  PROVENANCE,
  report,
  sha1,
} from '../support/samples';
import { worldOf } from '../support/world';

const START_MS = 90_000;
const LARGE = 3_000_000;
const TRAIL = 'build-1';

describe('an audit package of one store', () => {
  let installation: Installation;
  let flowName = '';
  let expected: Buffer;
  beforeAll(async () => {
    installation = new Installation({
      ASSURANCE_PUBLIC_URL: 'https://assurance.example.com',
      ASSURANCE_SECRET: 'the one secret of all that serve this store',
    });
    await installation.open();
    await installation.running(async (started) => {
      flowName = await seed(started);
      await started.operator.checkpoint();
      expected = await packageOf(started);
    });
  }, START_MS);
  afterAll(() => installation.clear(), START_MS);

  const seed = async (served: RunningRoles) => {
    const caller = (await worldOf(served)).as('member');
    const name = await flow(caller);
    const fingerprint = digest(fresh('artifact'));
    await caller.expect(201, 'POST', `/artifacts/acme/${name}`, { json: artifact(fingerprint, { trail_name: TRAIL }) });
    const form = new FormData();
    form.set(
      'data_json',
      JSON.stringify({ attestation_name: 'scan', is_compliant: true, user_data: 'x'.repeat(100_000) }),
    );
    for (const size of [LARGE, 1_001]) form.append('attachment_file', new Blob([randomBytes(size) as never]), 'a.bin');
    await caller.expect(201, 'POST', `/attestations/acme/${name}/trail/${TRAIL}/generic`, { form });
    const env = await environment(caller);
    await attach(caller, env, await policy(caller, PROVENANCE));
    await report(caller, env, [item({ 'shop/web:1': fingerprint })]);
    await report(caller, env, []);
    return name;
  };
  const ask = ({ url }: Pick<RunningRoles, 'url'>) =>
    fetch(`${url}/api/v2/trails/acme/${flowName}/${TRAIL}/audit_package`, {
      headers: { authorization: `Bearer ${keyOf('member')}` },
    });
  const packageOf = async (served: Pick<RunningRoles, 'url'>) => Buffer.from(await (await ask(served)).arrayBuffer());
  const tarOf = (tgz: Uint8Array) => gunzipSync(tgz);

  it('can be created for a trail with a time outside of the supported years, which earlier releases accepted', async () => {
    const name = fresh('microseconds');
    await installation.running(async (served) => {
      const caller = (await worldOf(served)).as('member');
      const commit = { sha1: sha1(name), timestamp: 1_700_000_000 };
      await caller.expect(201, 'POST', `/artifacts/acme/${flowName}`, {
        json: artifact(digest(name), { trail_name: name, git_commit: commit.sha1, git_commit_info: commit }),
      });
      const { events } = served.engines;
      const { id } = await caller.get<{ id: string }>(`/flows/acme/${flowName}`);
      const stream = streams.trail(id, name);
      const newest = (await events.newest(stream))!;
      const { org, actor, correlation } = newest;
      const draft = { id: randomUUID(), org, stream, at: newest.at, actor, correlation };
      const wild = { sha1: commit.sha1, message: null, author: null, branch: null, timestamp: 1.7e15, url: null };
      const event = { type: 'TrailUpdated', version: 1, data: { commit: wild } };
      expect(await events.append(await seal(events, draft, newest, [event]))).toBe('appended');
      const answer = await fetch(`${served.url}/api/v2/trails/acme/${flowName}/${name}/audit_package`, {
        headers: { authorization: `Bearer ${keyOf('member')}` },
      });
      expect(answer.status).toBe(200);
      const { findings } = await verifyPackage(Readable.from([Buffer.from(await answer.arrayBuffer())]), null);
      expect(findings).toEqual([]);
    });
  });

  it('is covered by signed checkpoints', async () => {
    const { findings, manifest, key, checkpointKeys } = await verifyPackage(Readable.from([expected]), null);
    expect(findings).toEqual([]);
    expect(manifest?.chains.map(({ checkpoint }) => typeof checkpoint)).toEqual(Array(4).fill('string'));
    expect(checkpointKeys).toEqual([key]);
    await installation.running(async ({ url }) => {
      const answer = (await (await fetch(`${url}/api/v2/signing-keys`)).json()) as { keys: { id: string }[] };
      expect(answer.keys[0]?.id).toBe(key);
    });
  });

  it('has the same bytes again, also after a restart', async () => {
    await installation.running(async (served) => {
      const again = await packageOf(served);
      expect(tarOf(again).equals(tarOf(expected))).toBe(true);
      expect((await packageOf(served)).equals(again)).toBe(true);
    });
  });

  it('has the same bytes with separate services', async () => {
    const start = async (role: (typeof ROLES)[number], settings?: Settings) =>
      (await installation.start(settings, [role])).url;
    try {
      const services = {
        ASSURANCE_INGESTION_URL: await start(ingestion),
        ASSURANCE_PROJECTION_URL: await start(projection),
        ASSURANCE_AUDIT_PACKAGE_URL: await start(auditPackage),
      };
      const tgz = await packageOf({ url: await start(gateway, services) });
      expect(tarOf(tgz).equals(tarOf(expected))).toBe(true);
    } finally {
      await installation.stop();
    }
  });

  it('has the same bytes after a rebuild of everything derived', async () => {
    await installation.running(async ({ operator, url }) => {
      for (const words of [['rebuild-heads'], ['rebuild', 'deployments'], ['rebuild', 'trails']] as const) {
        const [name, ...args] = words;
        expect((await operator.run(name, ...args)).outcome?.ok).toBe(true);
      }
      expect(tarOf(await packageOf({ url })).equals(tarOf(expected))).toBe(true);
    });
  });

  it('is refused if the store lost data, and never ends as a complete archive', async () => {
    const { data, log } = installation;
    const blob = readdirSync(data, { recursive: true, encoding: 'utf8' })
      .map((name) => join(data, name))
      .filter((path) => statSync(path).isFile() && statSync(path).size === 1_001);
    expect(blob).toHaveLength(1);
    expect(log).toEqual([]);
    rmSync(blob[0] ?? '');
    await installation.running(async (served) => {
      const answer = await ask(served);
      expect([answer.status, await answer.json()]).toEqual([
        404,
        { message: expect.stringMatching(/[0-9a-f]{64}/) as string },
      ]);
    });
  });
});
