import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAIN = join(__dirname, '../dist/main.js');

/** The built process, what it wrote, and how it ended. */
class Process {
  out = '';
  err = '';
  readonly ended: Promise<number | null>;

  constructor(readonly child: ChildProcess) {
    child.stdout?.on('data', (piece: Buffer) => (this.out += piece.toString()));
    child.stderr?.on('data', (piece: Buffer) => (this.err += piece.toString()));
    this.ended = once(child, 'close').then(([code]) => code as number | null);
  }

  /** The address in the greeting; throws when the process ends before it listens. */
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
    const kept = { PATH: process.env['PATH'] ?? '' };
    const child = spawn(process.execPath, [MAIN], { env: { ...kept, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] });
    const one = new Process(child);
    started.push(one);
    return one;
  }

  it('serves, greets with its key once, and ends in order on SIGTERM', async () => {
    const first = start();
    const url = await first.url();
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    const [, key] = /\b([A-Za-z0-9_-]{43})\b/.exec(first.out) ?? [];
    expect(key).toBeDefined();
    expect(first.err).not.toContain(key);
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'data', 'secret')).mode & 0o777).toBe(0o600);
    expect(await first.stop()).toBe(0);

    const second = start();
    expect((await fetch(`${await second.url()}/ready`)).status).toBe(200);
    expect(second.out).not.toMatch(/\b[A-Za-z0-9_-]{43}\b/);
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

  it('refuses a wrong value before it touches the disk', async () => {
    const wrong = start({ ASSURANCE_PORT: 'high' });
    expect(await wrong.ended).toBe(1);
    expect(wrong.err).toBe('ASSURANCE_PORT is "high", but must be a whole number from 0 to 65535.\n');
    expect(wrong.out).toBe('');
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  it('refuses a bootstrap file with its line and column', async () => {
    const file = join(folder, 'b.yaml');
    writeFileSync(file, 'users:\n  - name: ada\n    email: a@b\n    api_keys: [{ key: "a:b" }]\n');
    const wrong = start({ ASSURANCE_BOOTSTRAP_FILE: file });
    expect(await wrong.ended).toBe(1);
    expect(wrong.err).toBe(`bootstrap file ${file}:4:23: users[0].api_keys[0].key must not hold a colon or blank.\n`);
  });
});
