import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { keyOf } from '../support/declared';
import type { Target } from './attack';
import type { ProbeCall } from './probe/call';

/** How long a slow reader reads nothing (milliseconds). */
const SLOW_MS = 3_000;
/** Statuses that a caller may get that asks for more than its share. */
const ALLOWED = [200, 429];

/** What others do meanwhile, beside the calls of every attack: they read what they reported a moment ago, and connect. */
export const OTHERS: readonly ProbeCall[] = [
  { name: 'deployments', method: 'GET', path: '/deployments/other' },
  { name: 'connection', method: 'GET', path: '/environments/other', fresh: true },
];

interface ReadPlan {
  /** Below `/api/v2`, one for each request. */
  readonly paths: readonly string[];
  /** How many connections ask at once, and then read nothing for a while. */
  readonly slow: number;
  /** How many connections ask at once and read everything. */
  readonly fast: number;
  readonly key?: string;
}

/**
 * Asks for large answers on many connections at once. Slow ones leave without having read them. Fast ones come when the first slow one is
 * answered: so these cannot take all places before.
 *
 * @throws Error unless one slow reader at least is answered, and each other is answered or told to wait; the fast ones read all of it
 */
export async function readAtOnce({ url }: Pick<Target, 'url'>, { paths, slow, fast, key = keyOf('reader') }: ReadPlan) {
  const pathOf = (i: number) => paths[i % paths.length] ?? '';
  const sockets = Array.from({ length: slow }, (_, i) => askSlowly(new URL(url), pathOf(i), key));
  const statuses: number[] = [];
  const served = sockets.map(async (socket) => {
    const status = await statusOf(socket);
    statuses.push(status);
    if (status !== 200) throw new Error(`a slow reader was answered ${status}`);
  });
  try {
    if (slow > 0) await firstOf(served);
    const reads = Array.from({ length: fast }, (_, i) => readAll(`${url}/api/v2${pathOf(i)}`, key));
    await Promise.all([setTimeout(slow > 0 ? SLOW_MS : 0), ...reads]);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  const wrong = statuses.filter((status) => !ALLOWED.includes(status));
  if (wrong.length > 0) throw new Error(`slow readers were answered ${wrong.join()}`);
}

/** Waits until one of them is answered. The first answer may tell its reader to wait because of earlier requests. */
async function firstOf(served: readonly Promise<void>[]): Promise<void> {
  await Promise.any(served).catch(({ errors }: AggregateError) => {
    throw new Error(`no slow reader was answered: ${String(errors[0])}`);
  });
}

/** It reads only the first bytes, so that the service cannot send more than the buffers of the connection hold. */
function askSlowly({ hostname, port }: URL, path: string, key: string): Socket {
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`GET /api/v2${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  return socket;
}

/** @throws Error when the connection ends without an answer */
async function statusOf(socket: Socket): Promise<number> {
  await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
  const head = socket.read() as Buffer | null;
  if (head === null) throw new Error('the connection of a slow reader ended');
  return Number(/^HTTP\/1\.1 (\d+) /.exec(head.subarray(0, 32).toString())?.[1]);
}

async function readAll(address: string, key: string): Promise<void> {
  const answer = await fetch(address, { headers: { authorization: `Bearer ${key}` } });
  let bytes = 0;
  for await (const piece of answer.body ?? []) bytes += (piece as Uint8Array).length;
  const announced = answer.headers.get('content-length');
  if (!ALLOWED.includes(answer.status)) throw new Error(`${address} was answered ${answer.status}`);
  if (announced !== null && bytes !== Number(announced)) throw new Error(`${address} broke off after ${bytes} bytes`);
}
