// Runs one engine on free ports with a temporary folder. When it is ready, prints JSON: its URL, the settings of the service, the folder and the
// process id. Does the same after each line `start`, which starts what was killed, and `kill` on standard input.
//   node tools/engines/kept-server.ts mongodb|kafka|mongodb-secured|kafka-secured|mongodb-set|kafka-cluster|s3
// Ends and removes the folder when standard input closes, so the engine ends with the process that started it. If the server fails,
// its log stays. A signal to the process group does not end this program before it has cleaned up.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { messageOf } from '../common/command.ts';
import { Server } from '../common/server.ts';
import { engineOf } from './engines.ts';
import { freePorts } from './wait.ts';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
const name = process.argv[2] ?? '';
const folder = mkdtempSync(join(tmpdir(), `assurance-${name}-`));
const server = new Server(name, folder, await freePorts(engineOf(name).ports), { brief: true });
let hasFailed = false;
try {
  await obey('start');
  for await (const line of createInterface(process.stdin)) await obey(line);
  hasFailed = server.isBroken;
} catch (error) {
  const log = readFileSync(join(folder, 'server.out'), 'utf8').slice(-4_000);
  console.error(`${name} did not start: ${messageOf(error)}; its output:\n${log}`);
  hasFailed = true;
}
await server.kill();
rmSync(hasFailed ? join(folder, 'data') : folder, { recursive: true, force: true });
process.exit(hasFailed ? 1 : 0);

async function obey(line: string): Promise<void> {
  if (line === 'kill') await server.kill();
  else {
    await server.start();
    await server.ready();
  }
  const { url, settings, pid } = server;
  console.log(JSON.stringify({ url, settings, folder, pid }));
}
