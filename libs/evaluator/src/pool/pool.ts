import type { Worker } from 'node:worker_threads';
import { Busy, FairQueue, OrganizationBusy } from '@assurance/kernel';
import type { JobResultOf, LimitExceeded, Job, Problem, ThreadMessage } from '../messages';
import { JobClock } from './job-clock';
import { startThread } from './thread';

const BOUNDS = {
  /** How much processor time one job may take (milliseconds). */
  timeMs: 1_500,
  /** How long a job may run while another organization waits for a thread (milliseconds). */
  shareMs: 300,
  /** How many threads run at most. One more may be ready. */
  threads: 2,
  /** The limit of a thread's heap (MiB). */
  heapMb: 128,
};
/** How much processor time a YAML file may take (milliseconds). It is short, because these files are small. */
const YAML_TIME_MS = 1_000;
/** If an owner's line takes longer than this, new jobs are refused (milliseconds, estimated from the owner's earlier jobs). */
const LINE_MS = 10_000;
/** If an owner's line turns out to take longer than this, its newest jobs are refused (milliseconds). No caller waits for an answer that long. */
const CUT_MS = 30_000;
/** How many jobs may wait: of one owner, and of all. For an owner without waiting jobs, the limit of all is twice as high. */
const WAITING_OF_ONE_MAX = 200;
const WAITING_MAX = 1_000;
/** How many characters the waiting jobs may have: of one owner, and of all. */
const SIZE_OF_ONE_MAX = 32 * 1024 * 1024;
const SIZE_MAX = 256 * 1024 * 1024;
/** How often a job is restarted after its thread was lost, and after it gave way to another owner. */
const LOST_MAX = 1;
const YIELDED_MAX = 2;
const CLOSED = 'the evaluator is closed';

export type PoolOptions = Readonly<Partial<typeof BOUNDS>>;

interface WaitingJob {
  readonly owner: string;
  readonly kind: Job['kind'];
  readonly load: () => Job | Promise<Job>;
  /** The approximate size of the job (characters). */
  readonly size: number;
  readonly settle: (answer: ThreadMessage | LimitExceeded) => void;
  readonly fail: (error: Error) => void;
  lost: number;
  yielded: number;
}

interface RunningJob {
  readonly owner: string;
  /** When the job began (milliseconds). Infinity: it cannot give way. */
  readonly began: number;
  readonly giveWay: () => void;
}

type Outcome =
  | { readonly kind: 'said'; readonly message: ThreadMessage }
  /** `spent`: the job used up its time, got no processor, or lost a fresh thread. `lost`: another thread ended, or sent an unexpected message. */
  | { readonly kind: 'spent' | 'lost' | 'yielded'; readonly what: Problem['what'] | null };

/**
 * Threads that run user code, and a fair queue for them (decision 53). One job of each owner runs at a time. If another owner waits, a
 * long job gives up its thread and is restarted later. A thread that ends or sends an unexpected message gets no other job. If an earlier
 * job may be the cause, the job is restarted once on a fresh thread. A job is not repeated if it used up its own time, got no processor, or
 * ended a fresh thread.
 */
export class Pool {
  private readonly queue = new FairQueue<WaitingJob>(() => performance.now());
  private readonly runningJobs = new Map<string, RunningJob>();
  private readonly idle: Worker[] = [];
  private readonly workers = new Set<Worker>();
  /** Threads that have run no job yet. */
  private readonly freshWorkers = new WeakSet<Worker>();
  /** A thread that starts in advance, before a running thread has to end. */
  private spareWorker: Promise<Worker> | null = null;
  private readonly bounds: typeof BOUNDS;
  private size = 0;
  private ids = 0;
  private closed = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(options: PoolOptions) {
    this.bounds = { ...BOUNDS, ...options };
  }

  /**
   * @param owner the id of the organization that owns the job
   * @param size the approximate size of the job (characters)
   * @throws OrganizationBusy if too much work of the owner waits
   * @throws Busy if too much work of all owners waits
   */
  async run<J extends Job>(owner: string, job: J, size: number): Promise<JobResultOf<J> | LimitExceeded> {
    return this.runLoaded<J>(owner, job.kind, () => job, size);
  }

