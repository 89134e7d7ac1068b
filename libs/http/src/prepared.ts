import type { FastifyReply } from 'fastify';
import type { Route } from '@assurance/contracts-http';
import type { Answer } from './answer';

export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Sets status and headers of an answer: JSON always (a text as a JSON string), plain text only where the route says so, files where it
 * says so or the body is bytes.
 *
 * @returns the content of the answer
 */
export function prepared(route: Route | undefined, { status, headers, body }: Answer, reply: FastifyReply): unknown {
  void reply.code(status).headers(headers);
  if (route?.media !== undefined || Buffer.isBuffer(body)) return body;
  if (route?.plain === true) {
    void reply.header('content-type', 'text/plain; charset=utf-8');
    return String(body);
  }
  void reply.header('content-type', JSON_TYPE);
  return JSON.stringify(body ?? null);
}
