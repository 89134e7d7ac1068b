import type { Server } from 'node:http';
import { createServer, type Server as NetServer } from 'node:net';
import { platform } from 'node:os';

/** How many sockets listen in addition to the first. */
const MORE = 15;

/**
 * Makes further sockets for the address of a server. They pass accepted connections to the server. In one turn of its
 * event loop, a Node process accepts one connection of each socket. With a single socket, each connection of one caller
 * delays the connections of others by one turn (decision 86). It does not work for TLS, because a further socket would
 * not notice that its connection has ended.
 *
 * @returns an empty list on other systems than Linux: only Linux spreads connections over the sockets of one address
 */
export function moreSockets(server: Server): NetServer[] {
  const socket = () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (connection) => server.emit('connection', connection));
  return platform() === 'linux' ? Array.from({ length: MORE }, socket) : [];
}
