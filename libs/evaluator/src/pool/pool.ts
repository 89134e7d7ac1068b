import type { Worker } from 'node:worker_threads';
import { Busy, FairQueue, Flooded } from '@assurance/kernel';
import type { AnswerTo, Exceeded, Job, Problem, Said } from '../messages';
import { JobClock } from './job-clock';
import { startThread } from './thread';

const BOUNDS = {
  /** How much processor time one job may take (milliseconds). */
  timeMs: 1_500,
  /** How long a job may take while another organization waits for its thread (milliseconds). */
  shareMs: 300,
  /** How many threads run at most. One more may be ready. */
  threads: 2,
  /** The most memory of a thread's own (MiB). */
  heapMb: 128,
};
/** How much processor time a file may take, because files are small (milliseconds). */
const YAML_TIME_MS = 1_000;
/** How long an owner's line may be: more is refused (milliseconds, by what its jobs took before). */
const LINE_MS = 10_000;
/** A line that turns out to be longer than this is cut: its newest jobs are refused. Nobody waits for their answers for that long. */
const CUT_MS = 30_000;
/** The most jobs that wait: of one owner, and of all. Who waits for nothing yet is let in beyond it. */
const WAITING_OF_ONE_MAX = 200;
const WAITING_MAX = 1_000;
/** The most characters of jobs that wait: of one owner, and of all. */
const SIZE_OF_ONE_MAX = 32 * 1024 * 1024;
const SIZE_MAX = 256 * 1024 * 1024;
/** How often a job is begun again on another thread after it misbehaved, and after it gave way. */
const LOST_MAX = 1;
const YIELDED_MAX = 2;
const CLOSED = 'the evaluator is closed';

export type PoolOptions = Readonly<Partial<typeof BOUNDS>>;

interface Waiting {
  readonly owner: string;
  readonly kind: Job['kind'];
  readonly load: () => Job | Promise<Job>;
  /** Characters that it holds, roughly. */
  readonly size: number;
  readonly settle: (answer: Said | Exceeded) => void;
  readonly fail: (error: Error) => void;
  lost: number;
  yielded: number;
}

interface Running {
  readonly owner: string;
  /** Infinity: it cannot give way. */
  readonly began: number;
  readonly giveWay: () => void;
}

type Outcome =
  | { readonly kind: 'said'; readonly said: Said }
  /** `spent`: the job used up its time, or got no processor. `lost`: the thread ended, or said what is no answer to the job. */
  | { readonly kind: 'spent' | 'lost' | 'yielded'; readonly what: Problem['what'] | null };

/**
 * Threads in which runs what users bring along, and a fair queue before them (decision 53). Of one owner one job runs at a time. A job that
 * takes long gives its thread to an owner who waits, and is begun again later. A thread that misbehaved takes no other job. Its job is begun
 * once more on a fresh thread when an earlier job may be to blame. A job that used up its own time, got no processor, or ended a fresh thread is not
 * repeated.
 */
export class Pool {
  private readonly queue = new FairQueue<Waiting>(() => performance.now());
  private readonly running = new Map<string, Running>();
  private readonly idle: Worker[] = [];
  private readonly all = new Set<Worker>();
  /** Threads on which no job ran yet. */
  private readonly fresh = new WeakSet<Worker>();
  /** A thread that starts before one has to end. */
  private spare: Promise<Worker> | null = null;
  private readonly bounds: typeof BOUNDS;
  private size = 0;
  private ids = 0;
  private closed = false;
  private look: NodeJS.Timeout | null = null;

  constructor(options: PoolOptions) {
    this.bounds = { ...BOUNDS, ...options };
  }

  /**
   * @param owner whose the job is: an organization's id
   * @param size characters that the job holds, roughly
   * @throws Flooded when the owner has too much waiting
   * @throws Busy when all have
   */
  async run<J extends Job>(owner: string, job: J, size: number): Promise<AnswerTo<J> | Exceeded> {
    return this.runLoaded<J>(owner, job.kind, () => job, size);
  }

