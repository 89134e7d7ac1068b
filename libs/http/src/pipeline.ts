import type { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { INestApplication } from '@nestjs/common';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bodyLimit, may, pathErrors, readQuery, type Route, takesContent } from '@assurance/contracts-http';
import { inSlices, parseJsonSteps, sha256Steps } from '@assurance/kernel';
import { type Blobs, BlobTooLarge } from '@assurance/storage-ports';
import { AnsweringAdapter } from './adapter';
import { Admission } from './admission';
import { type Answered, answeredOf } from './answered';
import { BAD_PATH, SEGMENT_MAX } from './bad-path';
import { checkMedia, parseBody, type ReadBody, readBody } from './body';
import type { CallCarrier } from './call';
import { compressForPages } from './compress';
import { ErrorFilter } from './error.filter';
import type { Identify, Identity, Unidentified } from './identity';
import { LargeBodies } from './large-bodies/large-bodies';
import type { LargeRead } from './large-bodies/read-large';
import { prepared } from './prepared';
import { rateHeaders, type RateLimiter } from './rate';
import type { Store } from './form';
import { refusalAnswer, RefusalError } from './refusals';
import { restOf } from './route.decorator';
import { hasBody, openBody, SEAL_BYTES } from './sealed-body';
import type { Shortcut } from './shortcut';
import { IDENTITY_HEADER } from './signed-identity';
import type { StorageUsage } from './storage-usage';
import type { ServerTls } from './tls';
import type { Ids, Limits, Logger } from './tokens';
import { answerExpectations, answerUnparsed } from './unparsed';
import { type Upload, Uploads } from './uploads';

/** The dependencies of the pipeline. `identify` is the only guard of the process. */
export interface PipelineOptions {
  readonly identify: Identify;
  /** Whether it believes gateways, which seal bodies. */
  readonly vouched?: boolean;
  readonly ids: Ids;
  readonly limits: Limits;
  readonly logger: Logger;
  /** Counts the requests of those who were identified. */
  readonly limiter?: RateLimiter | null;
  readonly shortcuts?: readonly Shortcut[];
  /** Where attachments go; a process without a route that takes them needs none. */
  readonly blobs?: Pick<Blobs, 'put' | 'withdraw'>;
  /** How much each organization may still store; null: as much as comes. */
  readonly usage?: Pick<StorageUsage, 'left' | 'full'> | null;
  /** Told of each request that got its answer. */
  readonly answered?: (answered: Answered) => void;
}

/** A property of Node's server that its types lack. */
interface HalfOpen {
  httpAllowHalfOpen: boolean;
}

/**
 * The HTTP server that the pipeline expects. Create the application with `{ bodyParser: false }`: the pipeline parses bodies itself.
 *
 * @param trustedProxies networks of proxies, in CIDR notation, whose `X-Forwarded-For` tells the caller's address
 * @param tls null: plain HTTP
 */
export function httpAdapter(
  { bodyBytes }: Limits,
  trustedProxies: readonly string[] = [],
  tls: ServerTls | null = null,
): FastifyAdapter {
  return new AnsweringAdapter({
    ...(tls === null ? {} : { https: { ...tls } }),
    // Headers about the caller's address are ignored unless a trusted proxy sent them.
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    bodyLimit: bodyBytes,
    routerOptions: { maxParamLength: SEGMENT_MAX },
    // A request must arrive within five minutes. Without this Fastify would wait without a limit.
    requestTimeout: 300_000,
    // While the process stops, what still comes on open connections is served, and the connection closed.
    return503OnClosing: false,
    clientErrorHandler: answerUnparsed,
    frameworkErrors: (_error: unknown, request: unknown, reply: unknown) => {
      const given = (request as FastifyRequest).headers['x-request-id'];
      void (reply as FastifyReply)
        .code(400)
        .header(
          'x-request-id',
          correlationOf(given, () => 'none'),
        )
        .header('content-type', 'application/json; charset=utf-8')
        .header('x-content-type-options', 'nosniff')
        .send(JSON.stringify(refusalAnswer(BAD_PATH, null).body));
    },
  });
}

/**
 * Installs what happens to every request, in this order: correlation id, room (503), key (401), rate (429), role and
 * organization (403), then the body is read (413, 400), query and body are checked (400); only then a controller runs. A shortcut answers before the body is parsed.
 * Call it after the application was created and before it is initialised.
 */
