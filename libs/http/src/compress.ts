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
  callback: HookCallback,
): void {
  if (request.headers[PAGE_HEADER] === undefined || !isCompressible(request, reply)) return callback(null, payload);
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
    if (payload.length < SMALL) return callback(null, payload);
    return gzip(payload, (error, bytes) => {
      if (error !== null) return callback(error);
      declare(reply);
      reply.header('content-length', bytes.length);
      callback(null, bytes);
    });
  }
  if (!isReadable(payload)) return callback(null, payload);
  declare(reply);
  reply.removeHeader('content-length');
  // A fault of either stream ends the answer; the reader of the last one gets the error.
  const gzipStream = pipeline(payload, createGzip(), () => undefined);
  callback(null, gzipStream);
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
