import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';

/** A request with all that is sent. */
export interface Exchange {
  readonly method?: string;
  /** In place of the URL's own: sent as it is. */
  readonly path?: string;
  /** A flat list may repeat names. */
  readonly headers?: OutgoingHttpHeaders | readonly string[];
  readonly body?: string | Uint8Array;
  /** Ends the request. */
  readonly signal?: AbortSignal;
}

/** An answer that was read to its end, or to the end of its headers if it continues. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly content: Buffer;
}

/** The type of a continuing answer. */
export const EVENTS = 'text/event-stream';

/** A job of the evaluator may wait for a processor for 24 seconds on a busy machine. */
const PATIENCE_MS = 60_000;
const connections = new Agent({ keepAlive: true });

/** Sends a request and reads its answer. The suites send many thousands: `fetch` needs three times the CPU time. */
export function exchange(url: string, { body, ...how }: Exchange = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const call = request(url, { ...how, agent: connections }, (response) => {
      const { statusCode: status = 0, headers: received } = response;
      const pieces: Buffer[] = [];
      if (received['content-type'] === EVENTS) {
        resolve({ status, headers: received, content: Buffer.alloc(0) });
        response.destroy();
        return;
      }
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => resolve({ status, headers: received, content: Buffer.concat(pieces) }));
    });
    // Node leaves it out for methods that rarely have a body.
    if (body !== undefined) call.setHeader('content-length', Buffer.byteLength(body));
    call.setTimeout(PATIENCE_MS, () => call.destroy(new Error('no answer')));
    call.on('error', reject);
    call.end(body);
  });
}

/** A stopping process waits for callers with an open connection. */
export function closeConnections(): void {
  for (const sockets of Object.values(connections.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}
