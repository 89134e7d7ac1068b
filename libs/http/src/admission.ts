import { Readable } from 'node:stream';
import { BODY_BYTES, bodyLimit, requestLimit } from '@assurance/contracts/http/body-limits';
import type { Route } from '@assurance/contracts/http/route';
import type { Limits } from '@assurance/event-sourcing/tokens';
import { BodyReadLimiter } from './body-read-limiter';
import type { PipelineReply, PipelineRequest } from './exchange';
import type { Identity } from './identity';
import { networkOf } from './network-of';
import { refusalAnswer, RefusalError } from './refusals';
import { SEAL_BYTES } from './sealed-body';
import { type ShareOwner, type ShareRefusal, Shares } from './shares';
import { SlowBodies } from './slow-bodies';

/** The fraction of all places and of all bytes that one holder may have while nobody else has any. */
const ALONE = { requests: 3 / 4, bytes: 1 / 2 } as const;
/** A body up to this size (bytes) counts before it arrives, because it is a small part of any share. */
const SMALL_BYTES = 64 * 1024;

/** The share that a request occupies, until both its work and its connection have finished. */
interface AdmittedRequest {
  bytes: number;
  owner: ShareOwner;
  /** Whether the request has a place. A request with a small body gets it when the body has arrived. */
  placed: boolean;
  answered: boolean;
  closed: boolean;
  /** Lets the next large body of the organization be read. */
  next: () => void;
}

type IncomingRequest = Pick<PipelineRequest, 'raw' | 'headers' | 'ip' | 'assurance'>;
type OutgoingReply = Pick<PipelineReply, 'raw' | 'getHeader'>;

/**
 * Limits concurrent requests and the bytes of their bodies: of all callers, of the holder of an organization and of one
 * caller. A request above a limit is refused with a request to retry, so a caller who sends much delays only itself.
 * Only bytes that have arrived count: a small body takes a place when it is complete, a large one counts while it is
 * read. Before the key is checked, requests count for their address.
 */
export class Admission {
  private readonly places: Shares;
  private readonly bytes: Shares;
  private readonly admittedRequests = new WeakMap<IncomingRequest, AdmittedRequest>();
  private readonly arrivals = new BodyReadLimiter();
  private readonly slowBodies = new SlowBodies(refusalAnswer({ kind: 'body-too-slow' }, null));

  /** @param vouched whether all requests come from gateways, so that their addresses do not identify callers */
  constructor(
    private readonly limits: Limits,
    private readonly vouched = false,
  ) {
    this.places = new Shares(limits.requestsAtOnce, ALONE.requests);
    this.bytes = new Shares(limits.bodyBytesAtOnce, ALONE.bytes);
  }

  /** @throws RefusalError `too-busy` */
  enter(request: IncomingRequest, reply: OutgoingReply): void {
    const owner: ShareOwner = { holder: this.vouched ? '' : `address ${networkOf(request.ip)}`, caller: null };
    const refusal = this.places.reserve(owner, 1, this.vouched ? Infinity : 0);
    if (refusal !== null) throw new RefusalError({ kind: 'too-busy' });
    const admittedRequest: AdmittedRequest = {
      bytes: 0,
      owner,
      placed: true,
      answered: false,
      closed: false,
      next: () => undefined,
    };
    this.admittedRequests.set(request, admittedRequest);
    reply.raw.once('close', () => {
      admittedRequest.closed = true;
      this.releaseShare(admittedRequest);
    });
  }

  /**
   * Counts a request for its caller, and reserves the stated length of a small body or a form. Other bodies are counted
   * while they are read. If a small body has not arrived, the request has no place yet: `assurance.arrived` takes one.
   *
   * @throws RefusalError `body-too-large` if the stated length is too large, `share-taken`, `too-busy`
   */
  expect(request: IncomingRequest, route: Route, { holder, org, principal }: Identity): void {
    const admittedRequest = this.admittedRequests.get(request);
    if (admittedRequest === undefined) return;
    this.places.release(admittedRequest.owner, 1);
    admittedRequest.placed = false;
    admittedRequest.owner = { holder: holder ?? org.id, caller: principal.id };
    const limit = Math.min(bodyLimit(route, this.limits), BODY_BYTES.form);
    const length = statedLength(request);
    const largest = requestLimit(route, this.limits);
    // Checked before the client is told to go on, and before a gateway forwards a body that the service would refuse.
    if (length !== undefined && length !== null && length > largest + SEAL_BYTES)
      throw new RefusalError({ kind: 'body-too-large', limit: largest, bytes: length });
    if (isForm(request)) return this.reservePlace(admittedRequest, Math.min(length ?? limit, limit));
    const bytes = isSmall(request) ? (length ?? 0) : 0;
    const { assurance, raw } = request;
    if (bytes === 0 || raw.complete || assurance == null) return this.reservePlace(admittedRequest, bytes);
    assurance.arrived = () => {
      delete assurance.arrived;
      this.reservePlace(admittedRequest, bytes);
    };
  }

