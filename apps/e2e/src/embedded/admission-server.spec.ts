// The admission webhook as a process: what it takes, whom it answers, and how it ends.
import { once } from 'node:events';
import { copyFileSync, readFileSync, renameSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { type Certificates, makeCertificates } from '../support/certificates';
import { Place, type Process } from '../support/process';
import { digest, fresh } from '../support/samples';
import { ApiServer, podOf } from '../support/webhook';

const MIB = 2 ** 20;
const IMAGE = `web@sha256:${digest('web')}`;

describe('the server of the admission webhook', () => {
  let place: Place;
  let certificates: Certificates;
  let url: string;
  /** How long the service takes for an answer. Every artifact is compliant. */
  let delayMs = 0;
  const service = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const subject = `sha256=${pathname.slice(-64)}; environment=${searchParams.get('environment_name')}`;
    setTimeout(() => response.writeHead(200, { 'x-assurance-verdict': `compliant; ${subject}` }).end('{}'), delayMs);
  });

  beforeAll(async () => {
    place = new Place();
    certificates = makeCertificates(join(place.folder, 'certificates'));
    await once(service.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  }, 60_000);
  beforeEach(() => void (delayMs = 0));
  afterAll(async () => {
    service.close();
    service.closeAllConnections();
    await place.clear();
  });

  async function serve(admission: object = {}): Promise<{ gate: Process; api: ApiServer }> {
    const files = { tlsCertFile: certificates.server, tlsKeyFile: certificates.server };
    const settings = { port: 0, host: '127.0.0.1', environment: 'prod', ...files, stopDelaySeconds: 0, ...admission };
    const config = place.write(
      `${fresh('config')}.yaml`,
      JSON.stringify({ url, organization: 'acme', admission: settings }),
    );
    const gate = place.start({ REPORTER_API_KEY: 'key' }, [], 'reporter', ['admission', '--config', config]);
    return { gate, api: new ApiServer(await gate.url(), certificates) };
  }
  const review = { namespace: 'shop', object: podOf(IMAGE) };

  /** The greatest resident memory so far, in MiB. */
  const peakOf = ({ child }: Process) =>
    Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1_024;

  it('takes the largest review that an API server sends, and cuts a body of 300 MiB early', async () => {
    const { gate, api } = await serve();
    // An API server takes 3 MiB, and escapes each of these characters in six.
    const { spec } = podOf(IMAGE);
    const large = { spec: { ...spec, args: ['\u0001'.repeat(3 * MIB)] } };
    expect(await api.review({ namespace: 'shop', object: large })).toMatchObject({ allowed: true });

    const before = peakOf(gate);
    const socket = connect({ port: Number(new URL(api.at).port), host: '127.0.0.1', rejectUnauthorized: false });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    let answer = '';
    socket.on('error', () => undefined).on('data', (piece: Buffer) => (answer += piece.toString()));
    socket.write('POST /validate HTTP/1.1\r\nHost: gate\r\nTransfer-Encoding: chunked\r\n\r\n');
    const piece = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(MIB, ' '), Buffer.from('\r\n')]);
    let sent = 0;
    for (; sent < 300 && !socket.destroyed; sent += 1)
      if (!socket.write(piece)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    await closed;
    expect(answer).toMatch(/^HTTP\/1.1 413 |^$/);
    expect(sent).toBeLessThan(100);
    expect(peakOf(gate) - before).toBeLessThan(100);
    expect(await api.review(review)).toMatchObject({ allowed: true });
    expect(await gate.stop()).toBe(0);
  }, 60_000);

  it('refuses a large body by its Content-Length before it comes, and closes the connection', async () => {
    const { gate, api } = await serve();
    const call = api.open('/validate', 'POST', { 'content-length': 300 * MIB });
    call.on('error', () => undefined);
    call.flushHeaders();
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    expect([response.statusCode, response.headers.connection]).toEqual([413, 'close']);
    expect(await text(response)).toContain('larger than');
    expect(await gate.stop()).toBe(0);
  }, 60_000);

  it('does not wait longer for a body than an API server waits for the answer', async () => {
    const { gate, api } = await serve();
    const call = api.open('/validate', 'POST', { 'content-length': MIB });
    call.write('{');
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(408);
    expect(await gate.stop()).toBe(0);
  }, 30_000);

  it('answers whoever comes without a client authority, and with one those alone whose certificate it signed', async () => {
    const own = (api: ApiServer, pem: keyof Certificates) => new ApiServer(api.at, certificates, pem);
    const open = await serve();
    expect((await open.api.send(review)).status).toBe(200);
    const closed = await serve({ clientCaFile: certificates.ca });
    expect((await closed.api.send(review)).status).toBe(403);
    expect((await own(closed.api, 'client').send(review)).status).toBe(200);
    // Probes of the kubelet have no certificate.
    expect([await closed.api.get('/live'), await closed.api.get('/ready')]).toEqual([200, 200]);
    const named = await serve({ clientCaFile: certificates.ca, clientNames: ['service'] });
    expect((await own(named.api, 'client').send(review)).status).toBe(200);
    const other = makeCertificates(join(place.folder, 'other'));
    expect((await own(named.api, 'server').send(review)).status).toBe(403);
    const stranger = new ApiServer(named.api.at, { ...certificates, client: other.client }, 'client');
    expect((await stranger.send(review)).status).toBe(403);
    for (const { gate } of [open, closed, named]) expect(await gate.stop()).toBe(0);
  }, 60_000);

  it('outlives certificate files that are away for a moment, and serves the new ones', async () => {
    const path = place.write('tls.pem', readFileSync(certificates.server, 'utf8'));
    const { gate, api } = await serve({ tlsCertFile: path, tlsKeyFile: path });
    const servedBy = async () => {
      const { port } = new URL(api.at);
      const socket = connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      return fingerprint256;
    };
    const first = await servedBy();
    renameSync(path, `${path}.away`);
    while (!gate.err.includes('stay in use')) await sleep(100);
    expect(await servedBy()).toBe(first);
    expect(await api.review(review)).toMatchObject({ allowed: true });
    copyFileSync(makeCertificates(join(place.folder, 'renewed')).server, path);
    while ((await servedBy()) === first) await sleep(100);
    expect(await gate.stop()).toBe(0);
  }, 60_000);

  it('is out of its Service before it ends, and answers what still comes', async () => {
    const { gate, api } = await serve({ stopDelaySeconds: 2 });
    expect(await api.get('/ready')).toBe(200);
    const began = performance.now();
    const ended = gate.stop();
    while ((await api.get('/ready')) !== 503) await sleep(20);
    expect(await api.get('/live')).toBe(200);
    expect(await api.send(review)).toMatchObject({ status: 200, connection: 'close' });
    await sleep(1_700 - (performance.now() - began));
    delayMs = 1_000;
    // It comes before the listener closes, and its answer after that.
    expect(await api.review(review)).toMatchObject({ allowed: true });
    expect(await ended).toBe(0);
    expect(performance.now() - began).toBeGreaterThan(2_000);
  }, 60_000);
});
