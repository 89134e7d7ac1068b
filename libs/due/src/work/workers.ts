import type { Marks, Taken } from './marks';

/** How many a process works on at once, unless said otherwise. */
const WORKERS = 4;
/** How many marks are looked at to find those that may be taken. */
const LOOKED_AT = 100;
/** How often others' marks are looked for (milliseconds): whoever set one may have ended before the work began. */
const LOOK_EVERY_MS = 2_000;

export interface DueWorkersOptions<What extends object> {
  readonly marks: Marks<What>;
  /** How many are worked on at once. */
  readonly workers?: number;
  /** How many of one owner are worked on at once, where marks have owners; unless said otherwise, as many as of all. */
  readonly ofOneOwner?: number;
  /**
   * Does the work of a mark, and finds nothing to do where nothing moved. May run more than once for a mark, and beside another process's.
   *
   * @returns `kept` when it said itself when the mark is due again
   */
  readonly work: (taken: Taken<What>) => Promise<void | 'kept'>;
  /** An id that nobody used before. */
  readonly newId: () => string;
  /** Told why work failed; it is done again later. Null: the marks themselves could not be read or written. */
  readonly onFailure: (error: unknown, taken: Taken<What> | null) => void;
}

/** Takes what is due and has its work done: a bounded number at once, one at a time for each mark, across processes. */
export class DueWorkers<What extends object> {
  private readonly busy = new Map<string, Promise<void>>();
  /** Whose marks are worked on. */
  private readonly owners = new Map<string, string>();
  private looking: Promise<void> | null = null;
  private stopped = false;
  private awake: () => void = () => undefined;

  constructor(private readonly options: DueWorkersOptions<What>) {}

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
    if (this.busy.size >= (this.options.workers ?? WORKERS)) return;
    const { marks, workers = WORKERS, ofOneOwner = workers } = this.options;
    for (const { id, owner } of await marks.takeable(LOOKED_AT)) {
      if (this.stopped || this.busy.size >= workers) return;
      if (this.busy.has(id)) continue;
      if (owner !== null) {
        if ([...this.owners.values()].filter((one) => one === owner).length >= ofOneOwner) continue;
        this.owners.set(id, owner);
      }
      this.busy.set(id, this.workOn(id));
    }
  }

  /** Never rejects. Then another may have its turn; not at once where marks cannot be written, or one would be tried without end. */
  private async workOn(id: string): Promise<void> {
    try {
      await this.takeAndWork(id);
      this.ended(id);
      this.wake();
    } catch (error) {
      this.ended(id);
      this.options.onFailure(error, null);
    }
  }

  private ended(id: string): void {
    this.busy.delete(id);
    this.owners.delete(id);
  }

  private async takeAndWork(id: string): Promise<void> {
    const { marks, work, newId, onFailure } = this.options;
    const taken = await marks.take(id, newId());
    if (taken === null) return;
    let ended: void | 'kept';
    try {
      ended = await work(taken);
    } catch (error) {
      onFailure(error, taken);
      await marks.failed(taken);
      return;
    }
    if (ended !== 'kept') await marks.done(taken);
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
