import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Demands, Evaluation, Job, Problem, Said } from './messages';

/** How long one job may take, from when a thread begins with it (milliseconds). */
const TIME_MS = 3_000;
/** How many threads there are at most. */
const THREADS = 2;
/** The most jobs that wait: of one owner, and of all. */
const WAITING_OF_ONE_MAX = 50;
const WAITING_MAX = 200;
/** The most memory of a thread's own (MiB); jq's, which is not on its heap, ends at 256. */
const HEAP_MB = 128;

/** More waits than is taken. Nothing was evaluated. */
export class EvaluatorBusy extends Error {
  override readonly name = 'EvaluatorBusy';
}

/** A job needed more time or memory than it may have. */
export interface Exceeded {
  readonly kind: 'exceeded';
  /** What was at work then; null: nobody knows. */
  readonly what: Problem['what'] | null;
}

export interface EvaluatorOptions {
  readonly timeMs?: number;
  readonly threads?: number;
}

interface Waiting {
  readonly owner: string;
  readonly job: Job;
  readonly settle: (said: Extract<Said, { spent: boolean }> | Exceeded) => void;
  readonly fail: (error: Error) => void;
}

/**
 * Runs schemas and rules that callers wrote, in threads of their own with bounds on time and memory. A thread that goes beyond them is ended,
 * and another takes its place. Of one owner one job runs at a time, so that the hostile rules of one do not take all threads.
 */
export class Evaluator {
  private readonly timeMs: number;
  private readonly threads: number;
  private readonly waiting: Waiting[] = [];
  private readonly busy = new Set<string>();
  private readonly idle: Worker[] = [];
  private readonly all = new Set<Worker>();
  private running = 0;
  private closed = false;

  constructor({ timeMs = TIME_MS, threads = THREADS }: EvaluatorOptions = {}) {
    this.timeMs = timeMs;
    this.threads = threads;
  }

  /**
   * Compiles a schema and jq programs, and runs none of them.
   *
   * @param owner whose they are: an organization's id
   * @throws EvaluatorBusy
   */
  async check(
    owner: string,
    schema: string | null,
    programs: readonly string[],
  ): Promise<{ readonly kind: 'checked'; readonly problems: readonly Problem[] } | Exceeded> {
    const said = await this.submit(owner, { kind: 'check', schema, programs });
    if (said.kind === 'evaluated') throw new Error('the evaluator answered something else');
    return said.kind === 'exceeded' ? said : { kind: 'checked', problems: said.problems };
  }

  /**
   * How data meets demands that were checked.
   *
   * @param data JSON text
   * @throws EvaluatorBusy
   */
  async evaluate(owner: string, demands: Demands, data: string): Promise<Evaluation | Exceeded> {
    const said = await this.submit(owner, { kind: 'evaluate', demands, data });
    if (said.kind === 'checked') throw new Error('the evaluator answered something else');
    return said.kind === 'exceeded' ? said : said.evaluation;
  }

  /** Ends all threads. What waits is refused. */
  async close(): Promise<void> {
    this.closed = true;
    for (const { fail } of this.waiting.splice(0)) fail(new EvaluatorBusy('the evaluator is closed'));
    await Promise.all([...this.all].map((worker) => worker.terminate()));
  }

  private submit(owner: string, job: Job): Promise<Extract<Said, { spent: boolean }> | Exceeded> {
    const ofOne = this.waiting.filter((one) => one.owner === owner).length;
    if (this.closed || this.waiting.length >= WAITING_MAX || ofOne >= WAITING_OF_ONE_MAX) {
      return Promise.reject(new EvaluatorBusy('too much waits to be evaluated'));
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ owner, job, settle: resolve, fail: reject });
      this.next();
    });
  }

  private next(): void {
    while (this.running < this.threads) {
      const i = this.waiting.findIndex(({ owner }) => !this.busy.has(owner));
      const [one] = i === -1 ? [] : this.waiting.splice(i, 1);
      if (one === undefined) return;
      this.running += 1;
      this.busy.add(one.owner);
      void this.run(one)
        .then(one.settle, one.fail)
        .finally(() => {
          this.running -= 1;
          this.busy.delete(one.owner);
          this.next();
        });
    }
  }

  private async run({ job }: Waiting): Promise<Extract<Said, { spent: boolean }> | Exceeded> {
    const worker = this.idle.pop() ?? (await this.start());
    const said = await this.ask(worker, job);
    const again = said.kind !== 'exceeded' && !said.spent && !this.closed;
    if (again) this.idle.push(worker);
    else await worker.terminate();
    return said;
  }

  /** Gives a thread a job and waits for its end, which is the thread's own when it takes too much. */
  private ask(worker: Worker, job: Job): Promise<Extract<Said, { spent: boolean }> | Exceeded> {
    return new Promise((resolve) => {
      let what: Problem['what'] | null = null;
      const end = (said: Extract<Said, { spent: boolean }> | Exceeded) => {
        clearTimeout(timer);
        worker.off('message', heard).off('exit', gone);
        resolve(said);
      };
      const gone = () => end({ kind: 'exceeded', what });
      const heard = (said: Said) => {
        if (said.kind === 'at') what = said.what;
        else if (said.kind !== 'ready') end(said);
      };
      const timer = setTimeout(gone, this.timeMs);
      worker.on('message', heard).on('exit', gone);
      worker.postMessage(job);
    });
  }

  /** Starts a thread and waits until it has loaded what it needs: no job's time runs before. */
  private async start(): Promise<Worker> {
    const worker = new Worker(workerFile(), {
      env: {},
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    });
    this.all.add(worker);
    // A thread that fails ends: that is heard of then.
    let failure: Error | null = null;
    worker.on('error', (error) => (failure = error));
    worker.once('exit', () => {
      this.all.delete(worker);
      const place = this.idle.indexOf(worker);
      if (place !== -1) this.idle.splice(place, 1);
    });
    worker.stdout.resume();
    worker.stderr.resume();
    await new Promise<void>((resolve, reject) => {
      const left = () => reject(failure ?? new Error('the evaluator did not start'));
      worker.once('exit', left);
      worker.once('message', () => {
        worker.off('exit', left);
        resolve();
      });
    });
    // An idle thread keeps no process alive.
    worker.unref();
    return worker;
  }
}

/** Threads run what the build made, tests too (decision 4). */
function workerFile(): string {
  const file = __filename.endsWith('.ts') ? join(__dirname, '../dist/worker.js') : join(__dirname, 'worker.js');
  if (!existsSync(file)) throw new Error(`the evaluator is not built (${file} is missing): run npm run build`);
  return file;
}
