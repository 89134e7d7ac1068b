import * as dns from 'node:dns/promises';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { makeCertificates } from '../support/certificates';
import { keyOf } from '../support/declared';
import { type SplitServices, startSplit } from '../support/split';

const START_MS = 90_000;
/** One name for both; the certificate is for the name and for the first address alone. */
const ADDRESSES = ['127.0.0.1', '127.0.0.2'];

jest.mock('node:dns/promises', () => ({ ...jest.requireActual<object>('node:dns/promises'), lookup: jest.fn() }));

describe('a service whose name has several addresses', () => {
  let folder: string;
  let split: SplitServices;
  let url: string;
  let port = 0;
  const servers: Server[] = [];
  const seen: { address: string; host: string | undefined; servername: unknown }[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assurance-addresses-'));
    const files = makeCertificates(folder);
    const pem = readFileSync(files.server);
    for (const address of ADDRESSES) {
      const server = createServer({ cert: pem, key: pem }, (request, response) => {
        const { servername } = request.socket as TLSSocket;
        seen.push({ address, host: request.headers.host, servername });
        request.resume().on('end', () => response.end('"done"'));
      });
      servers.push(server);
      await once(server.listen(port, address), 'listening');
      ({ port } = server.address() as AddressInfo);
    }
    jest
      .mocked(dns.lookup)
      .mockImplementation((() =>
        Promise.resolve(ADDRESSES.map((address) => ({ address, family: 4 })))) as unknown as typeof dns.lookup);
    split = await startSplit();
    ({ url } = await split.addGateway({
      ASSURANCE_INGESTION_URL: `https://localhost:${port}`,
      ASSURANCE_TLS_CA_FILE: files.ca,
    }));
  }, START_MS);
  beforeEach(() => void (seen.length = 0));
  afterAll(async () => {
    await split.stop();
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
    rmSync(folder, { recursive: true });
  }, START_MS);

  const report = async (env: string) => {
    const answer = await fetch(`${url}/api/v2/environments/acme/${env}/report/docker`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${keyOf('member')}`, 'content-type': 'application/json' },
      body: '{"artifacts": []}',
    });
    return [answer.status, await answer.text()];
  };

  it('is called at all of them by its name and certificate, at the same one for each environment', async () => {
    const envs = Array.from({ length: 30 }, (_, i) => `env-${i}`);
    for (const env of [...envs, ...envs]) expect(await report(env)).toEqual([200, '"done"']);
    expect(new Set(seen.map(({ address }) => address))).toEqual(new Set(ADDRESSES));
    for (const { host, servername } of seen) expect([host, servername]).toEqual([`localhost:${port}`, 'localhost']);
    const [first, again] = [seen.slice(0, envs.length), seen.slice(envs.length)];
    expect(again.map(({ address }) => address)).toEqual(first.map(({ address }) => address));
  });
});
