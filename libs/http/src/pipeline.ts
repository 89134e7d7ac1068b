import type { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { INestApplication } from '@nestjs/common';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bodyLimit } from '@assurance/contracts/http/body-limits';
import { answerWeight } from '@assurance/contracts/http/large-answers';
import type { Route } from '@assurance/contracts/http/route';
import type { Limits } from '@assurance/event-sourcing/tokens';
import { AnsweringAdapter } from './adapter';
import { Admission } from './admission';
import { answeredOf } from './answered-request';
import { authenticate, correlationOf } from './authenticate';
import { BAD_PATH, SEGMENT_MAX } from './bad-path';
import { checkMedia } from './body';
import type { CallCarrier } from './call';
import { compressForPages } from './compress';
import { type DirectOptions, DirectRequests } from './direct/direct-requests';
import { type Handler, handlersIn } from './direct/handlers';
import { ErrorFilter } from './error.filter';
import { type PipelineRequest, routeOf } from './exchange';
import { FairScheduler } from './fair-scheduler';
import { JSON_TYPE } from './json-headers';
import { takeInTurns } from './take-in-turns';
import { LargeAnswers } from './large-answers/large-answers';
import { enterLarge, lengthOf } from './large-answers/requests';
import { LargeBodies } from './large-bodies/large-bodies';
import { acceptOlderPrefix } from './older-prefix';
import type { PipelineOptions } from './pipeline-options';
import { beforeSend, prepareAnswer } from './prepared';
import { readCalls } from './read-call';
import { refusalAnswer } from './refusals';
import { boundRequests, PARSER_BYTES } from './request-bounds';
import { SEAL_BYTES } from './sealed-body';
import type { ServerTls } from './tls';
import { refuseAmbiguousRequests } from './ambiguity';
import { answerExpectations, answerUnparsed } from './unparsed';
import { Uploads } from './uploads';

/** The configuration that the route table adds to a route of Fastify. */
interface RouteConfig {
  readonly contract?: Route;
  /** Another process reads and checks the body and the query; this process only forwards them. */
  readonly forwarded?: true;
}

/** A property of Node's server that its types lack. */
interface HalfOpen {
  httpAllowHalfOpen: boolean;
}

/** Node's own answers to a missing Host and to long headers have no body: the pipeline sends answers with one. */
const PARSER = { requireHostHeader: false, maxHeaderSize: PARSER_BYTES } as const;

/**
 * The HTTP server that the pipeline expects. Create the application with `{ bodyParser: false }`: the pipeline parses bodies itself.
 *
 * @param trustedProxies networks of proxies, in CIDR notation; their `X-Forwarded-For` gives the caller's address
 * @param tls null: plain HTTP
 */
export function httpAdapter(
  { bodyBytes }: Limits,
  trustedProxies: readonly string[] = [],
  tls: ServerTls | null = null,
): FastifyAdapter {
  return new AnsweringAdapter({
    ...(tls === null ? { http: PARSER } : { https: { ...tls, ...PARSER } }),
    // Headers about the caller's address are ignored unless a trusted proxy sent them.
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    bodyLimit: bodyBytes,
    routerOptions: { maxParamLength: SEGMENT_MAX },
    // A request must arrive within five minutes. Without this Fastify would wait without a limit.
    requestTimeout: 300_000,
    // While the process stops, further requests on open connections are served, and then the connection is closed.
    return503OnClosing: false,
    clientErrorHandler: answerUnparsed,
    frameworkErrors: (_error: unknown, request: unknown, reply: unknown) => {
      const requestId = (request as FastifyRequest).headers['x-request-id'];
      const correlation = correlationOf(requestId, () => 'none');
      void (reply as FastifyReply)
        .code(400)
        .header('x-request-id', correlation)
        .header('content-type', JSON_TYPE)
        .header('x-content-type-options', 'nosniff')
        .send(JSON.stringify(refusalAnswer(BAD_PATH, null).body));
    },
  });
}

/**
 * Installs the steps of every request, in this order: correlation id, limits of concurrent requests (503), key (401),
 * rate (429), role and organization (403), reading the body (413, 400), checking query and body (400). Only then a
 * controller runs. A shortcut answers before the body is parsed. Call it after the application was created and before
 * it is initialised.
 */