  /**
   * Reads the body and counts its bytes unless they are counted already. A client that sends too slowly gets an answer.
   *
   * @param streams whether the body is forwarded while it arrives: then it does not wait for other bodies
   */
  countBody(request: IncomingRequest, reply: OutgoingReply, body: Readable, streams = false): Readable {
    const admittedRequest = this.admittedRequests.get(request);
    if (admittedRequest === undefined || statedLength(request) === 0) return body;
    this.slowBodies.watch(request, reply, () => {
      admittedRequest.answered = true;
      this.releaseShare(admittedRequest);
    });
    return isForm(request) || isSmall(request)
      ? body
      : Readable.from(this.pieces(admittedRequest, body, streams), { objectMode: false });
  }

  /**
   * Counts bytes of a form beyond the bytes that `expect` reserved.
   *
   * @throws RefusalError `share-taken`, `too-busy`
   */
  addBytes(request: IncomingRequest, bytes: number): void {
    const admittedRequest = this.admittedRequests.get(request);
    if (admittedRequest !== undefined && bytes > 0) this.reserveBytes(admittedRequest, bytes);
  }

  /** Call it when the answer is made. */
  noteAnswer(request: IncomingRequest): void {
    const admittedRequest = this.admittedRequests.get(request);
    if (admittedRequest === undefined || admittedRequest.answered) return;
    admittedRequest.answered = true;
    this.releaseShare(admittedRequest);
  }

  /** Call it when no more requests come. */
  stop(): void {
    this.slowBodies.stop();
  }

  private async *pieces(admittedRequest: AdmittedRequest, body: Readable, streams: boolean): AsyncGenerator<Buffer> {
    if (admittedRequest.owner.caller !== null && !streams) {
      admittedRequest.next = await this.arrivals.acquire(admittedRequest.owner.holder);
      if (admittedRequest.answered && admittedRequest.closed) admittedRequest.next();
    }
    // Destroying the body would close the connection before the answer is sent.
    for await (const piece of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      try {
        this.reserveBytes(admittedRequest, piece.length);
      } catch (refusal) {
        // The rest of the body is discarded, so that the client reads the answer.
        body.resume();
        throw refusal;
      }
      yield piece;
    }
  }

  /** @throws RefusalError `share-taken`, `too-busy` */
  private reservePlace(admitted: AdmittedRequest, bytes: number): void {
    // The client disconnected or was too slow, and the share is released.
    if (admitted.answered && admitted.closed) return;
    refuse('requests', this.places.reserve(admitted.owner, 1));
    admitted.placed = true;
    this.reserveBytes(admitted, bytes);
  }

  private reserveBytes(admitted: AdmittedRequest, bytes: number): void {
    if (bytes === 0) return;
    refuse('bytes', this.bytes.reserve(admitted.owner, bytes, admitted.bytes));
    admitted.bytes += bytes;
  }

  private releaseShare({ answered, closed, bytes, owner, placed, next }: AdmittedRequest): void {
    if (!answered || !closed) return;
    next();
    if (placed) this.places.release(owner, 1);
    if (bytes > 0) this.bytes.release(owner, bytes);
  }
}

/** @throws RefusalError `share-taken`, `too-busy` */
function refuse(of: 'requests' | 'bytes', refusal: ShareRefusal | null): void {
  if (refusal === 'all') throw new RefusalError({ kind: 'too-busy' });
  if (refusal !== null) throw new RefusalError({ kind: 'share-taken', of, ...refusal });
}

/** The length of a body that the request states; null for a body without a stated length. */
function statedLength({ headers }: Pick<IncomingRequest, 'headers'>): number | null {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null;
}

/** Whether the body of a request counts before it arrives. */
export function isSmall(request: Pick<IncomingRequest, 'headers'>): boolean {
  return (statedLength(request) ?? Infinity) <= SMALL_BYTES;
}

export function isForm({ headers }: Pick<IncomingRequest, 'headers'>): boolean {
  return /^multipart\//i.test(headers['content-type'] ?? '');
}
