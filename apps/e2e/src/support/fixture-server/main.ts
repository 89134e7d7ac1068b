// Runs services for the spec files of a Jest worker, one file after the other: what a service is made of is loaded and compiled once, and
// not by every file. Says where it listens; ends when standard input closes, so it goes with its starter, however that one ends.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { inThisProcess } from '../in-this-process';
import type { Running } from '../running';
import type { Started, StartRequest } from './client';

const running = new Map<number, Running>();
const stray: string[] = [];
let last = 0;

// What no caller waits for is a fault of the services that run: the spec that stops one of them next fails.
for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.on(event, (fault: unknown) => void stray.push(fault instanceof Error ? String(fault.stack) : String(fault)));
}

const server = createServer((request, response) => {
  answerTo(request).then(
    (answer) => response.end(JSON.stringify(answer)),
    (fault: unknown) => response.writeHead(500).end(fault instanceof Error ? String(fault.stack) : String(fault)),
  );
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume().once('close', () => process.exit());

async function answerTo(request: IncomingMessage): Promise<unknown> {
  const question = JSON.parse(await text(request)) as StartRequest & Pick<Started, 'id'>;
  return request.url === '/start' ? start(question) : stop(question);
}

async function start({ deployment, settings }: StartRequest): Promise<Started> {
  const one = await inThisProcess().START[deployment](settings);
  const id = (last += 1);
  running.set(id, one);
  return { id, url: one.url, urls: one.urls, addresses: one.operator.addresses };
}

/** @returns what it logged of errors */
async function stop({ id }: Pick<Started, 'id'>): Promise<readonly string[]> {
  const one = running.get(id);
  if (one === undefined) throw new Error(`there is no service ${id}`);
  running.delete(id);
  await one.stop();
  return [...one.faults, ...stray.splice(0)];
}
