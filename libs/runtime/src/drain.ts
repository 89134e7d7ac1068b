import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as NetServer } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Connections } from './connections';

const SWEEP_MS = 50;

/** The methods that start and stop a server, such as Fastify. */
export interface Listener {
  readonly server: Server;
  /** Listen on the same address, and give the server what they accept. */
  readonly more?: readonly NetServer[];
  readonly connections?: Pick<Connections, 'endHandshakes'>;
  listen(address: { readonly host: string; readonly port: number; readonly reusePort?: boolean }): Promise<unknown>;
  close(): Promise<unknown>;
}

/** How a server may end, in milliseconds. */
export interface DrainTimes {
  /**
   * How long it still accepts requests, each answered with `Connection: close`. So clients that keep a connection alive
   * learn of the end before they send again, and gateways use other instances. It ends earlier when no connection is
   * left.
   */
  readonly lameDuck: number;
  /**
   * How long it accepts new connections at least, even when none is open, because load balancers learn of the end
   * later. 0 unless given.
   */
  readonly accepting?: number;
  /** How long running requests may continue after that, until they are aborted. */
  readonly within: number;
}

/** Closes connections one by one, then stops listening and waits for running requests. */
export async function drain(listener: Listener, { lameDuck, accepting = 0, within }: DrainTimes): Promise<void> {
  const { server, more = [], connections: bounded } = listener;
  if (Math.max(lameDuck, accepting) > 0) await closeConnections(server, more, lameDuck, accepting);
  // A connection that is kept alive after its last answer would hold the server open. After what has arrived was read: on a process that was
  // busy, a request may wait on a connection that looks idle, and whoever sent it could not know whether it was done.
  const idle = () => {
    server.closeIdleConnections();
    bounded?.endHandshakes();
  };
  const sweep = setInterval(() => setImmediate(idle), SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), within);
  try {
    // Right after this process has read what had come over the network.
    await turn();
    await Promise.all([listener.close(), ...more.map((candidate) => new Promise((closed) => candidate.close(closed)))]);
  } finally {
    clearInterval(sweep);
    clearTimeout(cut);
  }
}

async function closeConnections(
  server: Server,
  more: readonly NetServer[],
  lameDuck: number,
  accepting: number,
): Promise<void> {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('connection', 'close');
  });
  const begun = performance.now();
  const passed = () => performance.now() - begun;
  const open = async () => (await Promise.all([server, ...more].map(connections))).some((count) => count > 0);
  while (passed() < accepting || (passed() < lameDuck && (await open()))) await sleep(SWEEP_MS);
}

function connections(server: NetServer): Promise<number> {
  return promisify<number>((done) => server.getConnections(done))();
}
