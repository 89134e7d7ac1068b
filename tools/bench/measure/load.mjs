import { once } from 'node:events';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { percentile } from './stats.mjs';

/** How long a client waits after a 429 (milliseconds). */
const AGAIN_MS = 100;

/**
 * Sends requests one after another on each connection. It uses plain sockets, because it shares the machine with the measured server and must use
 * little CPU.
 *
 * @param {string} url of the server
 * @param {{connections: number, seconds: number, least?: number, next: (connection: number) => readonly Buffer[],
 *   expect: RegExp}} plan `next` gives the parts of a connection's next request; every answer must be a 200 whose body matches `expect`;
 *   a request that gets 429 is sent again until it succeeds, and its latency includes all attempts;
 *   at least `least` requests are sent, however long they take
 * @returns how many, in how many seconds, their latencies in milliseconds, and how many answers were a 429
 */
export async function load(url, { connections, seconds, least = 0, next, expect }) {
  const { hostname, port } = new URL(url);
  const latencies = [];
  const begun = performance.now();
  const until = begun + seconds * 1000;
  let started = 0;
  let again = 0;
  const more = () => performance.now() < until || started < least;
  const one = async (number) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    try {
      await new Promise((done, failed) => {
        let sent = 0;
        let answer = Buffer.alloc(0);
        let parts = [];
        const send = () => {
          if (!more()) return done();
          started += 1;
          sent = performance.now();
          parts = next(number);
          write();
        };
        const write = () => {
          socket.cork();
          for (const part of parts) socket.write(part);
          socket.uncork();
        };
        socket.on('data', (bytes) => {
          answer = answer.length === 0 ? bytes : Buffer.concat([answer, bytes]);
          const whole = parse(answer);
          if (whole === null) return;
          answer = answer.subarray(whole.end);
          if (whole.status === 429) {
            again += 1;
            return void setTimeout(write, AGAIN_MS);
          }
          latencies.push(performance.now() - sent);
          if (whole.status !== 200 || !expect.test(whole.body)) {
            return failed(new Error(`unexpected answer ${whole.status}: ${whole.body.slice(0, 500)}`));
          }
          send();
        });
        socket.once('error', failed);
        socket.once('close', () => failed(new Error('the server closed the connection')));
        send();
      });
    } finally {
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, number) => one(number)));
  const took = (performance.now() - begun) / 1000;
  latencies.sort((a, b) => a - b);
  return {
    requests: latencies.length,
    again,
    seconds: took,
    perSecond: latencies.length / took,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
  };
}

/** Reads a complete answer. */
function parse(bytes) {
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
export function request(method, path, key, body) {
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${key}`,
    ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${body.length}`]),
  ];
  const first = Buffer.from(`${head.join('\r\n')}\r\n\r\n`);
  return body === undefined ? [first] : [first, body];
}
