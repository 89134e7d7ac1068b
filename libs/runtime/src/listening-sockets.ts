import type { Server } from 'node:http';
import { createServer, type Server as NetServer } from 'node:net';
import { platform } from 'node:os';

/** How many sockets listen beside the first. */
const MORE = 15;

/**
 * Sockets that listen on the address of a server beside its own, and give it what they accept. A Node process accepts one connection of each
 * socket in a turn of its event loop. With one socket, connections that one caller opens at once delay those of others by a turn each
 * (decision 86). Not for TLS: a further socket would never hear that a connection of it has ended.
 *
 * @returns none where the system is not Linux, which alone spreads connections over the sockets of one address
 */
export function moreSockets(server: Server): NetServer[] {
  const socket = () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (connection) => server.emit('connection', connection));
  return platform() === 'linux' ? Array.from({ length: MORE }, socket) : [];
}
