import type { Server } from 'node:http';
import { createServer, type Server as NetServer } from 'node:net';
import { platform } from 'node:os';

/** How many sockets listen beside the first. */
const MORE = 15;

/**
 * Opens further sockets on the address of a server, which pass accepted connections to it. A Node process accepts one
 * connection of each socket in a turn of its event loop. With one socket, connections that one caller opens at once
 * delay those of others by a turn each (decision 86). Not for TLS, where a further socket would not learn that its
 * connection has ended.
 *
 * @returns none where the system is not Linux, which alone spreads connections over the sockets of one address
 */
export function moreSockets(server: Server): NetServer[] {
  const socket = () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (connection) => server.emit('connection', connection));
  return platform() === 'linux' ? Array.from({ length: MORE }, socket) : [];
}