  /**
   * The same for a job that is loaded only when its turn comes, and again if it is restarted. While it waits, it takes no memory.
   *
   * @param load if it fails, the job fails with the same error
   */
  async runLoaded<J extends Job>(
    owner: string,
    kind: J['kind'],
    load: () => J | Promise<J>,
    size: number,
  ): Promise<JobResultOf<J> | LimitExceeded> {
    this.refuse(owner, size);
    const answer = await new Promise<ThreadMessage | LimitExceeded>((settle, fail) => {
      this.size += size;
      this.queue.push(owner, { owner, kind, load, size, settle, fail, lost: 0, yielded: 0 });
      this.next();
    });
    return answer as JobResultOf<J> | LimitExceeded;
  }

  /** Ends all threads. Waiting and running jobs are refused. */
  async close(): Promise<void> {
    this.closed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    for (const { fail } of this.queue.clear()) fail(new Busy(CLOSED));
    await Promise.all([...this.workers].map((worker) => worker.terminate()));
  }

  private refuse(owner: string, size: number): void {
    if (this.closed) throw new Busy(CLOSED);
    const ownJobs = this.queue.itemsOf(owner);
    const wait = this.queue.expectedWait(owner);
    const ownSize = ownJobs.reduce((sum, job) => sum + job.size, size);
    if (wait > LINE_MS || ownJobs.length >= WAITING_OF_ONE_MAX || (ownJobs.length > 0 && ownSize > SIZE_OF_ONE_MAX)) {
      throw organizationBusy(wait);
    }
    const isFull = (times: number) => this.queue.size >= WAITING_MAX * times || this.size + size > SIZE_MAX * times;
    if (isFull(ownJobs.length === 0 ? 2 : 1)) throw new Busy('too much waits to be evaluated');
  }

  /** Refuses the newest jobs of a line that has become too long since they were accepted. */
  private dropExcess(owner: string): void {
    for (;;) {
      const wait = this.queue.expectedWait(owner);
      const newest = wait > CUT_MS ? this.queue.takeNewest(owner) : undefined;
      if (newest === undefined) return;
      this.size -= newest.size;
      newest.fail(organizationBusy(wait));
    }
  }

  private next(): void {
    while (this.runningJobs.size < this.bounds.threads) {
      const owner = this.queue.nextOwner((candidate) => !this.runningJobs.has(candidate));
      const job = owner === null ? undefined : this.queue.dequeue(owner);
      if (job === undefined) return;
      void this.serve(job);
    }
    this.scheduleExcessCheck();
  }

