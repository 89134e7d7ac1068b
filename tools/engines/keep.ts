// Runs one engine on free ports with a temporary data folder. When the engine is ready, prints its URL and the settings of the service as JSON.
//   node tools/engines/keep.ts mongodb|kafka|mongodb-secured|kafka-secured|kafka-cluster|s3
// Ends and removes the folder when standard input closes, so the engine ends with the process that started it. If the server fails,
// its log stays. A signal to the process group does not end this program before it has cleaned up.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../common/command.ts';
import { engineOf } from './engines.ts';
import { freePorts, untilReady } from './wait.ts';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
const name = process.argv[2];
const engine = engineOf(name);
const folder = mkdtempSync(join(tmpdir(), `assurance-${name}-`));
const log = join(folder, 'server.out');
const ports = await freePorts(engine.ports);
const [command = '', ...args] = await engine.command(folder, ports, { brief: true });
const said = openSync(log, 'a');
const server = spawn(command, args, { stdio: ['ignore', said, said], detached: true });
const gone = once(server, 'exit');
let asked = false;
process.stdin.resume().once('close', () => {
  asked = true;
  server.kill('SIGTERM');
});
try {
  await untilReady(
    () => engine.ready(ports, folder),
    () => (server.exitCode === null && server.signalCode === null ? null : `${name} ended with ${server.exitCode}`),
  );
  console.log(JSON.stringify({ url: engine.url(ports, folder), settings: engine.settings(ports, folder) }));
} catch (error) {
  console.error(`${name} did not start: ${messageOf(error)}; its output:\n${readFileSync(log, 'utf8').slice(-4_000)}`);
  server.kill('SIGKILL');
}
await gone;
rmSync(asked ? folder : join(folder, 'data'), { recursive: true, force: true });
process.exit(asked ? 0 : 1);
