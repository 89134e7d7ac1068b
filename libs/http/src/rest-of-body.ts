import type { IncomingMessage } from 'node:http';

/** How much of a refused body is read and discarded, and for how long (milliseconds), before the connection is closed. */
const REST_BYTES_MAX = 1024 * 1024;
const REST_MS = 1_000;

/**
 * Lets go what still comes of a body. A connection that is closed while its client sends breaks, and the client never sees the answer: it
 * gets the time to finish, unless it has much more to send than was allowed.
 */
export function letRestGo(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let bytes = 0;
    const done = () => {
      clearTimeout(late);
      request.off('data', count).off('end', done).off('close', done);
      resolve();
    };
    const count = (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > REST_BYTES_MAX) done();
    };
    const late = setTimeout(done, REST_MS);
    request.on('data', count).once('end', done).once('close', done).resume();
  });
}