export async function installPipeline(app: INestApplication, options: PipelineOptions): Promise<void> {
  const fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
  const { limits, usage = null, vouched = false } = options;
  const sealBytes = vouched ? SEAL_BYTES : 0;
  // A client that has sent its request may close its side of the connection, and still gets the answer.
  (fastify.server as unknown as HalfOpen).httpAllowHalfOpen = true;
  fastify.decorateRequest('assurance', null);
  answerExpectations(fastify.server);
  const admission = new Admission(limits);
  const largeBodies = new LargeBodies();
  fastify.addHook('onRequest', (request, reply) => authenticate(request, reply, options, admission));
  fastify.addHook('preParsing', (request, reply, body, done) => {
    done(null, admission.counted(request, reply, body as Readable));
  });
  fastify.addHook('onRoute', (definition) => {
    const { contract } = (definition.config ?? {}) as { contract?: Route };
    if (contract !== undefined) definition.bodyLimit = bodyLimit(contract, limits.bodyBytes) + sealBytes;
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
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    const end = () => {
      admission.answered(request);
      (request as CallCarrier).assurance?.leave?.();
      protect(routeOf(request), reply);
      done();
    };
    const mine = (request as CallCarrier).assurance?.uploads?.splice(0) ?? [];
    if (uploads === null || mine.length === 0) end();
    else void uploads.settle(mine, isRefused(reply)).then(end, done);
  });
  fastify.addHook('onSend', compressForPages);
  fastify.addHook('onClose', async () => {
    admission.stop();
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
  // Fastify remembers which parser takes a type that is named, and looks for that of all others with each request.
  fastify.addContentTypeParser(['application/json', '*'], read, (request, bytes, done) => {
    try {
      checkMedia(routeOf(request), request.headers['content-type']);
      done(null, bytes);
    } catch (error) {
      done(error as Error);
    }
  });
  await fastify.register(multipart);
  const shortcuts = new Map(options.shortcuts?.flatMap((shortcut) => shortcut.routes.map(({ id }) => [id, shortcut])));
  fastify.addHook('preHandler', async (request, reply) => {
    const { assurance } = request as CallCarrier;
    const route = routeOf(request);
    if (assurance === undefined || assurance === null || route === null || isForwarded(request)) return;
    const { identity, correlation } = assurance;
    const query = readQuery(route.query, request.query as Record<string, unknown>);
    const params = paramsOf(route, request);
    const sent = takeBody(request);
    const opened = identity?.seal === undefined || sent === null ? null : await openBody(identity.seal, sent);
    const bytes = opened?.bytes ?? sent;
    const shortcut = shortcuts.get(route.id);
    const bodyDigest =
      shortcut === undefined || bytes === null ? undefined : (opened?.digest ?? (await inSlices(sha256Steps(bytes))));
    if (identity !== undefined && bodyDigest !== undefined && 'value' in query) {
      const known = await shortcut?.answer({ route, org: identity.org, params, bodyDigest });
      if (known != null) return reply.send(prepared(route, known, reply));
    }
    const isLarge = identity !== undefined && bytes !== null && LargeBodies.takes(route, bytes);
    const held = isLarge ? await largeBodies.hold(identity.org.id, route, bytes, limits.artifactsPerReport) : null;
    if (held !== null) assurance.leave = held.leave;
    const large = held?.read ?? null;
    if (large?.kind === 'malformed') throw new RefusalError(large.refusal);
    const json = large === null && route.body?.kind === 'json' ? parseBody(bytes) : null;
    if ('errors' in query) throw new RefusalError({ kind: 'invalid', errors: query.errors });
    const errors = pathErrors(route.patterns ?? {}, params);
    if (Object.keys(errors).length > 0) throw new RefusalError({ kind: 'invalid', errors });
    if (identity === undefined) return;
    if (takesContent(route)) await usage?.left(identity.org.id, 'events');
    const mine: Upload[] = [];
    assurance.uploads = mine;
    const store: Store = async (content, limit) => {
      if (uploads === null) throw new Error(`route ${route.id} takes attachments, and there is no place for them`);
      const { id } = identity.org;
      const left = (await usage?.left(id, 'attachments')) ?? Infinity;
      return uploads.put(mine, id, content, Math.min(limit, left)).catch((error: unknown) => {
        throw error instanceof BlobTooLarge && left < limit ? usage?.full(id, 'attachments') : error;
      });
    };
    const read =
      large === null ? await readBody(route, request, json, limits, store, identity.seal) : await takeLarge(large);
    assurance.call = { ...identity, correlation, params, query: query.value, ...read, bodyDigest };
  });
  app.useGlobalFilters(new ErrorFilter(options.logger, limits));
}

/** Whether the request certainly recorded nothing. After an error of the service (5xx) this is unknown. */
function isRefused({ statusCode }: FastifyReply): boolean {
  return statusCode >= 400 && statusCode < 500;
}

/** The headers of every answer: browsers do not guess its type, and caches do not store private answers. */
function protect(route: Route | null, reply: FastifyReply): void {
  void reply.header('x-content-type-options', 'nosniff');
  if (route?.permission !== 'public') void reply.header('cache-control', 'no-store');
}

/** @throws RefusalError for an encoded body, because its decoded size is unknown */
function checkEncoding({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity') throw new RefusalError({ kind: 'body-encoded', encoding });
}

/** Authenticates and authorizes the caller before the body is read. */
async function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  { identify, ids, limiter = null }: PipelineOptions,
  admission: Admission,
): Promise<void> {
  const correlation = correlationOf(request.headers['x-request-id'], () => ids.next());
  void reply.header('x-request-id', correlation);
  const assurance: NonNullable<CallCarrier['assurance']> = { correlation };
  (request as CallCarrier).assurance = assurance;
  const route = routeOf(request);
  if (route === null || route.permission === 'public') return;
  if (route.lasting !== true) admission.enter(request, reply);
  const signed = request.headers[IDENTITY_HEADER];
  const asked = {
    authorization: authorizationOf(request),
    route,
    address: request.ip,
    signed: typeof signed === 'string' ? signed : null,
    headers: request.headers,
    request: { method: request.method, url: request.raw.url ?? '', correlation, hasBody: hasBody(request.headers) },
    reachedAt: { address: request.socket.localAddress ?? '', port: request.socket.localPort ?? 0 },
  };
  const { org } = request.params as { org?: string };
  const { permission } = route;
  const own = permission === 'self' || permission === 'invitation' || permission === 'gateway';
  if (!own && org === undefined) throw new Error(`route ${route.id} needs a permission and names no organization`);
  const known = await identify({ ...asked, org: own ? null : (org ?? null) });
  if (!known.ok) throw unidentified(assurance, known.refusal);
  const { value: identity } = known;
  if (identity.renewed !== undefined) void reply.header('set-cookie', identity.renewed);
  if (limiter !== null) await counted(limiter, identity, reply);
  if (!own && !may(identity.principal.role, permission)) throw new RefusalError({ kind: 'forbidden' });
  assurance.identity = identity;
  checkEncoding(request);
  admission.expect(request, route, identity);
}

/** The guard tells the log of unknown callers, in bounded lines: their requests get no line each. */
function unidentified(assurance: NonNullable<CallCarrier['assurance']>, refusal: Unidentified): RefusalError {
  assurance.unknownCaller = refusal !== 'forbidden' && refusal !== 'not-from-page';
  return new RefusalError(typeof refusal === 'string' ? { kind: refusal } : refusal);
}

/** Counts a request of the caller. Every answer tells the caller the remaining number. */
async function counted(limiter: RateLimiter, identity: Identity, reply: FastifyReply): Promise<void> {
  const rate = await limiter.take(identity);
  if (rate === null) return;
  void reply.headers(rateHeaders(rate));
  if (!rate.allowed) throw new RefusalError({ kind: 'too-many-requests', limit: rate.limit, seconds: rate.retryAfter });
}

/** The bytes of a body, whose ownership passes to the caller of this function; null if there is no body, or if it is a form. */
function takeBody(request: FastifyRequest): Buffer | null {
  const { body } = request;
  if (!Buffer.isBuffer(body)) return null;
  request.body = null;
  return body;
}

/** @throws RefusalError */
async function takeLarge(read: LargeRead): Promise<ReadBody> {
  if (read.kind !== 'read') throw new RefusalError(read.refusal);
  return { body: await inSlices(parseJsonSteps(read.text)), files: {}, attachments: [] };
}

/** Whether another process reads and checks the body and the query: this one only passes them on. */
function isForwarded(request: FastifyRequest): boolean {
  return (request.routeOptions.config as { forwarded?: true }).forwarded ?? false;
}

/** The route of the table that a request hit; null for unknown paths. */
function routeOf(request: FastifyRequest): Route | null {
  return (request.routeOptions.config as { contract?: Route }).contract ?? null;
}

/** All Authorization headers: Node's `headers` would show the first of several. */
function authorizationOf(request: FastifyRequest): string[] {
  const { rawHeaders } = request.raw;
  const found: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === 'authorization') found.push(rawHeaders[i + 1] ?? '');
  }
  return found;
}

/** Fastify decoded each once; it calls the rest of a path `*`. */
function paramsOf(route: Route, request: FastifyRequest): Readonly<Record<string, string>> {
  const given = request.params as Record<string, string>;
  if (given['*'] === undefined) return given;
  const { '*': rest, ...params } = given;
  const name = restOf(route.path);
  return name === null ? params : { ...params, [name]: rest };
}

const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/** The id that the request brings, if it is safe in headers, logs and events; else a new one. */
function correlationOf(given: string | readonly string[] | undefined, next: () => string): string {
  return typeof given === 'string' && SAFE_ID.test(given) ? given : next();
}
