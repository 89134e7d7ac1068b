import { ANSWERS_AT_ONCE } from '@assurance/contracts/http/large-answers';
import { FairQueue } from '@assurance/kernel';
import { RefusalError } from '../refusals';
import { type ShareOwner, Shares } from '../shares';
import { LongBody } from './long-body';

const MiB = 1024 * 1024;
/** The most bytes of large answers that are made or read at once. */
const BYTES_AT_ONCE = 128 * MiB;
/** The bytes that count for an answer while its length is unknown. */
const ASSUMED_BYTES = 4 * MiB;
/** The fraction of both limits that one holder of organizations may use while nobody else reads. */
const ALONE = 1 / 2;
/** How long a request waits until its answer may be made (milliseconds). */
const WAIT_MS = 10_000;
/** While other requests wait, a client must read at least this much on average, after an initial time. */
const LEAST = { bytesPerSecond: 64 * 1024, afterMs: 5_000 } as const;
const LOOK_MS = 1_000;

/** The connection of a request. */
export interface AnswerConnection {
  readonly isClosed: boolean;
  /** The bytes that it has carried to the client. */
  readonly bytesSent: number;
  /** Whether it has bytes that the client has not taken. */
  readonly isBlocked: boolean;
  destroy(): void;
  onClose(callback: () => void): void;
}

/** A request with a large answer. */
interface LargeRequest {
  readonly owner: ShareOwner;
  readonly weight: number;
  readonly connection: AnswerConnection;
  readonly start: () => void;
  readonly fail: (error: RefusalError) => void;
  timeout: NodeJS.Timeout | null;
  state: 'waiting' | 'making' | 'read' | 'over';
  /** When its answer was started; later, when it was complete (milliseconds). */
  since: number;
  /** The bytes that its connection had carried when its answer was complete. */
  before: number;
  /** The bytes that count for it. */
  bytes: number;
  body: LongBody | null;
}

/** A large answer that may be made now. */
export interface LargeAnswer {
  /**
   * Call it when the answer is complete.
   *
   * @param content its length, or a body that other answers may share; null for a stream of unknown length
   */
  noteMade(content: number | LongBody | null): void;
}

/**
 * Limits the memory of answers that may be large. A few answers are made at the same time, and the bytes that clients
 * have not read yet are limited; a shared body counts once. `Shares` divides both limits among holders of organizations.
 * Other requests wait, and the holder with the lowest recent use comes next. While others wait, a client that reads too
 * slowly is disconnected.
 */
export class LargeAnswers {
  private readonly queue = new FairQueue<LargeRequest>(() => performance.now());
  private readonly making = new Shares(ANSWERS_AT_ONCE, ALONE);
  private readonly bytes = new Shares(BYTES_AT_ONCE, ALONE);
  private readonly readingRequests = new Set<LargeRequest>();
  /** How many requests read each shared body, and for which owner it counts. */
  private readonly bodies = new Map<LongBody, { readers: number; readonly owner: ShareOwner }>();
  private timer: NodeJS.Timeout | null = null;

  /**
   * Waits until an answer may be made.
   *
   * @param weight from `answerWeight`, more than 0
   * @throws RefusalError `too-many-large-answers` after ten seconds
   */
  enter(owner: ShareOwner, weight: number, connection: AnswerConnection): Promise<LargeAnswer> {
    return new Promise((resolve, reject) => {
      const request: LargeRequest = {
        owner,
        weight,
        connection,
        fail: reject,
        timeout: null,
        state: 'waiting',
        since: 0,
        before: 0,
        bytes: 0,
        body: null,
        start: () => resolve({ noteMade: (content) => this.noteMade(request, content) }),
      };
      connection.onClose(() => this.noteClose(request));
      this.queue.push(owner.holder, request);
      this.next();
      if (request.state === 'waiting') this.wait(request);
    });
  }

  /** Refuses all waiting requests. */
  stop(): void {
    for (const request of this.queue.clear()) this.refuse(request);
    this.stopTimer();
  }

