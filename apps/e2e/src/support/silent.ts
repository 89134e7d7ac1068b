import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Opens connections one after the other, and sends nothing on them. Some may end while others are opened. */
export async function silentConnections(url: string, count: number): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  for (let i = 0; i < count; i += 1) {
    // The service ends connections, which is no fault here.
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }).on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    socket.resume();
  }
  return sockets;
}

/** Ends our side of a connection, and waits until the service has ended the other one. */
export function leave(socket: Socket): Promise<void> {
  return new Promise((left) => {
    if (socket.closed) return left();
    socket.once('close', () => left());
    socket.end();
  });
}

/** Runs a service that may have so many files open. */
export function withFiles(limit: number): readonly string[] {
  return ['sh', '-c', `ulimit -n ${limit}; exec "$0" "$@"`];
}
