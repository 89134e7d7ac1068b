import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { FIXTURE_SERVERS } from './client';

const ROOT = resolve(__dirname, '../../../../..');
const BUILD = resolve(ROOT, 'tools/setup/build.mjs');
const MAIN = resolve(ROOT, 'apps/e2e/dist/support/fixture-server/main.js');

const started: ChildProcess[] = [];

/**
 * Builds what changed, since fixture servers run what was built, and starts a fixture server for each worker; the specs find them in the environment. Where
 * the variable is set to nothing, services run in the specs' own process.
 */
export async function startFixtureServers(workers: number): Promise<void> {
  if (process.env[FIXTURE_SERVERS] === '') return;
  const { status } = spawnSync(process.execPath, [BUILD], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the build failed: what it said is above');
  const urls = await Promise.all(Array.from({ length: workers }, startFixtureServer));
  process.env[FIXTURE_SERVERS] = urls.join(',');
}

export async function stopFixtureServers(): Promise<void> {
  for (const server of started.splice(0)) {
    const exit = once(server, 'exit');
    server.stdin?.end();
    if (server.exitCode === null) await exit;
    if (server.exitCode !== 0) throw new Error('a fixture server ended with a fault: what it said is above');
  }
}

async function startFixtureServer(): Promise<string> {
  const server = spawn(process.execPath, [MAIN], { stdio: ['pipe', 'pipe', 'inherit'] });
  started.push(server);
  // The interface keeps reading, because the services write to the same output.
  const output = once(createInterface(server.stdout), 'line').then(([line]) => String(line));
  const failed = once(server, 'exit').then(() => Promise.reject(new Error('a fixture server did not start')));
  const [, url] = /listens on (\S+)/.exec(await Promise.race([output, failed])) ?? [];
  failed.catch(() => undefined);
  if (url === undefined) throw new Error('a fixture server did not say where it listens');
  return url;
}
