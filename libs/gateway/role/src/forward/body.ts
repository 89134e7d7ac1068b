import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { hasBody, RefusalError } from '@assurance/http';

/** A caller's body on its way to a service. */
export interface PassedBody {
  readonly stream: Readable;
  /** Whether a byte of it has left. */
  readonly begun: () => boolean;
}

/** Makes what ends a body on its way: of its SHA-256, hexadecimal. */
export type Seal = (digest: string) => Uint8Array;

/** The unread body of a request; null if it has none. */
export function bodyOf({ body, headers }: FastifyRequest): Readable | null {
  return body instanceof Readable && hasBody(headers) ? body : null;
}

/**
 * The body of a request as a stream that may be given up and begun again until a byte of it was taken.
 *
 * @param limit bytes; a larger body ends with `body-too-large`
 * @param seal null: the body is forwarded unchanged
 * @returns null if the request has no body
 * @throws RefusalError `body-too-large`, when the request says so itself
 */
export function passedBody(request: FastifyRequest, limit: number, seal: Seal | null): PassedBody | null {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > limit) throw new RefusalError({ kind: 'body-too-large', limit });
  const body = bodyOf(request);
  if (body === null) return null;
  let bytes = 0;
  const hash = createHash('sha256');
  async function* pieces(source: Readable): AsyncGenerator<Buffer> {
    // Destroying the caller's body would take the connection with it, and the answer.
    for await (const piece of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > limit) {
        source.resume();
        throw new RefusalError({ kind: 'body-too-large', limit });
      }
      hash.update(piece);
      yield piece;
    }
    if (seal !== null) yield Buffer.from(seal(hash.digest('hex')));
  }
  return { stream: Readable.from(pieces(body), { objectMode: false }), begun: () => bytes > 0 };
}