  private next(): void {
    for (;;) {
      const holder = this.queue.nextOwner((owner) => this.queue.itemsOf(owner).some(this.mayStart));
      // If a caller has used its own share, other callers of its holder pass it.
      const request = holder === null ? undefined : this.queue.itemsOf(holder).find(this.mayStart);
      if (request === undefined) break;
      this.start(request);
    }
    if (this.queue.size === 0) this.stopTimer();
  }

  /** A request also starts if its client has disconnected, because it ends at once. */
  private readonly mayStart = ({ owner, weight, connection }: LargeRequest): boolean =>
    connection.isClosed ||
    (this.making.refusal(owner, weight) === null && this.bytes.refusal(owner, ASSUMED_BYTES) === null);

  private start(request: LargeRequest): void {
    const { owner, weight, timeout, start } = request;
    this.queue.remove(owner.holder, request);
    if (timeout !== null) clearTimeout(timeout);
    this.making.add(owner, weight);
    this.count(request, ASSUMED_BYTES);
    request.state = 'making';
    request.since = performance.now();
    start();
  }

  private wait(request: LargeRequest): void {
    request.timeout = setTimeout(() => {
      this.queue.remove(request.owner.holder, request);
      this.refuse(request);
    }, WAIT_MS).unref();
    this.timer ??= setInterval(() => this.closeSlowReaders(), LOOK_MS).unref();
  }

  private refuse(request: LargeRequest): void {
    if (request.timeout !== null) clearTimeout(request.timeout);
    request.state = 'over';
    request.fail(new RefusalError({ kind: 'too-many-large-answers', seconds: WAIT_MS / 1_000 }));
  }

  private noteMade(request: LargeRequest, content: number | LongBody | null): void {
    if (request.state !== 'making') return;
    const { owner, weight, connection } = request;
    const now = performance.now();
    this.making.release(owner, weight);
    this.queue.charge(owner.holder, now - request.since);
    request.state = 'read';
    request.since = now;
    request.before = connection.bytesSent;
    this.readingRequests.add(request);
    if (content instanceof LongBody) {
      this.count(request, 0);
      this.share(request, content);
    } else if (content !== null) {
      this.count(request, content);
    }
    if (connection.isClosed) this.noteClose(request);
    else this.next();
  }

  /** If the answer is still being made, that goes on. */
  private noteClose(request: LargeRequest): void {
    if (request.state === 'read') {
      request.state = 'over';
      this.readingRequests.delete(request);
      this.count(request, 0);
      if (request.body !== null) this.unshare(request.body);
    }
    this.next();
  }

  private count(request: LargeRequest, bytes: number): void {
    const addedBytes = bytes - request.bytes;
    if (addedBytes > 0) this.bytes.add(request.owner, addedBytes);
    else if (addedBytes < 0) this.bytes.release(request.owner, -addedBytes);
    request.bytes = bytes;
  }

  private share(request: LargeRequest, body: LongBody): void {
    request.body = body;
    const { owner } = request;
    const sharedBody = this.bodies.get(body) ?? { readers: 0, owner };
    if (sharedBody.readers === 0) this.bytes.add(owner, body.length);
    sharedBody.readers += 1;
    this.bodies.set(body, sharedBody);
  }

  private unshare(body: LongBody): void {
    const sharedBody = this.bodies.get(body);
    if (sharedBody === undefined) return;
    sharedBody.readers -= 1;
    if (sharedBody.readers > 0) return;
    this.bodies.delete(body);
    this.bytes.release(sharedBody.owner, body.length);
  }

  private closeSlowReaders(): void {
    const now = performance.now();
    for (const { since, before, connection } of this.readingRequests) {
      const passedMs = now - since;
      const least = (LEAST.bytesPerSecond * passedMs) / 1_000;
      if (passedMs > LEAST.afterMs && connection.isBlocked && connection.bytesSent - before < least)
        connection.destroy();
    }
  }

  private stopTimer(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }
}