  /**
   * The same for a job that is loaded when its turn comes, and again when it is begun again: what waits then takes no memory.
   *
   * @param load a failure is that of the job
   */
  async runLoaded<J extends Job>(
    owner: string,
    kind: J['kind'],
    load: () => J | Promise<J>,
    size: number,
  ): Promise<AnswerTo<J> | Exceeded> {
    this.refuse(owner, size);
    const answer = await new Promise<Said | Exceeded>((settle, fail) => {
      this.size += size;
      this.queue.push(owner, { owner, kind, load, size, settle, fail, lost: 0, yielded: 0 });
      this.next();
    });
    return answer as AnswerTo<J> | Exceeded;
  }

  /** Ends all threads. What waits and what is under way is refused. */
  async close(): Promise<void> {
    this.closed = true;
    if (this.look !== null) clearTimeout(this.look);
    for (const { fail } of this.queue.clear()) fail(new Busy(CLOSED));
    await Promise.all([...this.all].map((worker) => worker.terminate()));
  }

  private refuse(owner: string, size: number): void {
    if (this.closed) throw new Busy(CLOSED);
    const own = this.queue.of(owner);
    const wait = this.queue.expectedWait(owner);
    const ownSize = own.reduce((sum, one) => sum + one.size, size);
    if (wait > LINE_MS || own.length >= WAITING_OF_ONE_MAX || (own.length > 0 && ownSize > SIZE_OF_ONE_MAX)) {
      throw floodedFor(wait);
    }
    const isFull = (times: number) => this.queue.size >= WAITING_MAX * times || this.size + size > SIZE_MAX * times;
    if (isFull(own.length === 0 ? 2 : 1)) throw new Busy('too much waits to be evaluated');
  }

  /** Refuses the newest jobs of a line that was short by what was known when they came. */
  private cut(owner: string): void {
    for (;;) {
      const wait = this.queue.expectedWait(owner);
      const newest = wait > CUT_MS ? this.queue.takeNewest(owner) : undefined;
      if (newest === undefined) return;
      this.size -= newest.size;
      newest.fail(floodedFor(wait));
    }
  }

  private next(): void {
    while (this.running.size < this.bounds.threads) {
      const owner = this.queue.nextOwner((one) => !this.running.has(one));
      const one = owner === null ? undefined : this.queue.take(owner);
      if (one === undefined) return;
      void this.serve(one);
    }
    this.lookForLong();
  }

