import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { binaryOf, nodeOf, PLATFORM, platformOf, refuseOther } from './reporter-binary.ts';

describe('the reporter as one executable', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assurance-binary-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('reports where there is no Node', async () => {
    const binary = join(folder, 'assurance-reporter');
    const bytes = binaryOf(resolve(__dirname, '../../apps/reporter/dist/main.js'));
    expect(platformOf(bytes)).toBe(PLATFORM);
    writeFileSync(binary, bytes, { mode: 0o755 });
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

  it('contains Node as the lock file names it alone', () => {
    expect(() => nodeOf('linux-mips')).toThrow('npm has no Node for linux-mips');
    const bytes = Buffer.from('Node');
    const integrity = `sha512-${hash('sha512', bytes, 'base64')}`;
    refuseOther('node.tgz', bytes, integrity);
    expect(() => refuseOther('node.tgz', Buffer.from('node'), integrity)).toThrow(
      `and the lock file names ${integrity}`,
    );
  });

  it('is for one system and processor', () => {
    const elf = (machine: number) => {
      const header = Buffer.alloc(64);
      header.write('\x7fELF', 'latin1');
      header.writeUInt16LE(machine, 18);
      return header;
    };
    expect([elf(0x3e), elf(0xb7), elf(0x28), Buffer.from('#!/bin/sh\n')].map(platformOf)).toEqual([
      'linux-x64',
      'linux-arm64',
      null,
      null,
    ]);
  });
});
