// Runs one engine on free ports with a temporary data folder. When the engine is ready, prints its URL and the settings of the service as JSON.
//   node tools/engines/kept-server.ts mongodb|kafka|mongodb-secured|kafka-secured|kafka-cluster|s3
// Ends and removes the folder when standard input closes, so the engine ends with the process that started it. If the server fails,
// its log stays. A signal to the process group does not end this program before it has cleaned up.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../common/command.ts';
import { Server } from '../common/server.ts';
import { engineOf } from './engines.ts';
import { freePorts } from './wait.ts';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
const name = process.argv[2];
const engine = engineOf(name);
const folder = mkdtempSync(join(tmpdir(), `assurance-${name}-`));
const server = new Server(name ?? '', folder, await freePorts(engine.ports), { brief: true });
await server.start();
let asked = false;
process.stdin.resume().once('close', () => {
  asked = true;
  void server.kill('SIGTERM');
});
try {
  await server.ready();
  console.log(JSON.stringify({ url: server.url, settings: engine.settings(server.ports, folder) }));
} catch (error) {
  const log = readFileSync(join(folder, 'server.out'), 'utf8').slice(-4_000);
  console.error(`${name} did not start: ${messageOf(error)}; its output:\n${log}`);
  await server.kill();
}
await server.ended;
rmSync(asked ? folder : join(folder, 'data'), { recursive: true, force: true });
process.exit(asked ? 0 : 1);
