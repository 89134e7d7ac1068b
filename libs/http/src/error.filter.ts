import type { IncomingMessage } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Observable, throwError } from 'rxjs';
import { PAGE_HEADER } from '@assurance/contracts/access/session-cookie';
import { UnknownEvent } from '@assurance/contracts/events/codec';
import { bodyLimit } from '@assurance/contracts/http/body-limits';
import { methodsOf } from '@assurance/contracts/http/methods';
import { Refused } from '@assurance/contracts/http/refusals';
import type { Route } from '@assurance/contracts/http/route';
import type { Limits, Logger } from '@assurance/event-sourcing/tokens';
import { Busy, OrganizationBusy } from '@assurance/kernel';
import { BlobTooLarge, StoreBusy, StoreFull, StoreUnavailable } from '@assurance/storage-ports';
import { BAD_PATH, isTooLong } from './bad-path';
import { type PipelineReply, type PipelineRequest, routeOf } from './exchange';
import { JSON_TYPE } from './json-headers';
import { type Refusal, refusalAnswer, type RefusalError } from './refusals';
import type { RefusalAnswer } from './transport-refusals';

/** How many bytes of a refused body are read and discarded before the connection is closed. */
const DISCARDED_BYTES_MAX = 64 * 1024 * 1024;
/** How long a client may pause while it sends the rest of a refused body, and how long the rest may take (milliseconds). */
const [DISCARD_PAUSE_MS, DISCARD_MS] = [1_000, 5_000];

const UNREADABLE = { kind: 'invalid', errors: { body: 'The request could not be read' } } as const;

/** Turns every thrown error into an answer: always JSON `{message, errors?}`, without any internal detail. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly limits: Limits,
    private readonly onUnknownEvent: (error: UnknownEvent) => void = () => undefined,
  ) {}

  catch(error: unknown, host: ArgumentsHost): Observable<never> | void {
    if (host.getType() !== 'http') return throwError(() => error);
    this.answer(
      error,
      host.switchToHttp().getRequest<FastifyRequest>(),
      host.switchToHttp().getResponse<FastifyReply>(),
    );
  }

  /** Answers a request with the error that was thrown for it, unless it was already answered. */
  answer(error: unknown, request: PipelineRequest, reply: PipelineReply): void {
    if (reply.sent) return;
    const correlation = request.assurance?.correlation ?? 'unknown';
    const route = routeOf(request);
    const { status, body, headers } = this.answerOf(error, route, correlation, request);
    const fields = { correlation, method: request.method, route: route?.id ?? null };
    if (error instanceof Refused && status >= 500) {
      // Without the stack trace: overload causes many of these lines at once.
      this.logger.warn({ ...fields, kind: error.refusal.kind }, 'a request was refused');
    } else if (status >= 500) {
      this.logger.error({ err: error, ...fields }, 'request failed');
    }
    // A reply of Fastify is thenable: it must not be returned.
    const send = () => {
      reply.code(status);
      reply.headers(headers ?? {});
      reply.header('content-type', JSON_TYPE);
      reply.send(JSON.stringify(body));
    };
    if (headers?.['connection'] === 'close') void discardBody(request.raw).then(send);
    else send();
  }

  private answerOf(error: unknown, route: Route | null, correlation: string, request: PipelineRequest): RefusalAnswer {
    if (error instanceof Refused) return forPage(refusalAnswer((error as RefusalError).refusal, route), request);
    if (error instanceof BlobTooLarge) return refusalAnswer({ kind: 'body-too-large', limit: error.limit }, route);
    if (error instanceof StoreFull) {
      return tryLater(60, `The service has no room to store this. Try again later (request ${correlation})`);
    }
    if (error instanceof UnknownEvent) {
      this.onUnknownEvent(error);
      return tryLater(
        30,
        `A newer version of the service has written here, and this one cannot read it. Update the service, or try again (request ${correlation})`,
      );
    }
    if (error instanceof OrganizationBusy)
      return refusalAnswer({ kind: 'too-much-to-evaluate', seconds: error.seconds }, route);
    if (error instanceof StoreBusy || error instanceof Busy) return refusalAnswer({ kind: 'too-busy' }, route);
    if (error instanceof StoreUnavailable) {
      return tryLater(2, `The service cannot reach its storage. Try again (request ${correlation})`);
    }
    if (error instanceof HttpException) {
      switch (error.getStatus()) {
        case 404:
          return refusalAnswer(unknownRoute(request), route);
        case 413: {
          const limit = route === null ? this.limits.bodyBytes : bodyLimit(route, this.limits);
          const bytes = Number(request.headers['content-length']);
          return refusalAnswer({ kind: 'body-too-large', limit, bytes }, route);
        }
        case 415:
          return refusalAnswer({ kind: 'media-type', type: request.headers['content-type'] ?? 'none' }, route);
      }
      if (error.getStatus() < 500) return refusalAnswer(UNREADABLE, route);
    }
    if (isDisconnected(error)) return refusalAnswer(UNREADABLE, route);
    return { status: 500, body: { message: `Something went wrong on our side (request ${correlation})` } };
  }
}

/** For a page, `WWW-Authenticate` offers only the scheme Bearer. With Basic, the browser would open its own password dialog. */
function forPage(answer: RefusalAnswer, { headers }: PipelineRequest): RefusalAnswer {
  if (answer.status !== 401 || headers[PAGE_HEADER] === undefined) return answer;
  return { ...answer, headers: { 'www-authenticate': 'Bearer realm="assurance"' } };
}

/** The refusal of a request without a route: its path is unknown, or has no such method. */
function unknownRoute({ method, url }: PipelineRequest): Refusal {
  const [path = ''] = url.split('?');
  const allowed = methodsOf(path);
  if (allowed.includes(method) && isTooLong(path)) return BAD_PATH;
  return allowed.length === 0 || allowed.includes(method)
    ? { kind: 'route-unknown' }
    : { kind: 'method-unknown', method, allowed };
}

/** Whether the client disconnected while it sent its request. This is not a fault, and nobody reads the answer. */
function isDisconnected(error: unknown): boolean {
  const { code, statusCode } = (error ?? {}) as { readonly code?: unknown; readonly statusCode?: unknown };
  return code === 'ECONNRESET' && statusCode === 400;
}

function tryLater(seconds: number, message: string): RefusalAnswer {
  return { status: 503, body: { message }, headers: { 'retry-after': String(seconds) } };
}

/**
 * Reads and discards the rest of a body. If the connection was closed while the client sends, the client would get a
 * broken connection instead of the answer. It gets time to finish, unless its body is far larger than allowed.
 */
function discardBody(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let bytes = 0;
    const finish = () => {
      clearTimeout(late);
      clearTimeout(pause);
      request.off('data', count).off('end', finish).off('close', finish);
      resolve();
    };
    const count = (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > DISCARDED_BYTES_MAX) finish();
      else pause.refresh();
    };
    const late = setTimeout(finish, DISCARD_MS);
    const pause = setTimeout(finish, DISCARD_PAUSE_MS);
    request.on('data', count).once('end', finish).once('close', finish).resume();
  });
}
