import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { RefusalError } from '@assurance/http';

/** A caller's body on its way to a service. */
export interface PassedBody {
  readonly stream: Readable;
  /** Whether a byte of it has left. */
  readonly begun: () => boolean;
}

/**
 * The body of a request as a stream that may be given up and begun again until a byte of it was taken.
 *
 * @param limit bytes; what is larger ends with `body-too-large`
 * @returns null when there is none
 * @throws RefusalError `body-too-large`, when the request says so itself
 */
export function passedBody(request: FastifyRequest, limit: number): PassedBody | null {
  const { body, headers } = request as FastifyRequest & { readonly body: unknown };
  const length = Number(headers['content-length'] ?? 0);
  if (length > limit) throw new RefusalError({ kind: 'body-too-large', limit });
  if (!(body instanceof Readable) || (length === 0 && headers['transfer-encoding'] === undefined)) return null;
  let bytes = 0;
  async function* pieces(source: Readable): AsyncGenerator<Buffer> {
    // Destroying the caller's body would take the connection with it, and the answer.
    for await (const piece of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > limit) {
        source.resume();
        throw new RefusalError({ kind: 'body-too-large', limit });
      }
      yield piece;
    }
  }
  return { stream: Readable.from(pieces(body), { objectMode: false }), begun: () => bytes > 0 };
}
