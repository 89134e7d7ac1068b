import { finished, PassThrough, type Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type CallCarrier,
  type Clock,
  IDENTITY_HEADER,
  type Logger,
  RefusalError,
  SEAL_BYTES,
  sealOf,
  signIdentity,
} from '@assurance/http';
import { bodyOf, type Seal } from './body';
import { passedBack, passedOn } from './headers';
import { ask, type Ways } from './service';

/** Answers of so many bytes or fewer are read whole before the caller gets a byte: it gets all, or is told that there is nothing. */
const WHOLE_BYTES = 64 * 1024;

export interface Forwarder extends Ways {
  readonly key: Uint8Array;
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
  const headers = passedOn(request.headers);
  headers['x-request-id'] = correlation;
  let seal: Seal | null = null;
  if (identity !== undefined) {
    const body = bodyOf(request);
    const asked = { method: request.method, url: request.raw.url ?? '', correlation, hasBody: body !== null };
    const signed = signIdentity(forwarder.key, identity, asked, forwarder.clock.now());
    headers[IDENTITY_HEADER] = signed;
    seal = (digest) => sealOf(forwarder.key, signed, digest);
    const length = request.headers['content-length'];
    if (body !== null && length !== undefined) headers['content-length'] = String(Number(length) + SEAL_BYTES);
  }
  const gone = new AbortController();
  // Making the reason of an abort is dear, and most callers hear all of it.
  reply.raw.once('close', () => reply.raw.writableFinished || gone.abort());
  const answer = await ask(forwarder, request, headers, gone.signal, seal);
  if (answer.statusCode === 401) {
    await answer.body.dump();
    // The caller proved itself here: it is us whom the service does not believe.
    forwarder.logger.error(
      { correlation, route: request.routeOptions.url },
      'a service does not trust this gateway: compare ASSURANCE_SECRET and the clocks of both',
    );
    throw new RefusalError({ kind: 'service-away' });
  }
  const back = passedBack(answer.headers);
  const length = Number(back['content-length'] ?? Infinity);
  const body = request.method !== 'HEAD' && length <= WHOLE_BYTES ? await whole(answer.body) : streamed(answer.body);
  // A connection whose request was not read to its end cannot carry another one.
  if (!request.raw.complete) reply.header('connection', 'close');
  return reply.code(answer.statusCode).headers(back).send(body);
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