export async function installPipeline(app: INestApplication, options: PipelineOptions): Promise<void> {
  const fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
  const { limits, vouched = false } = options;
  const sealBytes = vouched ? SEAL_BYTES : 0;
  // A client that has sent its request may close its side of the connection, and still gets the answer.
  (fastify.server as unknown as HalfOpen).httpAllowHalfOpen = true;
  fastify.decorateRequest('assurance', null);
  answerExpectations(fastify.server);
  const admission = new Admission(limits, vouched);
  const largeBodies = new LargeBodies();
  const largeAnswers = new LargeAnswers();
  fastify.addHook('onRequest', (request, reply) => authenticate(request, reply, options, admission));
  fastify.addHook('preParsing', (request, reply, body, done) => {
    const { forwarded } = request.routeOptions.config as RouteConfig;
    done(null, admission.countBody(request, reply, body as Readable, forwarded));
  });
  fastify.addHook('preValidation', (request, _reply, done) => {
    const { forwarded } = request.routeOptions.config as RouteConfig;
    // A body that is forwarded arrives later.
    if (forwarded !== true) (request as CallCarrier).assurance?.arrived?.();
    done();
  });
  fastify.addHook('onRoute', (definition) => {
    const { contract } = (definition.config ?? {}) as RouteConfig;
    if (contract !== undefined) definition.bodyLimit = bodyLimit(contract, limits) + sealBytes;
  });
  fastify.addHook('preHandler', (request, reply, done) => {
    const { contract, forwarded } = request.routeOptions.config as RouteConfig;
    const weight = contract === undefined || forwarded === true ? 0 : answerWeight(contract);
    if (weight === 0) done();
    else enterLarge(largeAnswers, weight, request as CallCarrier, reply).then(() => done(), done);
  });
  const uploads =
    options.blobs === undefined
      ? null
      : new Uploads(options.blobs, (err) =>
          options.logger.warn(
            { err },
            'attachments of a refused request could not be removed; the next sweep removes them',
          ),
        );
  fastify.addHook('onSend', (request, reply, payload, done) => {
    (request as CallCarrier).assurance?.large?.noteMade(lengthOf(payload));
    const end = () => {
      beforeSend(admission, request, reply, options.secure);
      done();
    };
    const ownUploads = (request as CallCarrier).assurance?.uploads?.splice(0) ?? [];
    if (uploads === null || ownUploads.length === 0) end();
    else void uploads.settle(ownUploads, isRefused(reply)).then(end, done);
  });
  fastify.addHook('onSend', compressForPages);
  fastify.addHook('onClose', async () => {
    admission.stop();
    largeAnswers.stop();
    await largeBodies.close();
  });
  const { answered } = options;
  if (answered !== undefined) {
    fastify.addHook('onResponse', (request, reply, done) => {
      answered(answeredOf(request, reply));
      done();
    });
  }
  fastify.removeAllContentTypeParsers();
  const read = { parseAs: 'buffer', bodyLimit: limits.bodyBytes + sealBytes } as const;
  // Fastify caches the parser of a media type that is named here. For other types it searches with each request.
  fastify.addContentTypeParser(['application/json', '*'], read, (request, bytes, done) => {
    try {
      checkMedia(routeOf(request), request.headers['content-type']);
      done(null, bytes);
    } catch (error) {
      done(error as Error);
    }
  });
  await fastify.register(multipart);
  const readCall = readCalls(options, { admission, largeBodies, uploads });
  const fairWork = new FairScheduler();
  fastify.addHook('preHandler', (request, reply, done) => {
    const { forwarded } = request.routeOptions.config as RouteConfig;
    const turn = fairWork.turn(request as PipelineRequest, reply, routeOf(request), forwarded);
    if (turn === undefined) fairWork.run(request as PipelineRequest, done);
    else turn.then(() => fairWork.run(request as PipelineRequest, done), done);
  });
  fastify.addHook('preHandler', async (request, reply) => {
    const route = routeOf(request);
    if (route === null || (request.routeOptions.config as RouteConfig).forwarded === true) return;
    const answer = await readCall(request, route, takeBody(request));
    return answer === null ? undefined : reply.send(prepareAnswer(route, answer, reply));
  });
  const filter = new ErrorFilter(options.logger, limits, options.onUnknownEvent);
  app.useGlobalFilters(filter);
  if (options.direct !== false) serveDirectly(app, { ...options, admission, fairWork, filter, readCall, sealBytes });
  // Each of these installs its listener before all earlier ones, so the last one runs first.
  acceptOlderPrefix(fastify.server);
  refuseAmbiguousRequests(fastify.server);
  boundRequests(fastify.server, vouched);
  takeInTurns(fastify.server);
}

function serveDirectly(app: INestApplication, options: DirectOptions): void {
  const fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
  const directRequests = new DirectRequests(options);
  handlersIn(app).forEach((handler) => directRequests.add(handler));
  fastify.addHook('onRoute', ({ config, handler }) => {
    const { contract: route, forwarded } = (config ?? {}) as RouteConfig;
    if (route?.direct !== true || forwarded !== true) return;
    directRequests.add({
      route,
      forward: handler.bind(fastify) as unknown as Extract<Handler, { forward: unknown }>['forward'],
    });
  });
  directRequests.attachTo(fastify.server);
  fastify.addHook('preClose', async () => directRequests.stop());
}

/** Whether the request certainly recorded nothing. After an error of the service (5xx) this is unknown. */
function isRefused({ statusCode }: FastifyReply): boolean {
  return statusCode >= 400 && statusCode < 500;
}

/** The bytes of a body; the caller of this function owns them from then on. Null if there is no body, or if it is a form. */
function takeBody(request: FastifyRequest): Buffer | null {
  const { body } = request;
  if (!Buffer.isBuffer(body)) return null;
  request.body = null;
  return body;
}
