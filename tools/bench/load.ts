import { once } from 'node:events';
import { connect } from 'node:net';
import { range } from '../common/api.ts';
import { type Figure, percentile } from './measure.ts';

/** How long a client waits after a 429 (milliseconds). */
const AGAIN_MS = 100;

export interface Plan {
  readonly connections: number;
  readonly seconds: number;
  /** At least so many requests are sent, however long they take. */
  readonly least?: number;
  /** The parts of a connection's next request. */
  readonly next: (connection: number) => readonly Buffer[];
  /** Every answer must be a 200 whose body matches. A request that gets 429 is sent again, and its latency includes all attempts. */
  readonly expect: RegExp;
}

/**
 * Sends requests one after another on each connection. It uses plain sockets, because it shares the machine with the measured server and must use
 * little CPU.
 */
export async function load(
  url: string,
  { connections, seconds, least = connections, next, expect }: Plan,
): Promise<Figure> {
  const { hostname: host, port } = new URL(url);
  const latencies: number[] = [];
  const begun = performance.now();
  const until = begun + seconds * 1000;
  let started = 0;
  const one = async (number: number): Promise<void> => {
    const socket = connect({ host, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
    let sent = 0;
    let answer = Buffer.alloc(0);
    let parts: readonly Buffer[] = [];
    const write = (): void => {
      socket.cork();
      for (const part of parts) socket.write(part);
      socket.uncork();
    };
    const send = (): void => {
      if (performance.now() >= until && started >= least) return resolve();
      started += 1;
      sent = performance.now();
      parts = next(number);
      write();
    };
    socket.on('data', (bytes: Buffer) => {
      answer = answer.length === 0 ? (bytes as Buffer<ArrayBuffer>) : Buffer.concat([answer, bytes]);
      const whole = parse(answer);
      if (whole === null) return;
      answer = answer.subarray(whole.end);
      if (whole.status === 429) return void setTimeout(write, AGAIN_MS);
      latencies.push(performance.now() - sent);
      if (whole.status === 200 && expect.test(whole.body)) return send();
      reject(new Error(`unexpected answer ${whole.status}: ${whole.body.slice(0, 500)}`));
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the server closed the connection')));
    send();
    await ended.finally(() => socket.destroy());
  };
  await Promise.all(range(connections).map(one));
  const took = (performance.now() - begun) / 1000;
  latencies.sort((a, b) => a - b);
  const requests = latencies.length;
  return { requests, perSecond: requests / took, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
}

/** Reads a complete answer. */
function parse(bytes: Buffer): { readonly status: number; readonly body: string; readonly end: number } | null {
  const head = bytes.indexOf('\r\n\r\n');
  if (head === -1) return null;
  const text = bytes.toString('latin1', 0, head);
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
  if (length === undefined) throw new Error(`an answer without a length: ${text}`);
  const end = head + 4 + Number(length);
  if (bytes.length < end) return null;
  return { status: Number(text.slice(9, 12)), body: bytes.toString('utf8', head + 4, end), end };
}

/** The parts of a request. */
export function request(method: string, path: string, key: string, body?: Buffer): readonly Buffer[] {
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${key}`,
    ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${body.length}`]),
  ];
  const start = Buffer.from(`${head.join('\r\n')}\r\n\r\n`);
  return body === undefined ? [start] : [start, body];
}

/** One request after another, and then the first one again. */
export function inTurn(requests: readonly (readonly Buffer[])[]): () => readonly Buffer[] {
  let turn = 0;
  return () => requests[turn++ % requests.length] ?? [];
}
