import type { Route } from '@assurance/contracts/http/route';
import { type WaitLimit, type WorkSlot, waitForTurn, KeyedLimiter, workFor } from '@assurance/kernel';
import type { CallCarrier } from './call';
import type { PipelineReply, PipelineRequest } from './exchange';
import { networkOf } from './network-of';
import { RefusalError } from './refusals';

/** How many reads of one organization run at the same time. Each holds its data in memory until its answer is made. */
const READS_AT_ONCE = 16;
/** How many public answers are sent to one network at the same time, and how long further ones wait. */
const PUBLIC_AT_ONCE = 16;
const WAIT_LIMIT: WaitLimit = { waitMs: 10_000, timeoutError: () => new RefusalError({ kind: 'too-busy' }) };
/** Routes that tell whether a process lives: they answer without waiting. */
const PROBES: ReadonlySet<string> = new Set(['live', 'ready']);

/**
 * Schedules the work of requests on the main thread by organization. A request begins when its organization's turn
 * comes, and pauses in that organization's queue. Only some reads of one organization run at the same time. Requests
 * without a key are scheduled by network instead of organization.
 */
export class FairScheduler {
  private readonly reads = new KeyedLimiter(READS_AT_ONCE);
  private readonly publicAnswers = new KeyedLimiter(PUBLIC_AT_ONCE);

  /**
   * Waits for the turn of a request.
   *
   * @param forwarded whether another process does the work
   * @returns undefined if the work may begin at once
   * @throws RefusalError `too-busy` when a public answer waited for too long
   */
  turn(
    request: Pick<PipelineRequest, 'ip' | 'assurance'>,
    reply: Pick<PipelineReply, 'raw'>,
    route: Route | null,
    forwarded = false,
  ): Promise<void> | undefined {
    if (route === null || route.lasting === true || PROBES.has(route.id)) return undefined;
    const owner = ownerOf(request);
    if (owner === undefined) return this.publicAnswer(networkOf(request.ip), reply);
    return forwarded || !isRead(route) ? waitForTurn(owner) : this.read(owner, request);
  }

  /** Does the work of a request. Call it when its turn has come. */
  run<T>(request: CallCarrier, work: () => T): T {
    const owner = ownerOf(request);
    return owner === undefined ? work() : workFor(owner, work, request.assurance?.place);
  }

  /** The request keeps its place until the client has read the answer. */
  private async publicAnswer(network: string, { raw }: Pick<PipelineReply, 'raw'>): Promise<void> {
    const end = await this.publicAnswers.acquire(network, WAIT_LIMIT);
    if (raw.destroyed) end();
    else raw.once('close', end);
    await waitForTurn(network);
  }

  private read(owner: string, { assurance }: CallCarrier): Promise<void> | undefined {
    if (assurance == null) return undefined;
    const place = new ReadPlace(this.reads, owner);
    assurance.place = place;
    const waits = place.reacquire();
    return waits === undefined ? waitForTurn(owner) : waits.then(() => waitForTurn(owner));
  }
}

/** A place among the reads of an organization. */
class ReadPlace implements WorkSlot {
  private pass: (() => void) | null = null;
  private ended = false;

  constructor(
    private readonly reads: KeyedLimiter,
    private readonly owner: string,
  ) {}

  release(): void {
    this.pass?.();
    this.pass = null;
  }

  /** Call it when the answer is made, even while a part of the work still waits. */
  end(): void {
    this.ended = true;
    this.release();
  }

  reacquire(): Promise<void> | undefined {
    if (this.ended) return undefined;
    this.pass = this.reads.acquireIfFree(this.owner);
    return this.pass === null ? this.wait() : undefined;
  }

  private async wait(): Promise<void> {
    this.pass = await this.reads.acquire(this.owner);
    if (this.ended) this.release();
  }
}

function ownerOf({ assurance }: CallCarrier): string | undefined {
  return assurance?.identity?.org.id;
}

/**
 * Routes of the gateway do not count as reads: they send requests themselves, and these would then wait for them. Every
 * route of `projection` counts as a read, with any method.
 */
function isRead({ method, owner }: Route): boolean {
  return owner === 'projection' || (method === 'GET' && owner !== 'gateway');
}
