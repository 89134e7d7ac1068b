import type { Worker } from 'node:worker_threads';

/**
 * A job that gets no processor ends after this multiple of its limit: before the gateway gives a silent service up. It holds a thread meanwhile
 * and burns nothing, so others come first.
 */
const LONGEST_WAIT_FACTOR = 16;
/** The least time between two looks (milliseconds). */
const LOOK_MS = 50;

/** Tells when a job exceeded its processor time. Time of other processes on the machine does not count. */
export class JobClock {
  private readonly before: Promise<number | null>;
  private readonly last: NodeJS.Timeout;
  private next: NodeJS.Timeout;
  private stopped = false;

  /**
   * Begins to count.
   *
   * @param limitMs processor time (milliseconds)
   * @param over called when the job has to end, because it used up its time or the processor was given to others for too long; may be called
   *   more than once
   */
  constructor(
    private readonly worker: Worker,
    private limitMs: number,
    private readonly over: () => void,
  ) {
    this.before = usedBy(worker);
    this.last = setTimeout(over, LONGEST_WAIT_FACTOR * limitMs);
    this.next = setTimeout(() => void this.checkTime(), limitMs);
  }

  /** Lowers the limit of processor time (milliseconds, from the beginning). */
  lower(limitMs: number): void {
    this.limitMs = limitMs;
    clearTimeout(this.next);
    void this.checkTime();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.last);
    clearTimeout(this.next);
  }

  /** Never rejects. */
  private async checkTime(): Promise<void> {
    const [before, now] = await Promise.all([this.before, usedBy(this.worker)]);
    // A thread that has ended tells by itself.
    if (this.stopped || before === null || now === null) return;
    const remaining = this.limitMs - (now - before);
    if (remaining <= 0) this.over();
    else this.next = setTimeout(() => void this.checkTime(), Math.max(LOOK_MS, remaining));
  }
}

/** Milliseconds of processor time; null: the thread has ended. */
async function usedBy(worker: Worker): Promise<number | null> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1_000;
  } catch {
    return null;
  }
}
