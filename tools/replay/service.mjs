import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = resolve(dirname(fileURLToPath(import.meta.url)), '../../apps/standalone/dist/main.js');
const ORG = 'recorded';
const STOP_MS = 15_000;

/**
 * Starts the built service on a free port, on a data folder of its own, with one organization and one key from a bootstrap file.
 *
 * @returns where it is, and `stop`, which ends it and removes its folder
 */
export async function startService() {
  if (!existsSync(main)) throw new Error('apps/standalone is not built: run npm run build');
  const folder = mkdtempSync(join(tmpdir(), 'assurance-replay-'));
  const key = randomBytes(32).toString('base64url');
  const bootstrap = {
    users: [{ name: 'replayer', email: 'replayer@example.com', api_keys: [{ key, description: 'replay' }] }],
    organizations: [{ name: ORG, members: [{ user: 'replayer', role: 'member' }] }],
  };
  // JSON is YAML too.
  writeFileSync(join(folder, 'bootstrap.yaml'), JSON.stringify(bootstrap), { mode: 0o600 });
  const child = spawn(process.execPath, [main], {
    env: {
      ...withoutSettings(process.env),
      ASSURANCE_PORT: '0',
      ASSURANCE_DATA_DIR: join(folder, 'data'),
      ASSURANCE_BOOTSTRAP_FILE: join(folder, 'bootstrap.yaml'),
      ASSURANCE_LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((done) => child.once('exit', done));
  const stop = async () => {
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
    clearTimeout(kill);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { url: await listening(child, ended), key, org: ORG, stop };
  } catch (fault) {
    await stop();
    throw fault;
  }
}

/** The address that the service prints once it takes requests. */
function listening(child, ended) {
  return new Promise((found, failed) => {
    let said = '';
    child.once('error', failed);
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
      const url = / listens on (\S+)/.exec(said)?.[1];
      if (url !== undefined) found(url);
    });
    void ended.then((code) => failed(new Error(`the service ended with ${code} before it took requests`)));
  });
}

/** The environment without settings of a service that is not this one. */
function withoutSettings(env) {
  const ours = /^(ASSURANCE_|MONGODB_URL$|KAFKA_BROKERS$)/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ours.test(name)));
}
