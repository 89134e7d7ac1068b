import { pipeline, type Readable } from 'node:stream';
import { createGzip, gzip } from 'node:zlib';
import { PAGE_HEADER } from '@assurance/contracts/access/session-cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Compressing smaller answers is not worth the work (bytes). */
const SMALL = 1_024;

type HookCallback = (error?: Error | null, payload?: unknown) => void;

/**
 * Compresses JSON for pages. Other answers are not compressed: programs ask for many small ones over fast networks, and
 * the size of a compressed answer could tell another site something about its content. Requests of pages have a header
 * that another site cannot make a browser send.
 *
 * An answer of another process may be compressed already, and is passed on as it is.
 */
export function compressForPages(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: HookCallback,
): void {
  if (request.headers[PAGE_HEADER] === undefined || !isCompressible(request, reply)) return done(null, payload);
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
    if (payload.length < SMALL) return done(null, payload);
    return gzip(payload, (error, bytes) => {
      if (error !== null) return done(error);
      declare(reply);
      reply.header('content-length', bytes.length);
      done(null, bytes);
    });
  }
  if (!isReadable(payload)) return done(null, payload);
  declare(reply);
  reply.removeHeader('content-length');
  // A fault of either stream ends the answer; the reader of the last one gets the error.
  const compressed = pipeline(payload, createGzip(), () => undefined);
  done(null, compressed);
}

function isCompressible({ method, headers }: FastifyRequest, reply: FastifyReply): boolean {
  const accepted = headers['accept-encoding'];
  return (
    method !== 'HEAD' &&
    typeof accepted === 'string' &&
    /(^|,)\s*gzip\s*(,|$)/.test(accepted) &&
    reply.getHeader('content-encoding') === undefined &&
    String(reply.getHeader('content-type')).startsWith('application/json')
  );
}

function declare(reply: FastifyReply): void {
  reply.header('content-encoding', 'gzip').header('vary', 'accept-encoding');
}

const isReadable = (payload: unknown): payload is Readable =>
  typeof payload === 'object' && payload !== null && 'pipe' in payload;
