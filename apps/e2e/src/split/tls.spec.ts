import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type AgentOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { gateway } from '@assurance/gateway/role';
import { ingestion } from '@assurance/ingestion/role';
import { projection } from '@assurance/projection/role';
import { serve, type Served } from '@assurance/runtime';
import { openEmbedded } from '@assurance/storage-sqlite';
import { makeCertificates } from '../support/certificates';
import { BOOTSTRAP, keyOf } from '../support/declared';
import { eventually } from '../support/eventually';

interface Answer {
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  readonly text: string;
  /** Whether the connection was used before. */
  readonly reused: boolean;
}

async function send(url: string, method: string, path: string, agent: Agent, json?: unknown): Promise<Answer> {
  const headers = { authorization: `Bearer ${keyOf('admin')}`, 'content-type': 'application/json' };
  const call = request(url + path, { method, agent, headers });
  call.end(json === undefined ? undefined : JSON.stringify(json));
  const [response] = await once(call, 'response');
  let text = '';
  for await (const piece of response) text += String(piece);
  const { statusCode: status, headers: answered } = response;
  return { status, retryAfter: answered['retry-after'], text, reused: call.reusedSocket };
}

describe('services with certificates', () => {
  const home = mkdtempSync(join(tmpdir(), 'assurance-tls-'));
  const [first, second] = [makeCertificates(join(home, 'first')), makeCertificates(join(home, 'second'))];
  const files = { ca: join(home, 'ca.pem'), server: join(home, 'server.pem') };
  const use = (certificates: typeof first) => {
    copyFileSync(certificates.ca, files.ca);
    copyFileSync(certificates.server, files.server);
  };
  const env = {
    ASSURANCE_PORT: '0',
    ASSURANCE_LOG_LEVEL: 'silent',
    ASSURANCE_PUBLIC_URL: 'https://localhost:1',
    ASSURANCE_SECRET: 'the one secret of all split services',
    ASSURANCE_TLS_CERTIFICATE_FILE: files.server,
    ASSURANCE_TLS_KEY_FILE: files.server,
    ASSURANCE_TLS_CA_FILE: files.ca,
  };
  const trusting = ({ ca }: typeof first, more: AgentOptions = {}) => new Agent({ ca: readFileSync(ca), ...more });
  const certified = (certificates: typeof first, more: AgentOptions = {}) => {
    const pem = readFileSync(certificates.client);
    return trusting(certificates, { cert: pem, key: pem, ...more });
  };
  let engines: Awaited<ReturnType<typeof openEmbedded>>;
  let commands: Served;
  let queries: Served;
  let gatewayService: Served;
  const startGateway = (more: Readonly<Record<string, string>> = {}) => {
    const services = {
      ASSURANCE_INGESTION_URL: commands.url,
      ASSURANCE_PROJECTION_URL: queries.url,
      ASSURANCE_NOTIFICATION_DISPATCHER_URL: queries.url,
      ASSURANCE_AUDIT_PACKAGE_URL: queries.url,
    };
    return serve([gateway], { engines, env: { ...env, ...services, ...more } });
  };

  beforeAll(async () => {
    use(first);
    const bootstrap = join(home, 'bootstrap.yaml');
    writeFileSync(bootstrap, BOOTSTRAP);
    engines = await openEmbedded({ folder: join(home, 'data'), now: () => Date.now(), random: randomBytes });
    const own = { ...env, ASSURANCE_TLS_CLIENT_CERTIFICATES: 'required', ASSURANCE_BOOTSTRAP_FILE: bootstrap };
    commands = await serve([ingestion], { engines, env: own });
    queries = await serve([projection], { engines, env: own });
    gatewayService = await startGateway();
  }, 60_000);
  afterAll(async () => {
    for (const each of [gatewayService, queries, commands]) await each?.close();
    await engines.close();
    rmSync(home, { recursive: true });
  }, 60_000);

  const environment = { name: 'secured', type: 'docker' };
  const list = '/api/v2/environments/acme';

  it('answer only over TLS: gateway, services and operations', async () => {
    for (const { url, operations } of [gatewayService, commands, queries]) {
      expect([url, operations.url]).toEqual([expect.stringMatching(/^https:/), expect.stringMatching(/^https:/)]);
      expect(await send(operations.url, 'GET', '/live', trusting(first))).toMatchObject({ status: 200, text: 'OK' });
      await expect(fetch(url.replace('https:', 'http:'))).rejects.toThrow('fetch failed');
    }
    expect(await send(gatewayService.url, 'PUT', list, trusting(first), environment)).toMatchObject({ status: 201 });
    expect((await send(gatewayService.url, 'GET', list, trusting(first))).text).toContain('"secured"');
  });

  it('are refused by callers and gateways that trust another authority', async () => {
    await expect(send(gatewayService.url, 'GET', list, trusting(second))).rejects.toThrow(/certificate/);
    const distrusting = await startGateway({ ASSURANCE_TLS_CA_FILE: second.ca });
    try {
      const answer = await send(distrusting.url, 'GET', list, trusting(first));
      expect(answer).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) });
    } finally {
      await distrusting.close();
    }
  });

  it('refuse callers without a certificate of the authority if one is required', async () => {
    const path = '/api/v2/no-such-route';
    expect(await send(commands.url, 'GET', path, certified(first))).toMatchObject({ status: 404 });
    await expect(send(commands.url, 'GET', path, trusting(first))).rejects.toThrow();
    const stranger = readFileSync(second.client);
    await expect(send(commands.url, 'GET', path, trusting(first, { cert: stranger, key: stranger }))).rejects.toThrow();
  });

  it('use changed certificate files for new connections, and keep open connections', async () => {
    const keepAliveAgent = trusting(first, { keepAlive: true, maxSockets: 1 });
    expect(await send(gatewayService.url, 'GET', list, keepAliveAgent)).toMatchObject({ status: 200, reused: false });
    const certificateOf = async ({ url }: { readonly url: string }) => {
      const { hostname, port } = new URL(url);
      const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      return fingerprint256;
    };
    const before = await certificateOf(gatewayService.operations);
    // If one file of a pair exists already, the pair is not used.
    writeFileSync(files.server, 'half of a file');
    use(second);
    for (const place of [gatewayService, gatewayService.operations, commands.operations, queries.operations]) {
      expect(
        await eventually(
          () => certificateOf(place),
          (seen) => seen !== before,
        ),
      ).not.toBe(before);
    }
    expect(await send(gatewayService.url, 'GET', list, keepAliveAgent)).toMatchObject({ status: 200, reused: true });
    await expect(send(gatewayService.url, 'GET', list, trusting(first))).rejects.toThrow(/certificate/);
    const later = () => send(gatewayService.url, 'PUT', list, trusting(second), { ...environment, name: 'later' });
    const { status } = await eventually(later, (answer) => answer.status !== 503);
    expect(status).toBe(201);
    expect((await send(gatewayService.url, 'GET', list, trusting(second))).text).toContain('"later"');
    keepAliveAgent.destroy();
  });
});
