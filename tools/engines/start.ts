// Starts the real engines in the background with data in `.cache/engines/run` and prints the settings that use them (npm run engines).
// Engines that run already keep running. Ports: ASSURANCE_ENGINES_MONGODB_PORT (27017) and ASSURANCE_ENGINES_KAFKA_PORT (9092, and the next).
import { spawn } from 'node:child_process';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, stop } from '../common/command.ts';
import { engineOf } from './engines.ts';
import { folderOf, pidFile, runningPid } from './pids.ts';
import { untilReady } from './wait.ts';

const mongodb = Number(process.env.ASSURANCE_ENGINES_MONGODB_PORT ?? 27_017);
const kafka = Number(process.env.ASSURANCE_ENGINES_KAFKA_PORT ?? 9_092);
await start('mongodb', [mongodb]);
await start('kafka', [kafka, kafka + 1]);
console.log(
  `export MONGODB_URL='${engineOf('mongodb').url([mongodb], '')}' KAFKA_BROKERS='${engineOf('kafka').url([kafka], '')}'`,
);

async function start(name: string, ports: readonly number[]): Promise<void> {
  const engine = engineOf(name);
  const folder = folderOf(name);
  if (runningPid(name) === null) {
    mkdirSync(folder, { recursive: true });
    const [command = '', ...args] = await engine.command(folder, ports);
    const said = openSync(join(folder, 'server.out'), 'a');
    const server = spawn(command, args, { stdio: ['ignore', said, said], detached: true });
    writeFileSync(pidFile(name), String(server.pid));
    server.unref();
    console.error(`starting ${name} on port ${ports[0]} …`);
  }
  try {
    await untilReady(
      () => engine.ready(ports, folder),
      () => (runningPid(name) === null ? `it ended; see ${join(folder, 'server.out')}` : null),
    );
  } catch (error) {
    stop(`${name} did not start: ${messageOf(error)}`);
  }
}
