import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAIN = join(__dirname, '../dist/main.js');

/** The key that the first start prints, alone on its line. */
const KEY = /^ +([A-Za-z0-9_-]{43})$/m;

/** Closes each connection: a process that is asked to end waits for callers with an open connection. */
const CLOSE = { connection: 'close' };

/** The status that a caller with this key gets for a missing flow: 404 if it has permission. */
async function statusOf(server: Process, key: string | undefined, organization = 'admin'): Promise<number> {
  const headers = { ...CLOSE, authorization: `Bearer ${key}` };
  return (await fetch(`${await server.url()}/api/v2/flows/${organization}/none`, { headers })).status;
}

/** Waits until no process listens on a port. */
async function refusing(port: number): Promise<void> {
  for (;;) {
    const socket = connect({ port, host: '127.0.0.1' });
    const refused = await once(socket, 'connect').then(
      () => false,
      () => true,
    );
    socket.destroy();
    if (refused) return;
  }
}

/** The built process, its output, and how it ended. */
class Process {
  out = '';
  err = '';
  readonly ended: Promise<number | null>;

  constructor(readonly child: ChildProcess) {
    child.stdout?.on('data', (piece: Buffer) => (this.out += piece.toString()));
    child.stderr?.on('data', (piece: Buffer) => (this.err += piece.toString()));
    this.ended = once(child, 'close').then(([code]) => code as number | null);
  }

  /** The address in the greeting; throws if the process ends before it listens. */
  async url(): Promise<string> {
    const greeted = new Promise<string>((resolve) => {
      const look = () => {
        const [, url] = / listens on (\S+)\n/.exec(this.out) ?? [];
        if (url !== undefined && this.out.endsWith('first five minutes\n')) resolve(url);
      };
      this.child.stdout?.on('data', look);
      look();
    });
    const early = this.ended.then((code) => Promise.reject(new Error(`ended with ${code}: ${this.err}`)));
    return Promise.race([greeted, early]);
  }

  async stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    return this.ended;
  }
}

