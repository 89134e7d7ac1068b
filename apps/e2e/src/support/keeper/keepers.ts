import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { KEEPERS } from './kept';

const ROOT = resolve(__dirname, '../../../../..');
const BUILD = resolve(ROOT, 'tools/setup/build.mjs');
const MAIN = resolve(ROOT, 'apps/e2e/dist/support/keeper/main.js');

const started: ChildProcess[] = [];

/**
 * Builds what changed, since keepers run what was built, and starts a keeper for each worker; the specs find them in the environment. Where
 * the variable is set to nothing, services run in the specs' own process.
 */
export async function startKeepers(workers: number): Promise<void> {
  if (process.env[KEEPERS] === '') return;
  const { status } = spawnSync(process.execPath, [BUILD], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the build failed: what it said is above');
  const urls = await Promise.all(Array.from({ length: workers }, startKeeper));
  process.env[KEEPERS] = urls.join(',');
}

export async function stopKeepers(): Promise<void> {
  for (const keeper of started.splice(0)) {
    const gone = once(keeper, 'exit');
    keeper.stdin?.end();
    if (keeper.exitCode === null) await gone;
  }
}

async function startKeeper(): Promise<string> {
  const keeper = spawn(process.execPath, [MAIN], { stdio: ['pipe', 'pipe', 'inherit'] });
  started.push(keeper);
  // It goes on reading: the services greet.
  const said = once(createInterface(keeper.stdout), 'line').then(([line]) => String(line));
  const failed = once(keeper, 'exit').then(() => Promise.reject(new Error('a keeper of services did not start')));
  const [, url] = /listens on (\S+)/.exec(await Promise.race([said, failed])) ?? [];
  failed.catch(() => undefined);
  if (url === undefined) throw new Error('a keeper of services did not say where it listens');
  return url;
}
