import type { Route } from '@assurance/contracts-http';
import type { Answer } from './answer';
import type { PipelineReply } from './exchange';

export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Sets status and headers of an answer: JSON always (a text as a JSON string), plain text only where the route says so, files where it
 * says so or the body is bytes.
 *
 * @returns the content of the answer
 */
export function prepared(route: Route | undefined, { status, headers, body }: Answer, reply: PipelineReply): unknown {
  reply.code(status);
  reply.headers(headers);
  if (route?.media !== undefined || Buffer.isBuffer(body)) return body;
  if (route?.plain === true) {
    reply.header('content-type', 'text/plain; charset=utf-8');
    return String(body);
  }
  reply.header('content-type', JSON_TYPE);
  return JSON.stringify(body ?? null);
}

/** The headers of every answer: browsers do not guess its type, and caches do not store private answers. */
export function protect(route: Route | null, reply: PipelineReply): void {
  reply.header('x-content-type-options', 'nosniff');
  if (route?.permission !== 'public') reply.header('cache-control', 'no-store');
}
