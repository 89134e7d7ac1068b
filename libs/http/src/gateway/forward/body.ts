import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { sha256 } from '@assurance/kernel';
import type { CallCarrier } from '../../call';
import { readBytes } from '../../read-bytes';
import { RefusalError } from '../../refusals';
import { hasBody } from '../../sealed-body';

/** The body of a caller's request, as it is forwarded to a service. */
export interface PassedBody {
  readonly content: Readable | Buffer;
  /** Whether a byte of the body was sent. Then it cannot be sent again. */
  readonly begun: () => boolean;
}

/** Makes the seal at the end of a forwarded body from the SHA-256 of the body (hexadecimal). */
export type Seal = (digest: string) => Uint8Array;

/** The unread body of a request; null if it has none. */
export function bodyOf({ body, headers }: FastifyRequest): Readable | null {
  return body instanceof Readable && hasBody(headers) ? body : null;
}

/**
 * Reads a small body before it is forwarded, so that a slow client does not keep a service waiting. The request takes a
 * place when the body has arrived.
 *
 * @returns null for all other bodies
 * @throws RefusalError `share-taken`, `too-busy`
 */
export async function smallBody(request: FastifyRequest): Promise<Buffer | null> {
  const { assurance } = request as CallCarrier;
  if (assurance?.arrived === undefined || bodyOf(request) === null) return null;
  const bytes = await readBytes(request.raw);
  assurance.arrived();
  return bytes;
}

/**
 * The body of a request. It may be offered to one instance after the other until a byte of it was sent. A body that has arrived completely is sent in
 * one piece; other bodies are sent while they arrive.
 *
 * @param read the body, if it was read already
 * @param limit bytes; a larger body ends with `body-too-large`
 * @returns makes the body for one instance, null if the request has none. `seal` null: the body is forwarded unchanged
 * @throws RefusalError `body-too-large` if the stated length is larger
 */
export function passedBody(
  request: FastifyRequest,
  limit: number,
  read: Buffer | null = null,
): (seal: Seal | null) => PassedBody | null {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > limit) throw new RefusalError({ kind: 'body-too-large', limit });
  const body = bodyOf(request);
  if (body === null) return () => null;
  const wholeBody = read ?? (body.readableLength === length ? (body.read() as Buffer | null) : null);
  if (wholeBody === null) return (seal) => passStream(body, limit, seal);
  return (seal) => ({
    content: seal === null ? wholeBody : Buffer.concat([wholeBody, seal(sha256(wholeBody))]),
    begun: () => false,
  });
}

function passStream(body: Readable, limit: number, seal: Seal | null): PassedBody {
  let bytes = 0;
  const hash = createHash('sha256');
  async function* pieces(): AsyncGenerator<Buffer> {
    // Destroying the caller's body would close the connection before the answer is sent.
    for await (const piece of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > limit) {
        body.resume();
        throw new RefusalError({ kind: 'body-too-large', limit });
      }
      hash.update(piece);
      yield piece;
    }
    if (seal !== null) yield Buffer.from(seal(hash.digest('hex')));
  }
  return { content: Readable.from(pieces(), { objectMode: false }), begun: () => bytes > 0 };
}
