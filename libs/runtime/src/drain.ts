import type { Server } from 'node:http';

const SWEEP_MS = 50;

/** What starts and ends a server: Fastify, or one like it. */
export interface Listener {
  readonly server: Server;
  listen(address: { readonly host: string; readonly port: number }): Promise<unknown>;
  close(): Promise<unknown>;
}

/**
 * Stops listening and lets the requests under way end.
 *
 * @param within milliseconds until what is still open is cut off
 */
export async function drain(listener: Listener, within: number): Promise<void> {
  const { server } = listener;
  // A connection that is kept alive after its last answer would hold the server open. After what has arrived was read: on a process that was
  // busy, a request may wait on a connection that looks idle, and whoever sent it could not know whether it was done.
  const sweep = setInterval(() => setImmediate(() => server.closeIdleConnections()), SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), within);
  try {
    await listener.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(cut);
  }
}
