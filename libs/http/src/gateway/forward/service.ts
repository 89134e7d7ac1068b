import type { Dispatcher } from 'undici';
import type { FastifyRequest } from 'fastify';
import type { Logger } from '@assurance/event-sourcing/tokens';
import { RefusalError } from '../../refusals';
import { passedBody, type Seal, smallBody } from './body';
import type { Instance, Instances } from './instances';

/** Codes of faults while connecting: no part of a request was sent. */
const NOT_REACHED = [
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
];

/** The peer shows a certificate that is not trusted, so nothing was sent to it. */
const DISTRUSTED = /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_)/;

/** Headers and seal of a request to one instance. */
export interface SignedRequest {
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Ends the body. */
  readonly seal: Seal | null;
}

/** The connections to a service. */
export interface ServiceConnections {
  readonly agent: Dispatcher;
  readonly instances: Instances;
  /** Requests with the same key go to the same instance while it lives; null: instances take turns. */
  readonly keyOf: (request: FastifyRequest) => string | null;
  readonly logger: Logger;
  /** The most bytes of a body. */
  readonly bodyBytes: number;
  /** How long a service may keep silent, in milliseconds. */
  readonly silenceMs: number;
}

/**
 * Sends a request to one reachable instance. A request that was sent once is never sent again, because the instance may have carried it
 * out.
 *
 * @param signedFor signs it for an instance
 * @param signal ends the request
 * @returns the answer, as soon as its headers have arrived
 * @throws RefusalError `service-away`, `service-silent`, `body-too-large`, `too-busy`
 */
export async function sendRequest(
  { agent, instances, keyOf, logger, bodyBytes, silenceMs }: ServiceConnections,
  request: FastifyRequest,
  signedFor: (instance: Instance) => SignedRequest,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const bodyFor = passedBody(request, bodyBytes, await smallBody(request));
  for (const instance of instances.order(keyOf(request))) {
    const { origin, host } = instance;
    const { headers: signed, seal } = signedFor(instance);
    const body = bodyFor(seal);
    const headers = { ...signed };
    if (body === null) delete headers['content-length'];
    if (host !== undefined) headers['host'] = host;
    try {
      const answer = await agent.request({
        origin,
        path: request.raw.url ?? '/',
        method: request.method as Dispatcher.HttpMethod,
        headers,
        body: body?.content ?? null,
        signal,
        headersTimeout: silenceMs,
        bodyTimeout: silenceMs,
      });
      // A service that is about to stop sends this header. The gateway sends the next requests to other instances while this one still
      // listens.
      if (answer.headers.connection === 'close') instances.skip(instance);
      return answer;
    } catch (fault) {
      if (fault instanceof RefusalError || signal.aborted) throw fault;
      const { code = 'unknown' } = fault as { code?: string };
      const reached = !(NOT_REACHED.includes(code) || DISTRUSTED.test(code)) || body?.begun() === true;
      logger.warn({ origin, code, reached }, 'a service did not answer');
      if (reached) throw new RefusalError({ kind: 'service-silent' });
      instances.skip(instance);
    }
  }
  throw new RefusalError({ kind: 'service-away' });
}
