import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as NetServer } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Connections } from './connections';

const SWEEP_MS = 50;

/** The methods that start and stop a server, such as Fastify. */
export interface Listener {
  readonly server: Server;
  /** Further servers that listen on the same address and pass accepted connections to `server`. */
  readonly more?: readonly NetServer[];
  readonly connections?: Pick<Connections, 'endHandshakes'>;
  listen(address: { readonly host: string; readonly port: number; readonly reusePort?: boolean }): Promise<unknown>;
  close(): Promise<unknown>;
}

/** The times of a stopping server (milliseconds). */
export interface DrainTimes {
  /**
   * How long the server still accepts requests. Each answer has `Connection: close`, so that clients do not send again on
   * the same connection, and gateways use other instances. This time ends early when no connection is left.
   */
  readonly lameDuck: number;
  /**
   * How long the server accepts new connections at least, even if none is open, because load balancers notice the end
   * later. The default is 0.
   */
  readonly accepting?: number;
  /** How long running requests may continue after that. Then they are aborted. */
  readonly within: number;
}

/** Closes connections one by one, then stops listening and waits for running requests. */
export async function drain(listener: Listener, { lameDuck, accepting = 0, within }: DrainTimes): Promise<void> {
  const { server, more = [], connections: bounded } = listener;
  if (Math.max(lameDuck, accepting) > 0) await closeConnections(server, more, lameDuck, accepting);
  // A kept-alive connection would hold the server open after its last answer. `setImmediate` closes idle connections only after data that
  // has arrived is read. In a busy process, a request may wait on a connection that looks idle; its sender could not know whether it was done.
  const idle = () => {
    server.closeIdleConnections();
    bounded?.endHandshakes();
  };
  const sweep = setInterval(() => setImmediate(idle), SWEEP_MS);
  const cutTimer = setTimeout(() => server.closeAllConnections(), within);
  try {
    // Lets the process first read the data that has arrived over the network.
    await turn();
    await Promise.all([listener.close(), ...more.map((candidate) => new Promise((closed) => candidate.close(closed)))]);
  } finally {
    clearInterval(sweep);
    clearTimeout(cutTimer);
  }
}

async function closeConnections(
  server: Server,
  moreServers: readonly NetServer[],
  lameDuck: number,
  accepting: number,
): Promise<void> {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('connection', 'close');
  });
  const begun = performance.now();
  const passed = () => performance.now() - begun;
  const open = async () => (await Promise.all([server, ...moreServers].map(connections))).some((count) => count > 0);
  while (passed() < accepting || (passed() < lameDuck && (await open()))) await sleep(SWEEP_MS);
}

function connections(server: NetServer): Promise<number> {
  return promisify<number>((done) => server.getConnections(done))();
}
