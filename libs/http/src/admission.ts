import { Readable } from 'node:stream';
import { BODY_BYTES, bodyLimit, type Route } from '@assurance/contracts-http';
import { Semaphore } from '@assurance/kernel';
import { Arrivals } from './arrivals';
import type { PipelineReply, PipelineRequest } from './exchange';
import type { Identity } from './identity';
import { refusalAnswer, RefusalError } from './refusals';
import { Shares } from './shares';
import { SlowBodies } from './slow-bodies';
import type { Limits } from './tokens';

/** The shares of one organization and of one caller in the limit of concurrent requests and bytes. */
const SHARES = { organization: 1 / 2, caller: 1 / 4 } as const;
/** A body up to this size (bytes) counts before it arrives, because it is a small part of any share. */
const SMALL_BYTES = 64 * 1024;

/** The share that a request occupies, until both its work and its connection have finished. */
interface Admitted {
  bytes: number;
  owner: Identity | null;
  answered: boolean;
  closed: boolean;
  /** Lets the next large body of the organization be read. */
  next: () => void;
}

type Whose = keyof typeof SHARES;
type Asking = Pick<PipelineRequest, 'raw' | 'headers'>;
type Replying = Pick<PipelineReply, 'raw' | 'getHeader'>;

/**
 * Limits concurrent requests and the bytes of their bodies: of all callers, of one organization and of one caller. A request above a
 * limit is asked to retry, so a caller who sends much waits for itself only. The bytes of a large body count as they arrive: an announced
 * body that does not arrive counts nothing.
 */
export class Admission {
  private readonly requests: Semaphore;
  private readonly bytes: Semaphore;
  private readonly shares: Readonly<Record<'requests' | 'bytes', Readonly<Record<Whose, Shares>>>>;
  private readonly known = new WeakMap<Asking, Admitted>();
  private readonly arrivals = new Arrivals();
  private readonly slow = new SlowBodies(refusalAnswer({ kind: 'body-too-slow' }, null));

  constructor(private readonly limits: Limits) {
    this.requests = new Semaphore(limits.requestsAtOnce);
    this.bytes = new Semaphore(limits.bodyBytesAtOnce);
    this.shares = { requests: sharesOf(limits.requestsAtOnce), bytes: sharesOf(limits.bodyBytesAtOnce) };
  }

  /** @throws RefusalError `too-busy` */
  enter(request: Asking, reply: Replying): void {
    if (!this.requests.acquire(1)) throw new RefusalError({ kind: 'too-busy' });
    const admitted: Admitted = { bytes: 0, owner: null, answered: false, closed: false, next: () => undefined };
    this.known.set(request, admitted);
    reply.raw.once('close', () => {
      admitted.closed = true;
      this.leave(admitted);
    });
  }

  /**
   * Counts a request of its caller, and makes room for a small body, or a form, by the length that it says it has. Other bodies are counted
   * while they are read.
   *
   * @throws RefusalError `share-taken`, `too-busy`
   */
  expect(request: Asking, route: Route, owner: Identity): void {
    const admitted = this.known.get(request);
    if (admitted === undefined) return;
    this.takeShare('requests', owner, 1);
    admitted.owner = owner;
    const limit = Math.min(bodyLimit(route, this.limits), BODY_BYTES.form);
    if (isForm(request)) this.take(admitted, Math.min(announced(request) ?? limit, limit));
    else if (isSmall(request)) this.take(admitted, announced(request) ?? 0);
  }

  /**
   * Reads the body and counts its bytes unless they are counted already. A client that sends too slowly gets an answer.
   *
   * @param streams whether the body is passed on while it arrives: then it does not wait for others
   */
  counted(request: Asking, reply: Replying, body: Readable, streams = false): Readable {
    const admitted = this.known.get(request);
    if (admitted === undefined || announced(request) === 0) return body;
    this.slow.watch(request, reply, () => {
      admitted.answered = true;
      this.leave(admitted);
    });
    return isForm(request) || isSmall(request)
      ? body
      : Readable.from(this.pieces(admitted, body, streams), { objectMode: false });
  }

  /**
   * Counts bytes of a form beyond those that it was expected to have.
   *
   * @throws RefusalError `share-taken`, `too-busy`
   */
  more(request: Asking, bytes: number): void {
    const admitted = this.known.get(request);
    if (admitted !== undefined && bytes > 0) this.take(admitted, bytes);
  }

  /** To be told when the answer is made. */
  answered(request: Asking): void {
    const admitted = this.known.get(request);
    if (admitted === undefined || admitted.answered) return;
    admitted.answered = true;
    this.leave(admitted);
  }

  /** To be told when no request comes any more. */
  stop(): void {
    this.slow.stop();
  }

  private async *pieces(admitted: Admitted, body: Readable, streams: boolean): AsyncGenerator<Buffer> {
    if (admitted.owner !== null && !streams) {
      admitted.next = await this.arrivals.enter(admitted.owner.org.id);
      if (admitted.answered && admitted.closed) admitted.next();
    }
    // Destroying the body would take the connection with it, and the answer.
    for await (const piece of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      try {
        this.take(admitted, piece.length);
      } catch (refusal) {
        // The rest of the body is discarded, so that the client reads the answer.
        body.resume();
        throw refusal;
      }
      yield piece;
    }
  }

  private take(admitted: Admitted, bytes: number): void {
    if (admitted.owner !== null) this.takeShare('bytes', admitted.owner, bytes, admitted.bytes);
    if (!this.bytes.acquire(bytes)) {
      if (admitted.owner !== null) this.leaveShare('bytes', admitted.owner, bytes);
      throw new RefusalError({ kind: 'too-busy' });
    }
    admitted.bytes += bytes;
  }

  private takeShare(of: 'requests' | 'bytes', owner: Identity, amount: number, mine = 0): void {
    const { organization, caller } = this.shares[of];
    const taken = (whose: Whose) =>
      new RefusalError({ kind: 'share-taken', whose, of, limit: this.shares[of][whose].each });
    if (!organization.take(owner.org.id, amount, mine)) throw taken('organization');
    if (!caller.take(owner.principal.id, amount, mine)) {
      organization.leave(owner.org.id, amount);
      throw taken('caller');
    }
  }

  private leaveShare(of: 'requests' | 'bytes', { org, principal }: Identity, amount: number): void {
    this.shares[of].organization.leave(org.id, amount);
    this.shares[of].caller.leave(principal.id, amount);
  }

  private leave(admitted: Admitted): void {
    const { answered, closed, bytes, owner } = admitted;
    if (!answered || !closed) return;
    admitted.next();
    this.requests.release(1);
    this.bytes.release(bytes);
    if (owner === null) return;
    this.leaveShare('requests', owner, 1);
    this.leaveShare('bytes', owner, bytes);
  }
}

function sharesOf(most: number): Readonly<Record<Whose, Shares>> {
  const part = (share: number) => new Shares(Math.max(1, Math.floor(most * share)));
  return { organization: part(SHARES.organization), caller: part(SHARES.caller) };
}

/** The length of a body as the request says it; null where it says none and yet has one. */
function announced({ headers }: Pick<Asking, 'headers'>): number | null {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null;
}

/** Whether the body of a request counts before it arrives. */
export function isSmall(request: Pick<Asking, 'headers'>): boolean {
  return (announced(request) ?? Infinity) <= SMALL_BYTES;
}

export function isForm({ headers }: Pick<Asking, 'headers'>): boolean {
  return /^multipart\//i.test(headers['content-type'] ?? '');
}