  /** Never rejects. */
  private async serve(one: Waiting): Promise<void> {
    const { owner } = one;
    const mark = { owner, began: Infinity, giveWay: () => undefined };
    this.running.set(owner, mark);
    let began = performance.now();
    try {
      const job = await one.load();
      const worker = await this.threadFor(one);
      began = performance.now();
      const outcome = await this.ask(worker, one, job, began);
      if (outcome.kind === 'said' && !outcome.said.spent && !this.closed) this.idle.push(worker);
      else await worker.terminate();
      this.ended(one, outcome);
    } catch (error) {
      this.size -= one.size;
      one.fail(error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.running.delete(owner);
      this.queue.charge(owner, performance.now() - began);
      this.cut(owner);
      this.next();
    }
  }

  private ended(one: Waiting, outcome: Outcome): void {
    // Its thread ended with the pool, so nothing is known of the job.
    if (this.closed && outcome.kind !== 'said') throw new Busy(CLOSED);
    if (outcome.kind === 'lost') one.lost += 1;
    if (outcome.kind === 'yielded') one.yielded += 1;
    const again = outcome.kind === 'lost' || outcome.kind === 'yielded';
    if (again && one.lost <= LOST_MAX && one.yielded <= YIELDED_MAX) {
      this.queue.putBack(one.owner, one);
      return;
    }
    this.size -= one.size;
    one.settle(outcome.kind === 'said' ? outcome.said : { kind: 'exceeded', what: outcome.what });
  }

  /** A lost job gets a new thread. */
  private async threadFor({ lost }: Waiting): Promise<Worker> {
    const idle = this.idle.pop();
    if (idle !== undefined && (lost === 0 || this.fresh.has(idle))) return idle;
    await idle?.terminate();
    const { spare } = this;
    this.spare = null;
    return spare ?? this.start();
  }

  /** Starts a thread for whoever needs one first. */
  private prepare(): void {
    if (this.spare !== null || this.idle.length > 0) return;
    const spare = this.start();
    this.spare = spare;
    const untaken = () => {
      const isUntaken = this.spare === spare;
      if (isUntaken) this.spare = null;
      return isUntaken;
    };
    // What failed is tried again when a thread is needed.
    spare.then((worker) => untaken() && this.idle.push(worker), untaken);
  }

  private async start(): Promise<Worker> {
    const worker = await startThread(this.bounds.heapMb);
    this.all.add(worker);
    this.fresh.add(worker);
    worker.once('exit', () => {
      this.all.delete(worker);
      const place = this.idle.indexOf(worker);
      if (place !== -1) this.idle.splice(place, 1);
    });
    if (this.closed) {
      await worker.terminate();
      throw new Busy(CLOSED);
    }
    return worker;
  }

  /** Gives a thread a job and waits for its end. */
  private ask(worker: Worker, { owner, kind, yielded }: Waiting, job: Job, began: number): Promise<Outcome> {
    this.ids += 1;
    const id = this.ids;
    // What happens to a fresh thread is this job's doing.
    const fresh = this.fresh.delete(worker);
    return new Promise((resolve) => {
      let what: Problem['what'] | null = null;
      const end = (outcome: Outcome) => {
        clock.stop();
        worker.off('message', heard).off('exit', lost);
        resolve(outcome);
      };
      const lost = () => end({ kind: fresh ? 'spent' : 'lost', what });
      const over = () => end({ kind: 'spent', what });
      const heard = (said: Said) => {
        if (said.id !== id || (said.kind !== 'at' && said.kind !== kind)) lost();
        else if (said.kind === 'at') what = said.what;
        else end({ kind: 'said', said });
      };
      const { timeMs } = this.bounds;
      const clock = new JobClock(worker, kind === 'yaml' ? Math.min(YAML_TIME_MS, timeMs) : timeMs, over);
      worker.on('message', heard).on('exit', lost);
      const giveWay = () => {
        if (yielded < YIELDED_MAX) return end({ kind: 'yielded', what });
        // It would end unanswered. A thread that got too little of a busy machine is no reason for that, so its processor time decides.
        this.running.set(owner, { owner, began: Infinity, giveWay });
        clock.lower(this.bounds.shareMs);
        this.lookForLong();
      };
      this.running.set(owner, { owner, began, giveWay });
      // A copy of a large file would hold this thread.
      const isFile = job.kind === 'sbom' || job.kind === 'vulnerabilities';
      worker.postMessage({ ...job, id }, isFile ? [job.content.buffer] : []);
      this.lookForLong();
    });
  }

  /**
   * While an owner waits: has a job give way once it had its share and its owner used as much as who waits. Its thread ends with it, so another is
   * started before.
   */
  private lookForLong(): void {
    if (this.look !== null || this.closed || this.running.size < this.bounds.threads) return;
    const waits = this.queue.nextOwner((one) => !this.running.has(one));
    if (waits === null) return;
    const least = this.queue.usedBy(waits);
    const now = performance.now();
    const [first] = [...this.running.values()]
      .filter(({ began }) => began !== Infinity)
      .map(({ owner, began, giveWay }) => {
        const share = Math.max(this.bounds.shareMs, least - this.queue.usedBy(owner));
        return { giveWay, left: began + share - now };
      })
      .sort((a, b) => a.left - b.left);
    if (first === undefined) return;
    const { left } = first;
    if (left <= 0) return first.giveWay();
    const early = left - this.bounds.shareMs / 2;
    if (early <= 0) this.prepare();
    // It looks again soon, because who comes next may have used less.
    const pause = Math.min(early > 0 ? early : left, this.bounds.shareMs);
    this.look = setTimeout(() => {
      this.look = null;
      this.lookForLong();
    }, pause);
    this.look.unref();
  }
}

/** @param wait milliseconds that are expected */
function floodedFor(wait: number): Flooded {
  return new Flooded(Math.max(1, Math.ceil(wait / 1_000)));
}
