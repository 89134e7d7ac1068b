// Starts or stops the real engines in the background, with data in `.cache/engines/run`.
//   npm run engines                      prints the settings that use them; engines that run already keep running
//   npm run engines:stop [-- --remove]   keeps their data unless --remove is given
// Ports: ASSURANCE_ENGINES_MONGODB_PORT (27017) and ASSURANCE_ENGINES_KAFKA_PORT (9092, and the next).
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../common/api.ts';
import { messageOf, stop } from '../common/command.ts';
import { root } from '../common/root.ts';
import { Server } from '../common/server.ts';
import { engineOf } from './engines.ts';

const mongodb = Number(process.env.ASSURANCE_ENGINES_MONGODB_PORT ?? 27_017);
const kafka = Number(process.env.ASSURANCE_ENGINES_KAFKA_PORT ?? 9_092);
const folderOf = (name: string) => join(root, '.cache/engines/run', name);
const pidFile = (name: string) => join(folderOf(name), 'pid');

if (process.argv[2] === 'stop') {
  for (const name of ['mongodb', 'kafka']) await end(name, process.argv.includes('--remove'));
} else {
  await start('mongodb', [mongodb]);
  await start('kafka', [kafka, kafka + 1]);
  const [url, brokers] = [engineOf('mongodb').url([mongodb], ''), engineOf('kafka').url([kafka], '')];
  console.log(`export MONGODB_URL='${url}' KAFKA_BROKERS='${brokers}'`);
}

async function start(name: string, ports: readonly number[]): Promise<void> {
  if (runningPid(name) !== null) return;
  const server = new Server(name, folderOf(name), ports);
  await server.start();
  writeFileSync(pidFile(name), String(server.pid));
  console.error(`starting ${name} on port ${ports[0]} …`);
  try {
    await server.ready();
  } catch (error) {
    stop(`${name} did not start: ${messageOf(error)}`);
  }
  server.leave();
}

async function end(name: string, remove: boolean): Promise<void> {
  const pid = runningPid(name);
  if (pid !== null) {
    process.kill(pid, 'SIGTERM');
    await until(() => runningPid(name) === null);
    console.error(`${name} has ended`);
  }
  rmSync(remove ? folderOf(name) : pidFile(name), { recursive: true, force: true });
}

/** The process id of an engine that runs in the background; null when it does not. */
function runningPid(name: string): number | null {
  if (!existsSync(pidFile(name))) return null;
  const pid = Number(readFileSync(pidFile(name), 'utf8'));
  try {
    // Another process may have the number now. It is the engine only if it runs in the engine's folder.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folderOf(name)) ? pid : null;
  } catch {
    return null;
  }
}
