import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { binaryOf } from './reporter-binary.ts';

describe('the reporter as one executable', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assurance-binary-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('reports where there is no Node', async () => {
    const binary = join(folder, 'assurance-reporter');
    writeFileSync(binary, binaryOf(resolve(__dirname, '../../apps/reporter/dist/main.js')), { mode: 0o755 });
    writeFileSync(join(folder, 'app'), 'what runs');
    const reports: unknown[] = [];
    const service = createServer((request: IncomingMessage, response) => {
      void json(request).then((body) => {
        reports.push([request.method, request.url, body]);
        response.writeHead(200, { 'content-type': 'application/json' }).end('"OK"');
      });
    });
    await once(service.listen(0, '127.0.0.1'), 'listening');
    const config = [
      `url: http://127.0.0.1:${(service.address() as AddressInfo).port}`,
      'organization: acme',
      'environments:',
      `  - { environment: machine, kind: server, artifacts: { app: { path: ${join(folder, 'app')} } } }`,
    ];
    writeFileSync(join(folder, 'config.yaml'), `${config.join('\n')}\n`);
    const child = spawn(binary, ['--config', join(folder, 'config.yaml'), '--once'], {
      env: { PATH: '', REPORTER_API_KEY: 'key' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let log = '';
    child.stderr.on('data', (piece) => (log += String(piece)));
    const [code] = (await once(child, 'close')) as [number];
    service.close();
    expect({ code, log: code === 0 ? '' : log }).toEqual({ code: 0, log: '' });
    expect(reports).toEqual([
      [
        'PUT',
        '/api/v2/environments/acme/machine/report/server',
        expect.objectContaining({ artifacts: [expect.anything()] }),
      ],
    ]);
  }, 60_000);
});
