import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer, type TLSSocket } from 'node:tls';

/** How long a TLS handshake may take (milliseconds). */
const HANDSHAKE_MS = 10_000;
const LOOK_MS = 1_000;
/** How many connections a listener has at most, because each takes memory. The limit of open files may reduce this further. */
const CONNECTIONS_MAX = 20_000;
/**
 * How many open files are reserved for the data folder, servers, and threads that evaluate rules. One more is reserved
 * for each running request.
 */
const KEPT = 384;

/**
 * How many connections a listener may have open. The rest of the open files is for files, other connections and threads.
 *
 * @param files how many files the process may have open; null if unknown
 * @param requestsAtOnce how many requests run at the same time; each may hold an attachment's file, or a connection to another service
 */
export function connectionLimit(files: number | null, requestsAtOnce: number): number {
  if (files === null) return CONNECTIONS_MAX;
  const reserve = Math.min(Math.floor(files / 2), KEPT + requestsAtOnce);
  return Math.min(files - reserve, CONNECTIONS_MAX);
}

/** How many files this process may have open: RLIMIT_NOFILE, after Node has raised it to the maximum. Null if the system does not report it. */
export function fileLimit(read = () => readFileSync('/proc/self/limits', 'utf8')): number | null {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(read()) ?? [];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
}

/** The times of `Connections`, for tests. */
interface ConnectionTimes {
  readonly now: () => number;
  /** Milliseconds. */
  readonly handshakeMs: number;
}

/**
 * Limits the connections of a server, and ends TLS handshakes that take too long. Node does neither. If all places are
 * taken, a new connection replaces the oldest connection that has sent no request yet. If there is none, it replaces
 * connections that wait for their next request. It is refused only if all others have a running request.
 */
export class Connections {
  private readonly open = new Set<Socket>();
  /** Connections with an unfinished handshake, by their two ends. Node does not report to which of them a finished handshake belongs. */
  private readonly handshakes = new Map<string, { readonly socket: Socket; readonly since: number }>();
  /** Connections that have sent no request yet. */
  private readonly silentSockets = new Set<Socket>();
  private timer: NodeJS.Timeout | null = null;
  private clearedAt = -Infinity;

  constructor(
    private readonly server: Server,
    private readonly maxConnections: number,
    private readonly times: ConnectionTimes = { now: () => performance.now(), handshakeMs: HANDSHAKE_MS },
  ) {
    const secure = server instanceof TlsServer;
    server.on('connection', (socket: Socket) => this.add(socket, secure));
    server.on('secureConnection', (socket: TLSSocket) => {
      this.handshakes.delete(endsOf(socket));
      this.watchSilence(socket);
    });
    // Runs before a listener writes an answer, which would wait for the end of the handshake and keep the connection open.
    server.prependListener('tlsClientError', (_fault: Error, socket: TLSSocket) => socket.destroy());
    server.on('request', ({ socket }) => this.silentSockets.delete(socket));
  }

  /** Ends the connections with an unfinished handshake. They carry no request yet. */
  endHandshakes(): void {
    for (const { socket } of this.handshakes.values()) this.end(socket);
  }

  private add(socket: Socket, secure: boolean): void {
    this.open.add(socket);
    socket.once('close', () => this.open.delete(socket));
    if (secure) this.begin(socket);
    else this.watchSilence(socket);
    if (this.open.size > this.maxConnections) this.closeForNew(socket);
  }

  private begin(socket: Socket): void {
    // The connection ended before it was accepted, so its addresses are unknown.
    if (socket.remoteAddress === undefined) return void socket.destroy();
    const ends = endsOf(socket);
    this.handshakes.set(ends, { socket, since: this.times.now() });
    socket.once('close', () => {
      if (this.handshakes.get(ends)?.socket === socket) this.handshakes.delete(ends);
    });
    this.timer ??= setInterval(() => this.endLateHandshakes(), Math.min(LOOK_MS, this.times.handshakeMs)).unref();
  }

  private watchSilence(socket: Socket): void {
    this.silentSockets.add(socket);
    socket.once('close', () => this.silentSockets.delete(socket));
  }

  private closeForNew(newest: Socket): void {
    const [unfinished] = this.handshakes.values();
    const [quiet] = this.silentSockets;
    const oldest = [unfinished?.socket, quiet].find((socket) => socket !== undefined && socket !== newest);
    if (oldest !== undefined) return this.end(oldest);
    const now = this.times.now();
    if (now - this.clearedAt >= LOOK_MS) {
      this.clearedAt = now;
      this.server.closeIdleConnections();
      // Closed sockets emit `close` later, so they are removed here.
      for (const socket of this.open) if (socket.destroyed) this.open.delete(socket);
    }
    if (this.open.size > this.maxConnections) this.end(newest);
  }

  private end(socket: Socket): void {
    this.open.delete(socket);
    this.silentSockets.delete(socket);
    this.handshakes.delete(endsOf(socket));
    socket.destroy();
  }

  /** Ends the handshakes that take too long, oldest first. */
  private endLateHandshakes(): void {
    const before = this.times.now() - this.times.handshakeMs;
    for (const { socket, since } of this.handshakes.values()) {
      if (since > before) break;
      this.end(socket);
    }
    if (this.handshakes.size > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }
}

/** The addresses and ports of both ends of a connection. Two open connections never have the same. */
function endsOf({ localAddress, localPort, remoteAddress, remotePort }: Socket): string {
  return `${localAddress} ${localPort} ${remoteAddress} ${remotePort}`;
}
