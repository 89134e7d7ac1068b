import type { KeyObject } from 'node:crypto';
import { finished, PassThrough, type Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock, Logger } from '@assurance/event-sourcing/tokens';
import type { CallCarrier } from '../../call';
import { RefusalError } from '../../refusals';
import { SEAL_BYTES } from '../../sealed-body';
import { IDENTITY_HEADER, sealOf, signIdentity } from '../../signed-identity';
import { bodyOf } from './body';
import { returnedHeaders, forwardedHeaders } from './headers';
import type { Instance } from './instances';
import { sendRequest, type Signed, type ServiceConnections } from './service';

/** Answers up to this size (bytes) are read completely before the caller gets a byte, so that the caller gets all of it or an error. */
const WHOLE_BYTES = 64 * 1024;

/** Why requests are given up, as the pipeline knows clients that went. One for all: hundreds may go in a moment, and a stack of each is dear. */
const GONE = Object.assign(new Error('the client went'), { code: 'ECONNRESET', statusCode: 400 });

export interface Forwarder extends ServiceConnections {
  readonly key: KeyObject;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}

/**
 * Has another process answer a request that this one let in: the body untouched, with the caller's identity signed for this request.
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
  const signedFor = ({ reachedAt }: Instance): Signed => {
    if (identity === undefined) return { headers, seal: null };
    const signed = signIdentity(forwarder.key, identity, toSign, reachedAt, forwarder.clock.now());
    const seal = (digest: string) => sealOf(forwarder.key, signed, digest);
    return { headers: { ...headers, [IDENTITY_HEADER]: signed }, seal };
  };
  const gone = new AbortController();
  reply.raw.once('close', () => reply.raw.writableFinished || gone.abort(GONE));
  // Its end was told while it waited for its turn.
  if (reply.raw.destroyed) throw GONE;
  const answer = await sendRequest(forwarder, request, signedFor, gone.signal);
  if (answer.statusCode === 401) {
    await answer.body.dump();
    // The caller proved itself here: it is us whom the service does not believe.
    forwarder.logger.error(
      { correlation, route: request.routeOptions.url },
      'a service does not trust this gateway: compare ASSURANCE_SECRET and the clocks of both, and see the log of the service',
    );
    throw new RefusalError({ kind: 'service-away' });
  }
  const back = returnedHeaders(answer.headers);
  const size = Number(back['content-length'] ?? Infinity);
  const content = request.method !== 'HEAD' && size <= WHOLE_BYTES ? await whole(answer.body) : streamed(answer.body);
  // A connection whose request was not read to its end cannot carry another one.
  if (!request.raw.complete) reply.header('connection', 'close');
  return reply.code(answer.statusCode).headers(back).send(content);
}

async function whole(body: { arrayBuffer(): Promise<ArrayBuffer> }): Promise<Buffer> {
  try {
    return Buffer.from(await body.arrayBuffer());
  } catch {
    throw new RefusalError({ kind: 'service-silent' });
  }
}

/** Breaks off where the service does; told as a refusal as long as nothing was sent. */
function streamed(body: Readable): Readable {
  const out = new PassThrough();
  finished(body, (fault) => fault && out.destroy(new RefusalError({ kind: 'service-silent' })));
  finished(out, () => body.destroy());
  return body.pipe(out);
}