describe('the standalone process', () => {
  let folder: string;
  let started: Process[] = [];

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'assurance-'))));
  afterEach(async () => {
    for (const { child } of started) if (child.exitCode === null) child.kill('SIGKILL');
    await Promise.all(started.map(({ ended }) => ended));
    started = [];
    rmSync(folder, { recursive: true });
  });

  function start(env: Record<string, string> = {}): Process {
    const settings = { ASSURANCE_PORT: '0', ASSURANCE_DATA_DIR: join(folder, 'data'), ...env };
    const inherited = { PATH: process.env['PATH'] ?? '' };
    const child = spawn(process.execPath, [MAIN], {
      env: { ...inherited, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const service = new Process(child);
    started.push(service);
    return service;
  }

  it('serves, greets with its key once, and ends in order on SIGTERM', async () => {
    const first = start({ ASSURANCE_LOG_LEVEL: 'trace' });
    const url = await first.url();
    expect((await fetch(`${url}/ready`, { headers: CLOSE })).status).toBe(200);
    const [, key] = KEY.exec(first.out) ?? [];
    expect(key).toBeDefined();
    expect(await statusOf(first, key)).toBe(404);
    expect(first.err).toContain('Nest application');
    expect(first.err).not.toContain(key);
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'data', 'secret')).mode & 0o777).toBe(0o600);
    expect(await first.stop()).toBe(0);

    const second = start();
    expect((await fetch(`${await second.url()}/ready`, { headers: CLOSE })).status).toBe(200);
    expect(second.out).not.toMatch(KEY);
    expect(await statusOf(second, key)).toBe(404);
    expect(await statusOf(second, 'another')).toBe(401);
    expect(await second.stop()).toBe(0);
  });

  it('refuses a data folder that another process has open', async () => {
    await start().url();
    const second = start();
    expect(await second.ended).toBe(1);
    expect(second.err).toBe(
      `The data folder ${join(folder, 'data')} is in use by another process: stop it, or set ASSURANCE_DATA_DIR to another folder.\n`,
    );
  });

  it('refuses a port that another process has', async () => {
    const { port } = new URL(await start().url());
    const second = start({ ASSURANCE_PORT: port, ASSURANCE_DATA_DIR: join(folder, 'other') });
    expect(await second.ended).toBe(1);
    expect(second.err).toBe(
      `Port ${port} of 127.0.0.1 is in use by another process: stop it, or set ASSURANCE_PORT to another port.\n`,
    );
  });

  it('lets a request under way end before it stops, with all that the request needs', async () => {
    const server = start();
    const { port } = new URL(await server.url());
    const [, key] = KEY.exec(server.out) ?? [];
    const body = JSON.stringify({ name: 'shop' });
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    };
    const slow = request({ port, host: '127.0.0.1', method: 'PUT', path: '/api/v2/flows/admin', headers });
    slow.flushHeaders();
    await once(slow, 'continue');
    slow.write(body.slice(0, 5));
    const answered = once(slow, 'response') as Promise<[IncomingMessage]>;
    server.child.kill('SIGTERM');
    await refusing(Number(port));
    slow.end(body.slice(5));
    const [response] = await answered;
    expect(response.statusCode).toBe(201);
    response.resume();
    expect(await server.ended).toBe(0);

    const again = start();
    expect(
      (await fetch(`${await again.url()}/api/v2/flows/admin/shop`, { headers: { authorization: `Bearer ${key}` } }))
        .status,
    ).toBe(200);
  });

  it('refuses a data folder that is none', async () => {
    writeFileSync(join(folder, 'data'), '');
    const wrong = start();
    expect(await wrong.ended).toBe(1);
    expect(wrong.err).toMatch(/^ASSURANCE_DATA_DIR is .+, which cannot be made or used as a folder: .+\.\n$/);
  });

  it('refuses a wrong value before it touches the disk', async () => {
    const wrong = start({ ASSURANCE_PORT: 'high' });
    expect(await wrong.ended).toBe(1);
    expect(wrong.err).toBe('ASSURANCE_PORT is "high", but must be a whole number from 0 to 65535.\n');
    expect(wrong.out).toBe('');
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  it('applies the bootstrap file at every start, and makes nothing beside it', async () => {
    const file = join(folder, 'b.yaml');
    const declared = (role: string) =>
      'users:\n  - { name: ada, email: ada@example.com, api_keys: [{ key: "given-secret" }] }\n  - { name: eve, email: eve@example.com }\n' +
      `organizations:\n  - { name: acme, members: [{ user: eve, role: admin }, { user: ada, role: ${role} }] }\n`;
    const settings = join(folder, 'settings.yaml');
    writeFileSync(settings, `ASSURANCE_BOOTSTRAP_FILE: ${file}\n`);
    for (const role of ['admin', 'admin', 'reader']) {
      writeFileSync(file, declared(role));
      const service = start({ ASSURANCE_CONFIG_FILE: settings, ASSURANCE_LOG_LEVEL: 'trace' });
      expect(await statusOf(service, 'given-secret', 'acme')).toBe(404);
      expect(await statusOf(service, 'given-secret', 'ada')).toBe(404);
      expect(await statusOf(service, 'given-secret', 'admin')).toBe(403);
      expect(service.out).not.toMatch(KEY);
      expect(service.err).not.toContain('given-secret');
      expect(await service.stop()).toBe(0);
    }
  });

  it('refuses a bootstrap file with its line and column', async () => {
    const file = join(folder, 'b.yaml');
    writeFileSync(file, 'users:\n  - name: ada\n    email: a@b\n    api_keys: [{ key: "a:b" }]\n');
    const wrong = start({ ASSURANCE_BOOTSTRAP_FILE: file });
    expect(await wrong.ended).toBe(1);
    expect(wrong.err).toBe(`bootstrap file ${file}:4:23: users[0].api_keys[0].key must not hold a colon or blank.\n`);
  });
});
