import type { Route } from '@assurance/contracts/http/route';
import type { Admission } from './admission';
import type { Answer } from './answer';
import { type PipelineReply, type PipelineRequest, routeOf } from './exchange';
import { JSON_TYPE } from './json-headers';

/**
 * Sets status and headers of an answer. It is JSON (a text is a JSON string), except plain text and files of routes that declare them, and
 * bytes.
 *
 * @returns the content of the answer
 */
export function prepareAnswer(
  route: Route | undefined,
  { status, headers, body }: Answer,
  reply: PipelineReply,
): unknown {
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

/** One year (RFC 6797). */
const HTTPS_ALONE = 'max-age=31536000';

/**
 * Call it for each answer before it is sent: it frees the share of the request and sets the headers that every answer
 * has.
 *
 * @param secure whether browsers must use only https from now on
 */
export function beforeSend(admission: Admission, request: PipelineRequest, reply: PipelineReply, secure = false): void {
  admission.noteAnswer(request);
  request.assurance?.leave?.();
  request.assurance?.place?.end();
  // Browsers do not guess the type, and caches do not store private answers.
  reply.header('x-content-type-options', 'nosniff');
  if (secure) reply.header('strict-transport-security', HTTPS_ALONE);
  // A client that got no `100 Continue` may send its body or not, so it is unknown where its next request begins.
  if (expectsContinue(request) && request.assurance?.goesOn !== true) reply.header('connection', 'close');
  if (routeOf(request)?.permission !== 'public') reply.header('cache-control', 'no-store');
}

/** Whether a client sends its body only when it is told to go on (`100 Continue`). Any other expectation was refused before. */
export function expectsContinue({ raw, headers }: PipelineRequest): boolean {
  return headers.expect !== undefined && raw.httpVersion === '1.1';
}
