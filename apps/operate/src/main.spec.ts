import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SERVICE = join(__dirname, '../../standalone/dist/main.js');
const OPERATE = join(__dirname, '../dist/main.js');

describe('npm run operate', () => {
  let folder: string;
  let service: ChildProcess | null = null;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'assurance-'))));
  afterEach(async () => {
    await stop();
    rmSync(folder, { recursive: true });
  });

  const spawned = (file: string, args: string[], env: Record<string, string>) =>
    spawn(process.execPath, [file, ...args], {
      env: { PATH: process.env['PATH'] ?? '', ASSURANCE_PORT: '0', ASSURANCE_DATA_DIR: join(folder, 'data'), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  async function operate(args: string[], env: Record<string, string> = {}) {
    const child = spawned(OPERATE, args, env);
    let [out, err] = ['', ''];
    child.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
    child.stderr.on('data', (piece: Buffer) => (err += piece.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, out, err };
  }

  /** Starts the service and returns the port of its operations address. */
  async function start(): Promise<string> {
    const child = spawned(SERVICE, [], {});
    service = child;
    let out = '';
    for await (const piece of child.stdout as AsyncIterable<Buffer>) {
      out += piece.toString();
      const [, port] = / {2}operations +http:\S+:(\d+)\n/.exec(out) ?? [];
      if (port !== undefined) return port;
    }
    throw new Error(`the service did not start: ${out}`);
  }

  async function stop(): Promise<void> {
    if (service === null || service.exitCode !== null) return;
    const ended = once(service, 'exit');
    service.kill('SIGTERM');
    await ended;
  }

  it('asks the running service, and opens the folder itself when nothing runs', async () => {
    const ASSURANCE_OPERATIONS_PORT = await start();
    const parked = { code: 0, out: 'No stream is parked.\n', err: '' };
    expect(await operate(['parked'], { ASSURANCE_OPERATIONS_PORT })).toEqual(parked);
    const listed = await operate([], { ASSURANCE_OPERATIONS_PORT });
    expect(listed).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^ {2}replay ingestion \| projection \| vulnerabilities \| notification-dispatcher: /m,
      ) as string,
    });
    const refused = await operate(['replay', 'x'], { ASSURANCE_OPERATIONS_PORT });
    expect(refused).toEqual({
      code: 1,
      out: '',
      err: 'replay needs the name of one consumer group: ingestion or projection or vulnerabilities or notification-dispatcher.\n',
    });
    const secret = { ASSURANCE_OPERATIONS_PORT, ASSURANCE_SECRET: 'x'.repeat(32) };
    expect((await operate(['parked'], secret)).err).toMatch(/has another secret/);
    await stop();
    expect(await operate(['parked'], { ASSURANCE_OPERATIONS_PORT })).toEqual(parked);
  }, 120_000);

  it('checks the configuration without a service and without a data folder', async () => {
    const checked = await operate(['config', 'check'], { ASSURANCE_SECRET: 'x'.repeat(32) });
    expect(checked).toMatchObject({ code: 0, err: '' });
    expect(checked.out).toContain('ASSURANCE_SECRET=(not shown)  (environment)\n');
    expect(await operate(['config', 'check'], { ASSURANCE_REGION: 'moon' })).toEqual({
      code: 1,
      out: '',
      err: 'ASSURANCE_REGION is "moon", but must be one of eu, us, none.\n',
    });
  }, 60_000);

  it('says in a sentence that there is nothing to work on', async () => {
    const missing = `there is no data folder ${join(folder, 'data')} (ASSURANCE_DATA_DIR)`;
    // Without a secret nobody can be asked, so this says nothing of a service.
    expect(await operate(['parked'])).toEqual({
      code: 1,
      out: '',
      err: `${missing.replace(/^t/, 'T')}, and ASSURANCE_SECRET is not set: give the settings of the service.\n`,
    });
    const known = { ASSURANCE_SECRET: 'x'.repeat(32), ASSURANCE_OPERATIONS_PORT: '1' };
    expect(await operate(['parked'], known)).toEqual({
      code: 1,
      out: '',
      err: `No service listens on 127.0.0.1:1 (ASSURANCE_OPERATIONS_HOST, ASSURANCE_OPERATIONS_PORT), and ${missing}.\n`,
    });
  }, 60_000);
});