  /** Never rejects. */
  private async serve(candidate: WaitingJob): Promise<void> {
    const { owner } = candidate;
    const mark = { owner, began: Infinity, giveWay: () => undefined };
    this.runningJobs.set(owner, mark);
    let began = performance.now();
    try {
      const job = await candidate.load();
      const worker = await this.threadFor(candidate);
      began = performance.now();
      const outcome = await this.ask(worker, candidate, job, began);
      if (outcome.kind === 'said' && !outcome.message.spent && !this.closed) this.idle.push(worker);
      else await worker.terminate();
      this.finish(candidate, outcome);
    } catch (error) {
      this.size -= candidate.size;
      candidate.fail(error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.runningJobs.delete(owner);
      this.queue.charge(owner, performance.now() - began);
      this.dropExcess(owner);
      this.next();
    }
  }

  private finish(job: WaitingJob, outcome: Outcome): void {
    // The thread ended because the pool was closed, so the result of the job is unknown.
    if (this.closed && outcome.kind !== 'said') throw new Busy(CLOSED);
    if (outcome.kind === 'lost') job.lost += 1;
    if (outcome.kind === 'yielded') job.yielded += 1;
    const again = outcome.kind === 'lost' || outcome.kind === 'yielded';
    if (again && job.lost <= LOST_MAX && job.yielded <= YIELDED_MAX) {
      this.queue.putBack(job.owner, job);
      return;
    }
    this.size -= job.size;
    job.settle(outcome.kind === 'said' ? outcome.message : { kind: 'exceeded', what: outcome.what });
  }

  /** A job that was lost gets a fresh thread. */
  private async threadFor({ lost }: WaitingJob): Promise<Worker> {
    const idle = this.idle.pop();
    if (idle !== undefined && (lost === 0 || this.freshWorkers.has(idle))) return idle;
    await idle?.terminate();
    const { spareWorker } = this;
    this.spareWorker = null;
    return spareWorker ?? this.start();
  }

  /** Starts a thread for the next owner that needs one. */
  private startSpare(): void {
    if (this.spareWorker !== null || this.idle.length > 0) return;
    const startingWorker = this.start();
    this.spareWorker = startingWorker;
    const untaken = () => {
      const isUntaken = this.spareWorker === startingWorker;
      if (isUntaken) this.spareWorker = null;
      return isUntaken;
    };
    // If the start fails, it is tried again when a thread is needed.
    startingWorker.then((worker) => untaken() && this.idle.push(worker), untaken);
  }

  private async start(): Promise<Worker> {
    const worker = await startThread(this.bounds.heapMb);
    this.workers.add(worker);
    this.freshWorkers.add(worker);
    worker.once('exit', () => {
      this.workers.delete(worker);
      const place = this.idle.indexOf(worker);
      if (place !== -1) this.idle.splice(place, 1);
    });
    if (this.closed) {
      await worker.terminate();
      throw new Busy(CLOSED);
    }
    return worker;
  }

  /** Sends a job to a thread and waits for its outcome. */
  private ask(worker: Worker, { owner, kind, yielded }: WaitingJob, job: Job, began: number): Promise<Outcome> {
    this.ids += 1;
    const id = this.ids;
    // If a fresh thread ends, this job is the cause.
    const fresh = this.freshWorkers.delete(worker);
    return new Promise((resolve) => {
      let subject: Problem['what'] | null = null;
      const end = (outcome: Outcome) => {
        clock.stop();
        worker.off('message', onMessage).off('exit', endLost);
        resolve(outcome);
      };
      const endLost = () => end({ kind: fresh ? 'spent' : 'lost', what: subject });
      const endSpent = () => end({ kind: 'spent', what: subject });
      const onMessage = (message: ThreadMessage) => {
        if (message.id !== id || (message.kind !== 'at' && message.kind !== kind)) endLost();
        else if (message.kind === 'at') subject = message.what;
        else end({ kind: 'said', message });
      };
      const { timeMs } = this.bounds;
      const clock = new JobClock(worker, kind === 'yaml' ? Math.min(YAML_TIME_MS, timeMs) : timeMs, endSpent);
      worker.on('message', onMessage).on('exit', endLost);
      const giveWay = () => {
        if (yielded < YIELDED_MAX) return end({ kind: 'yielded', what: subject });
        // The job may not give way again, so it would end without an answer. It may have got too little of a busy machine, so its processor
        // time decides.
        this.runningJobs.set(owner, { owner, began: Infinity, giveWay });
        clock.lower(this.bounds.shareMs);
        this.scheduleExcessCheck();
      };
      this.runningJobs.set(owner, { owner, began, giveWay });
      worker.postMessage({ ...job, id }, filesOf(job));
      this.scheduleExcessCheck();
    });
  }

  /**
   * While an owner waits, makes a job give way when it has used its share and its owner has used as much as the waiting owner. The thread of that job
   * ends then, so another thread is started in advance.
   */
  private scheduleExcessCheck(): void {
    if (this.timer !== null || this.closed || this.runningJobs.size < this.bounds.threads) return;
    const waits = this.queue.nextOwner((owner) => !this.runningJobs.has(owner));
    if (waits === null) return;
    const least = this.queue.usedBy(waits);
    const now = performance.now();
    const [first] = [...this.runningJobs.values()]
      .filter(({ began }) => began !== Infinity)
      .map(({ owner, began, giveWay }) => {
        const share = Math.max(this.bounds.shareMs, least - this.queue.usedBy(owner));
        return { giveWay, left: began + share - now };
      })
      .sort((a, b) => a.left - b.left);
    if (first === undefined) return;
    const { left } = first;
    if (left <= 0) return first.giveWay();
    const shareLeft = left - this.bounds.shareMs / 2;
    if (shareLeft <= 0) this.startSpare();
    // Checks again soon, because the next owner may have used less.
    const pause = Math.min(shareLeft > 0 ? shareLeft : left, this.bounds.shareMs);
    this.timer = setTimeout(() => {
      this.timer = null;
      this.scheduleExcessCheck();
    }, pause);
    this.timer.unref();
  }
}

/** The files of a job. They are moved to its thread, because copying a large file would block this thread. */
function filesOf(job: Job): ArrayBuffer[] {
  switch (job.kind) {
    case 'sbom':
    case 'vulnerabilities':
      return [job.content.buffer];
    case 'scan':
      return job.files.map(({ content }) => content.buffer);
    default:
      return [];
  }
}

/** @param wait the expected wait (milliseconds) */
function organizationBusy(wait: number): OrganizationBusy {
  return new OrganizationBusy(Math.max(1, Math.ceil(wait / 1_000)));
}
