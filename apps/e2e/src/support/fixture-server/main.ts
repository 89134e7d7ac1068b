// Runs services for the spec files of a Jest worker, one file after the other: what a service is made of is loaded and compiled once, and
// not by every file. Says where it listens; ends when standard input closes, so it goes with its starter, however that one ends.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { inThisProcess } from '../in-this-process';
import type { DeploymentName, RunningService, Settings } from '../running';
import type { SetRequest, StartedServices, StartRequest } from './client';
import { SharedServices } from './shared';

const running = new Map<number, RunningService>();
const shared = new Map<DeploymentName, SharedServices>();
/** The time of services that were started with a clock. */
const clocks = new Map<number, { at: number }>();
const stray: string[] = [];
let last = 0;
/** How long shared services may take to stop (milliseconds). */
const END_MS = 60_000;

// A rejection that no caller waits for is a fault of the running services. The spec that stops one of them next fails.
for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.on(event, (fault: unknown) => void stray.push(fault instanceof Error ? String(fault.stack) : String(fault)));
}

const server = createServer((request, response) => {
  // Each question has its own connection: a kept one may be closed here while a busy spec sends its next question.
  response.setHeader('connection', 'close');
  answerTo(request).then(
    (answer) => response.end(JSON.stringify(answer)),
    (fault: unknown) => response.writeHead(500).end(inspect(fault)),
  );
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume().once('close', () => void end());

/** Stops what files shared; exit code 1 if it logged an error meanwhile, or does not end, as when its engines are gone. */
async function end(): Promise<void> {
  setTimeout(() => process.exit(1), END_MS);
  const faults = (await Promise.all([...shared.values()].map((each) => each.close()))).flat();
  for (const fault of [...faults, ...stray]) process.stderr.write(`shared services logged: ${fault}\n`);
  process.exit(faults.length + stray.length === 0 ? 0 : 1);
}

async function answerTo(request: IncomingMessage): Promise<unknown> {
  const question = JSON.parse(await text(request)) as StartRequest & SetRequest;
  if (request.url === '/set') return set(question);
  return request.url === '/start' ? start(question) : stop(question);
}

async function start({ deployment, settings, at, share }: StartRequest): Promise<StartedServices> {
  const clock = at === undefined ? undefined : { at };
  // Services that wait for requests take a seventh of a core. Files that share services run first, so that this one is hardly followed by another.
  if (share !== true) for (const each of shared.values()) await each.rest();
  const server =
    share === true
      ? await sharedOf(deployment, settings).start()
      : await inThisProcess().START[deployment](settings, clock && (() => clock.at));
  const id = (last += 1);
  running.set(id, server);
  if (clock !== undefined) clocks.set(id, clock);
  return { id, url: server.url, urls: server.urls, addresses: server.operator.addresses, org: server.org };
}

/** All requests for shared services of a deployment have the same settings. */
function sharedOf(deployment: DeploymentName, settings: Settings): SharedServices {
  const services = shared.get(deployment) ?? new SharedServices(deployment, settings);
  shared.set(deployment, services);
  return services;
}

/** @returns what the clock shows now */
function set({ id, at }: SetRequest): number {
  const clock = clocks.get(id);
  if (clock === undefined) throw new Error(`service ${id} has no clock to set`);
  return (clock.at = at);
}

/** @returns its logged errors */
async function stop({ id }: Pick<StartedServices, 'id'>): Promise<readonly string[]> {
  const server = running.get(id);
  if (server === undefined) throw new Error(`there is no service ${id}`);
  running.delete(id);
  clocks.delete(id);
  await server.stop();
  return [...server.faults, ...stray.splice(0)];
}
