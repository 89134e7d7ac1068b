import { may } from '@assurance/contracts/http/roles';
import type { Ids } from '@assurance/event-sourcing/tokens';
import type { Admission } from './admission';
import { authorizationHint } from './authorization-hint';
import type { CallCarrier } from './call';
import { type PipelineReply, type PipelineRequest, routeOf } from './exchange';
import type { AuthenticationFailure, Identify } from './identify';
import type { Identity } from './identity';
import { expectsContinue } from './prepared';
import { rateHeaders, type RateLimiter } from './rate';
import { RefusalError } from './refusals';
import type { RevocationWatch } from './revocation';
import { hasBody } from './sealed-body';
import { IDENTITY_HEADER } from './signed-identity';

/** The dependencies of `authenticate`. */
export interface AuthenticationDependencies {
  readonly identify: Identify;
  readonly ids: Ids;
  /** Counts the requests of identified callers. */
  readonly limiter?: RateLimiter | null;
  /** Ends running requests of callers that lose their right. */
  readonly revocations?: RevocationWatch | null;
}

/**
 * Authenticates and authorizes the caller before the body is read.
 *
 * @throws RefusalError
 */
export async function authenticate(
  request: PipelineRequest,
  reply: PipelineReply,
  { identify, ids, limiter = null, revocations = null }: AuthenticationDependencies,
  admission: Admission,
): Promise<void> {
  const correlation = correlationOf(request.headers['x-request-id'], () => ids.next());
  reply.header('x-request-id', correlation);
  const assurance: NonNullable<CallCarrier['assurance']> = { correlation };
  request.assurance = assurance;
  const route = routeOf(request);
  if (route === null || route.permission === 'public') return sendContinue(request, reply, assurance);
  if (route.lasting !== true) admission.enter(request, reply);
  const signedHeader = request.headers[IDENTITY_HEADER];
  const attempt = {
    authorization: authorizationOf(request),
    route,
    address: request.ip,
    signed: typeof signedHeader === 'string' ? signedHeader : null,
    headers: request.headers,
    request: { method: request.method, url: request.raw.url ?? '', correlation, hasBody: hasBody(request.headers) },
    reachedAt: { address: request.socket.localAddress ?? '', port: request.socket.localPort ?? 0 },
  };
  const { org } = request.params as { org?: string };
  const { permission } = route;
  const own = permission === 'self' || permission === 'invitation' || permission === 'gateway';
  if (!own && org === undefined) throw new Error(`route ${route.id} needs a permission and names no organization`);
  const result = await identify({ ...attempt, org: own ? null : (org ?? null) });
  if (!result.ok) throw identityRefusal(assurance, result.refusal, attempt.authorization);
  const { value: identity } = result;
  if (identity.renewed !== undefined) reply.header('set-cookie', identity.renewed);
  if (limiter !== null) await countRequest(limiter, identity, reply);
  if (!own && !may(identity.principal.role, permission)) throw new RefusalError({ kind: 'forbidden' });
  assurance.identity = identity;
  // Lasting answers, such as streams of changes, end themselves when the caller loses the right.
  if (revocations !== null && route.lasting !== true) {
    reply.raw.once(
      'close',
      revocations.watch(identity, route, () => {
        // A write is not aborted after its body has arrived. It began while the caller had the right, and it may be the
        // write that takes the right away: the caller gets its answer.
        if (route.method === 'GET' || !request.raw.complete) reply.raw.destroy();
      }),
    );
  }
  checkEncoding(request);
  admission.expect(request, route, identity);
  sendContinue(request, reply, assurance);
}

/** Sends `100 Continue` to a client that waits for it with its body. Call it after the key and the right were checked. */
function sendContinue(
  request: PipelineRequest,
  { raw }: PipelineReply,
  assurance: NonNullable<CallCarrier['assurance']>,
): void {
  if (!expectsContinue(request)) return;
  assurance.goesOn = true;
  raw.writeContinue();
}

/** @throws RefusalError for an encoded body, because its decoded size is unknown */
function checkEncoding({ headers }: PipelineRequest): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity') throw new RefusalError({ kind: 'body-encoded', encoding });
}

/** The guard logs unknown callers in a bounded number of lines, so their requests get no line each. */
function identityRefusal(
  assurance: NonNullable<CallCarrier['assurance']>,
  refusal: AuthenticationFailure,
  authorization: readonly string[],
): RefusalError {
  assurance.unknownCaller = refusal !== 'forbidden' && refusal !== 'not-from-page';
  if (refusal === 'unauthenticated') {
    return new RefusalError({ kind: refusal, hint: authorizationHint(authorization) });
  }
  return new RefusalError(typeof refusal === 'string' ? { kind: refusal } : refusal);
}

/** Counts a request of the caller. Every answer tells the caller the remaining number. */
async function countRequest(limiter: RateLimiter, identity: Identity, reply: PipelineReply): Promise<void> {
  const result = limiter.take(identity);
  const rate = result instanceof Promise ? await result : result;
  if (rate === null) return;
  reply.headers(rateHeaders(rate));
  if (!rate.allowed) throw new RefusalError({ kind: 'too-many-requests', limit: rate.limit, seconds: rate.retryAfter });
}

/** All Authorization headers: Node's `headers` would show the first of several. */
function authorizationOf({ raw: { rawHeaders } }: PipelineRequest): string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === 'authorization') values.push(rawHeaders[i + 1] ?? '');
  }
  return values;
}

const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/** The id that the request brings, if it is safe in headers, logs and events; else a new one. */
export function correlationOf(input: string | readonly string[] | undefined, next: () => string): string {
  return typeof input === 'string' && SAFE_ID.test(input) ? input : next();
}
