import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { AdmissionSettings } from '../config';
import type { Log } from '../reporter';
import { sentenceOf } from '../service';
import type { AdmissionMetrics } from './admission-metrics';
import { readCertificates } from './certificates';
import type { Gate } from './gate';
import type { AdmissionRequest } from './images';

/**
 * Bytes of a review. An API server takes 3 MiB of a pod, keeps 1.5 MiB of the former one, and may escape each character in six. If this were less than
 * that, a pod with a long text would get no decision, and start where the webhook is not required.
 */
const LONGEST_REVIEW = 32 * 2 ** 20;
/** Bytes of all reviews that are under way. */
const MOST_BYTES = 4 * LONGEST_REVIEW;
/** How long a review may take to come (milliseconds): the API server does not wait longer for its answer. Slow bodies must not use up the bytes. */
const TIMES = { requestTimeout: 10_000, connectionsCheckingInterval: 1_000 };

/** Whether this process should get reviews. */
export interface Readiness {
  isReady: boolean;
  isStopping: boolean;
}

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: AdmissionRequest;
}

/** A request that is no review. */
class RequestRefusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The server of the webhook: `/live` and `/ready` for probes, and reviews. @throws for certificates that cannot be used */
export function createReviewServer(
  gate: Gate,
  settings: AdmissionSettings,
  readiness: Readonly<Readiness>,
  metrics: AdmissionMetrics,
  log: Log,
): Server {
  const bodies = { bytes: 0 };
  const hasAuthority = settings.clientCaFile !== null;
  // Probes have no certificate, so that a missing one is refused per request.
  const clients = { requestCert: hasAuthority, rejectUnauthorized: false };

  async function answerReview(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (hasAuthority && !isApiServer(request.socket as TLSSocket, settings.clientNames))
      throw new RequestRefusal(403, 'The certificate is not that of an API server that may ask.');
    const { apiVersion, kind, request: review } = JSON.parse(await bodyOf(request, bodies)) as Review;
    const decision = await gate.review(review);
    metrics.countReview(decision);
    const { allowed, message, warnings } = decision;
    if (!allowed) log({ level: 'info', environment: settings.environment, message: `${review.namespace}: ${message}` });
    const status = allowed ? {} : { status: { code: 403, message } };
    const reviewed = { uid: review.uid, allowed, ...status, ...(warnings.length === 0 ? {} : { warnings }) };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ apiVersion, kind, response: reviewed }));
  }

  return createServer({ ...TIMES, ...readCertificates(settings), ...clients }, (request, response) => {
    if (readiness.isStopping) response.setHeader('connection', 'close');
    if (request.method === 'GET' && request.url === '/live') return void response.writeHead(200).end();
    if (request.method === 'GET' && request.url === '/ready')
      return void response.writeHead(readiness.isReady && !readiness.isStopping ? 200 : 503).end();
    if (request.method !== 'POST') return void response.writeHead(405).end();
    answerReview(request, response).catch((fault: unknown) => {
      const { status, message } =
        fault instanceof RequestRefusal
          ? fault
          : { status: 400, message: `The body is no AdmissionReview: ${sentenceOf(fault)}` };
      metrics.countRefusedRequest(status);
      response.writeHead(status, { connection: 'close' }).end(message);
    });
  });
}

function isApiServer(socket: TLSSocket, names: readonly string[]): boolean {
  if (!socket.authorized) return false;
  const commonNames = [socket.getPeerCertificate().subject.CN].flat();
  return names.length === 0 || commonNames.some((name) => name !== undefined && names.includes(name));
}

/** The text of a body, whose bytes count as they come. @throws RequestRefusal for too many, of this body or of all at once */
async function bodyOf(request: IncomingMessage, bodies: { bytes: number }): Promise<string> {
  const tooLarge = new RequestRefusal(413, `The body is larger than ${LONGEST_REVIEW} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > LONGEST_REVIEW) throw tooLarge;
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    // The connection has to outlive a refused body, for the answer.
    for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += piece.length;
      bodies.bytes += piece.length;
      if (size > LONGEST_REVIEW) throw tooLarge;
      if (bodies.bytes > MOST_BYTES) throw new RequestRefusal(503, 'Too many large reviews are under way.');
      pieces.push(piece);
    }
    return Buffer.concat(pieces).toString();
  } finally {
    bodies.bytes -= size;
  }
}
