import { Worker } from 'node:worker_threads';
import { isEvidence, type Route } from '@assurance/contracts/http/route';
import { FairQueue, type WaitLimit, KeyedLimiter } from '@assurance/kernel';
import { RefusalError } from '../refusals';
import type { LargeBody, LargeBodyResult } from './read-large';

/** Smaller bodies are parsed and checked on the main thread: that takes a few milliseconds. */
const LARGE_BYTES = 128 * 1024;
/**
 * How many bodies of one organization are between parsing and their answer: one is processed while the next is parsed.
 */
const IN_WORK = 2;
const WAIT_LIMIT: WaitLimit = {
  waitMs: 10_000,
  timeoutError: () => new RefusalError({ kind: 'too-many-large-reports', seconds: 10 }),
};
/** The most memory of the thread for old objects (MiB). */
const HEAP_MB = 512;
/** The most memory of the thread for new objects (MiB). */
const YOUNG_MB = 8;
/** A thread that was idle for this time ends, which frees its memory (milliseconds). */
const IDLE_MS = 5_000;

/** A body that is being processed. */
export interface ParsedLargeBody {
  readonly read: LargeBodyResult;
  /** Call it when the answer is made: then the next body of the organization is parsed. */
  readonly leave: () => void;
}

interface WaitingBody {
  readonly owner: string;
  readonly body: LargeBody;
  readonly settle: (read: LargeBodyResult) => void;
  readonly fail: (error: Error) => void;
}

/**
 * Parses and checks large bodies in a thread, one after another. The organization with the lowest recent use of the
 * thread comes next. A parsed body and the objects that are made from it need many times its bytes. So at most two
 * bodies of an organization are parsed, and its others wait as bytes. The limit of concurrent body bytes also limits
 * the number of waiting bodies.
 */
export class LargeBodies {
  private readonly queue = new FairQueue<WaitingBody>(() => performance.now());
  private readonly inWork = new KeyedLimiter(IN_WORK);
  private worker: Worker | null = null;
  private busy = false;
  private idle: NodeJS.Timeout | null = null;
  private closed = false;

  /** Whether the thread reads a body of this route. */
  static reads(route: Route, bytes: Uint8Array): boolean {
    const isReport = route.body?.kind === 'json' && route.body.counted !== undefined;
    return (isReport || isEvidence(route)) && bytes.length > LARGE_BYTES;
  }

  /**
   * @param owner a holder's id
   * @param bytes their buffer moves to the thread, so nobody may use it afterwards
   * @throws RefusalError `too-many-large-reports`
   * @throws Error after `close`
   */
  async hold(owner: string, route: Route, bytes: Buffer, artifactsPerReport: number): Promise<ParsedLargeBody> {
    const leave = await this.inWork.acquire(owner, WAIT_LIMIT);
    try {
      return { read: await this.read(owner, route, bytes, artifactsPerReport), leave };
    } catch (error) {
      leave();
      throw error;
    }
  }

  private read(owner: string, route: Route, bytes: Buffer, artifactsPerReport: number): Promise<LargeBodyResult> {
    return new Promise((settle, fail) => {
      const body = { route: route.id, bytes: bytes as Buffer<ArrayBuffer>, artifactsPerReport };
      this.queue.push(owner, { owner, body, settle, fail });
      this.next();
    });
  }

  /** Ends the thread. Waiting bodies fail. */
  async close(): Promise<void> {
    this.closed = true;
    for (const { fail } of this.queue.clear()) fail(new Error('no body is read any more'));
    await this.end();
  }

  private next(): void {
    if (this.busy) return;
    const owner = this.queue.nextOwner(() => true);
    const waitingBody = owner === null ? undefined : this.queue.dequeue(owner);
    if (waitingBody !== undefined) void this.serve(waitingBody);
    else if (this.worker !== null) this.idle = setTimeout(() => void this.end(), IDLE_MS).unref();
  }

  /** Never rejects. */
  private async serve(waitingBody: WaitingBody): Promise<void> {
    if (this.idle !== null) clearTimeout(this.idle);
    this.busy = true;
    const began = performance.now();
    try {
      waitingBody.settle(await this.ask(waitingBody.body));
    } catch (error) {
      waitingBody.fail(error as Error);
    }
    this.busy = false;
    this.queue.charge(waitingBody.owner, performance.now() - began);
    this.next();
  }

  private ask(body: LargeBody): Promise<LargeBodyResult> {
    if (this.closed) return Promise.reject(new Error('no body is read any more'));
    const worker = (this.worker ??= start());
    return new Promise((resolve, reject) => {
      let failure: Error | null = null;
      const onExit = () => {
        this.worker = null;
        reject(failure ?? new Error('the thread that reads large bodies ended'));
      };
      worker.once('error', (error) => (failure = error));
      worker.once('exit', onExit);
      worker.once('message', (read: LargeBodyResult) => {
        worker.removeAllListeners('error').off('exit', onExit);
        resolve(read);
      });
      worker.postMessage(body, [body.bytes.buffer]);
    });
  }

  private async end(): Promise<void> {
    const { worker } = this;
    this.worker = null;
    await worker?.terminate();
  }
}

function start(): Worker {
  const worker = new Worker(require.resolve('@assurance/http/read-large'), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
  });
  // An idle thread keeps no process alive; a request that waits for it does.
  worker.unref();
  return worker;
}
