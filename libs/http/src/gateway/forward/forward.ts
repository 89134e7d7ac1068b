import type { KeyObject } from 'node:crypto';
import { finished, Transform, type Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock, Logger } from '@assurance/event-sourcing/tokens';
import type { CallCarrier } from '../../call';
import { waitToSend } from '../../large-answers/long-body';
import { RefusalError } from '../../refusals';
import { SEAL_BYTES } from '../../sealed-body';
import { IDENTITY_HEADER, sealOf, signIdentity } from '../../signed-identity';
import { bodyOf } from './body';
import { returnedHeaders, forwardedHeaders } from './headers';
import type { Instance } from './instances';
import { sendRequest, type SignedRequest, type ServiceConnections } from './service';

/** Answers up to this size (bytes) are read completely before the caller gets a byte, so that the caller gets all of it or an error. */
const WHOLE_BYTES = 64 * 1024;

/**
 * The error for a forwarded request after its client has disconnected. All requests share one: hundreds may end at once,
 * and each new error would cost a stack trace.
 */
const GONE = Object.assign(new Error('the client went'), { code: 'ECONNRESET', statusCode: 400 });

export interface Forwarder extends ServiceConnections {
  readonly key: KeyObject;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}

/**
 * Lets another process answer an accepted request. The body is forwarded unchanged, with the caller's identity signed
 * for this request.
 *
 * @throws RefusalError
 */
export async function forward(forwarder: Forwarder, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { identity, correlation = '' } = (request as CallCarrier).assurance ?? {};
  const headers = forwardedHeaders(request.headers);
  headers['x-request-id'] = correlation;
  const body = bodyOf(request);
  const length = request.headers['content-length'];
  if (identity !== undefined && body !== null && length !== undefined) {
    headers['content-length'] = String(Number(length) + SEAL_BYTES);
  }
  const toSign = { method: request.method, url: request.raw.url ?? '', correlation, hasBody: body !== null };
  const signedFor = ({ reachedAt }: Instance): SignedRequest => {
    if (identity === undefined) return { headers, seal: null };
    const signature = signIdentity(forwarder.key, identity, toSign, reachedAt, forwarder.clock.now());
    const seal = (digest: string) => sealOf(forwarder.key, signature, digest);
    return { headers: { ...headers, [IDENTITY_HEADER]: signature }, seal };
  };
  const disconnect = new AbortController();
  reply.raw.once('close', () => reply.raw.writableFinished || disconnect.abort(GONE));
  // The client disconnected while the request waited for its turn.
  if (reply.raw.destroyed) throw GONE;
  const answer = await sendRequest(forwarder, request, signedFor, disconnect.signal);
  if (answer.statusCode === 401) {
    await answer.body.dump();
    // This gateway has identified the caller, so a 401 of the service means that it does not trust the gateway.
    forwarder.logger.error(
      { correlation, route: request.routeOptions.url },
      'a service does not trust this gateway: compare ASSURANCE_SECRET and the clocks of both, and see the log of the service',
    );
    throw new RefusalError({ kind: 'service-away' });
  }
  const headersBack = returnedHeaders(answer.headers);
  const size = Number(headersBack['content-length'] ?? Infinity);
  const content =
    request.method !== 'HEAD' && size <= WHOLE_BYTES ? await readWhole(answer.body) : passInTurns(answer.body);
  // If a request was not read completely, its connection cannot be used for another one.
  if (!request.raw.complete) reply.header('connection', 'close');
  return reply.code(answer.statusCode).headers(headersBack).send(content);
}

async function readWhole(body: { arrayBuffer(): Promise<ArrayBuffer> }): Promise<Buffer> {
  try {
    return Buffer.from(await body.arrayBuffer());
  } catch {
    throw new RefusalError({ kind: 'service-silent' });
  }
}

/**
 * Breaks off the answer if the service does. If nothing was sent yet, the caller gets a refusal instead. Pieces are passed
 * on in turns: pieces of hundreds of answers may arrive at one moment, and each write takes up to a millisecond.
 */
function passInTurns(body: Readable): Readable {
  const out = new Transform({
    transform: (piece: Buffer, _encoding, done) => void waitToSend().then(() => done(null, piece)),
  });
  finished(body, (fault) => fault && out.destroy(new RefusalError({ kind: 'service-silent' })));
  finished(out, () => body.destroy());
  return body.pipe(out);
}
