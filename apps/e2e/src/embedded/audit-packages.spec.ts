import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { verifyPackage } from '@assurance/audit-package-package';
import { auditPackage } from '@assurance/audit-package-role';
import { gateway } from '@assurance/gateway-role';
import { ingestion } from '@assurance/ingestion-role';
import { notificationDispatcher } from '@assurance/notification-role';
import { projection } from '@assurance/projection-role';
import { serve, type Served } from '@assurance/runtime';
import { openEmbedded } from '@assurance/storage-sqlite';
import type { Engines } from '@assurance/storage-ports';
import { BOOTSTRAP, keyOf } from '../support/declared';
import { Operator } from '../support/operator';
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
} from '../support/samples';
import { worldOf } from '../support/world';

const START_MS = 90_000;
const ROLES = [gateway, ingestion, projection, notificationDispatcher, auditPackage];
const LARGE = 3_000_000;
const TRAIL = 'build-1';

describe('an audit package of one store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assurance-e2e-'));
  const faults: string[] = [];
  const onFault = (fault: unknown) => void faults.push(String(fault));
  const log = { write: (line: string) => faults.push(line) };
  let engines: Engines;
  let flowName = '';
  let expected: Buffer;
  beforeAll(async () => {
    writeFileSync(join(folder, 'bootstrap.yaml'), BOOTSTRAP);
    engines = await openEmbedded({
      folder: join(folder, 'data'),
      now: () => Date.now(),
      random: (n) => randomBytes(n),
      onFault,
    });
    await together(async (served) => {
      flowName = await seed(served);
      const { outcome } = await new Operator(served.operations).run('checkpoint');
      expect(outcome?.ok).toBe(true);
      expected = await packageOf(served);
    });
  }, START_MS);
  afterAll(async () => {
    await engines.close();
    rmSync(folder, { recursive: true });
  }, START_MS);

  const env = {
    ASSURANCE_PORT: '0',
    ASSURANCE_LOG_LEVEL: 'error',
    ASSURANCE_PUBLIC_URL: 'https://assurance.example.com',
    ASSURANCE_SECRET: 'the one secret of all that serve this store',
    ASSURANCE_BOOTSTRAP_FILE: join(folder, 'bootstrap.yaml'),
  };
  const together = async <T>(use: (served: Served) => Promise<T>): Promise<T> => {
    const served = await serve(ROLES, { env, engines, log, onFault });
    try {
      return await use(served);
    } finally {
      await served.close();
    }
  };
  const seed = async (served: Served) => {
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
  const ask = ({ url }: Pick<Served, 'url'>) =>
    fetch(`${url}/api/v2/trails/acme/${flowName}/${TRAIL}/audit_package`, {
      headers: { authorization: `Bearer ${keyOf('member')}` },
    });
  const packageOf = async (served: Pick<Served, 'url'>) => Buffer.from(await (await ask(served)).arrayBuffer());
  const tarOf = (tgz: Uint8Array) => gunzipSync(tgz);

  it('is held by signed checkpoints, wherever its commits are', async () => {
    const { findings, manifest, key, checkpointKeys } = await verifyPackage(Readable.from([expected]), null);
    expect(findings).toEqual([]);
    expect(manifest?.chains.map(({ checkpoint }) => typeof checkpoint)).toEqual(['string', 'string']);
    expect(checkpointKeys).toEqual([key]);
    await together(async ({ url }) => {
      const answer = (await (await fetch(`${url}/api/v2/signing-keys`)).json()) as { keys: { id: string }[] };
      expect(answer.keys[0]?.id).toBe(key);
    });
  });

  it('is the same bytes again, also after a restart', async () => {
    await together(async (served) => {
      const again = await packageOf(served);
      expect(tarOf(again).equals(tarOf(expected))).toBe(true);
      expect((await packageOf(served)).equals(again)).toBe(true);
    });
  });

  it('is the same bytes where services are apart', async () => {
    const started: Served[] = [];
    const start = async (role: (typeof ROLES)[number], more: Readonly<Record<string, string>> = {}) => {
      const served = await serve([role], { env: { ...env, ...more }, engines, log, onFault });
      started.unshift(served);
      return served.url;
    };
    try {
      const services = {
        ASSURANCE_INGESTION_URL: await start(ingestion),
        ASSURANCE_PROJECTION_URL: await start(projection),
        ASSURANCE_AUDIT_PACKAGE_URL: await start(auditPackage),
      };
      const tgz = await packageOf({ url: await start(gateway, services) });
      expect(tarOf(tgz).equals(tarOf(expected))).toBe(true);
    } finally {
      for (const served of started) await served.close();
    }
  });

  it('is the same bytes after everything that can be made again was made again', async () => {
    await together(async (served) => {
      const operator = new Operator(served.operations);
      for (const words of [['rebuild-heads'], ['rebuild', 'deployments'], ['rebuild', 'trails']] as const) {
        const [name, ...args] = words;
        expect((await operator.run(name, ...args)).outcome?.ok).toBe(true);
      }
      expect(tarOf(await packageOf(served)).equals(tarOf(expected))).toBe(true);
    });
  });

  it('breaks off where the store lost something, and never ends as a whole archive', async () => {
    const data = join(folder, 'data');
    const blob = readdirSync(data, { recursive: true, encoding: 'utf8' })
      .map((name) => join(data, name))
      .filter((path) => statSync(path).isFile() && statSync(path).size === 1_001);
    expect(blob).toHaveLength(1);
    expect(faults).toEqual([]);
    rmSync(blob[0] ?? '');
    await together(async (served) => {
      const answer = await ask(served);
      expect(answer.status).toBe(200);
      await expect(answer.arrayBuffer()).rejects.toThrow();
    });
  });
});
