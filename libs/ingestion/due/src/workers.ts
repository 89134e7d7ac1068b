import type { DueMarks, Taken } from './marks';

/** How many environments a process works on at once. */
const WORKERS = 4;
/** How many marks are looked at to find those that may be taken. */
const LOOKED_AT = 100;
/** How often others' marks are looked for (milliseconds): whoever set one may have ended before the work began. */
const LOOK_EVERY_MS = 2_000;

export interface DueWorkersOptions {
  readonly marks: DueMarks;
  /**
   * Does the work of a mark: loads the environment first and the facts second, and finds nothing to do where nothing moved. May run more than
   * once for a mark, and beside another process's.
   */
  readonly work: (taken: Taken) => Promise<void>;
  /** An id that nobody used before. */
  readonly newId: () => string;
  /** Told why work failed; it is done again later. Null: the marks themselves could not be read or written. */
  readonly onFailure: (error: unknown, taken: Taken | null) => void;
}

/** Takes due environments and has their work done: a bounded number at once, one at a time an environment, across processes. */
export class DueWorkers {
  private readonly busy = new Map<string, Promise<void>>();
  private looking: Promise<void> | null = null;
  private stopped = false;
  private awake: () => void = () => undefined;

  constructor(private readonly options: DueWorkersOptions) {}

  start(): void {
    this.looking ??= this.look();
  }

  /** A mark was set, or a worker is free: looks at once. */
  wake(): void {
    this.awake();
  }

  /** Takes nothing more, and waits for the work under way. What is due stays marked. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.looking;
    await Promise.all(this.busy.values());
  }

  private async look(): Promise<void> {
    while (!this.stopped) {
      const woken = new Promise<void>((resolve) => (this.awake = resolve));
      try {
        await this.takeSome();
      } catch (error) {
        this.options.onFailure(error, null);
      }
      if (!this.stopped) await atMost(LOOK_EVERY_MS, woken);
    }
  }

  private async takeSome(): Promise<void> {
    if (this.busy.size >= WORKERS) return;
    for (const environment of await this.options.marks.takeable(LOOKED_AT)) {
      if (this.stopped || this.busy.size >= WORKERS) return;
      if (!this.busy.has(environment)) this.busy.set(environment, this.workOn(environment));
    }
  }

  /** Never rejects. Then another may have its turn; not at once where marks cannot be written, or one would be tried without end. */
  private async workOn(environment: string): Promise<void> {
    try {
      await this.takeAndWork(environment);
      this.busy.delete(environment);
      this.wake();
    } catch (error) {
      this.busy.delete(environment);
      this.options.onFailure(error, null);
    }
  }

  private async takeAndWork(environment: string): Promise<void> {
    const { marks, work, newId, onFailure } = this.options;
    const taken = await marks.take(environment, newId());
    if (taken === null) return;
    try {
      await work(taken);
    } catch (error) {
      onFailure(error, taken);
      await marks.failed(taken);
      return;
    }
    await marks.done(taken);
  }
}

function atMost(ms: number, woken: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void woken.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
