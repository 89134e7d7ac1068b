import type { Worker } from 'node:worker_threads';

/**
 * A job that gets no processor ends after this multiple of its limit. The gateway waits longer than that for a silent service. Meanwhile
 * the job holds a thread and uses no processor time.
 */
const LONGEST_WAIT_FACTOR = 16;
/** The shortest time between two checks (milliseconds). */
const LOOK_MS = 50;

/** Reports when a job has exceeded its processor time. Time that other processes on the machine use does not count. */
export class JobClock {
  private readonly before: Promise<number | null>;
  private readonly last: NodeJS.Timeout;
  private next: NodeJS.Timeout;
  private stopped = false;

  /**
   * Starts the clock.
   *
   * @param limitMs processor time (milliseconds)
   * @param onTimeUp is called when the job must end, because it has used up its time, or because it got no processor for too long; may be
   *   called more than once
   */
  constructor(
    private readonly worker: Worker,
    private limitMs: number,
    private readonly onTimeUp: () => void,
  ) {
    this.before = usedBy(worker);
    this.last = setTimeout(onTimeUp, LONGEST_WAIT_FACTOR * limitMs);
    this.next = setTimeout(() => void this.checkTime(), limitMs);
  }

  /** Lowers the limit of processor time (milliseconds, counted from the start of the job). */
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
    // A thread that has ended emits `exit`.
    if (this.stopped || before === null || now === null) return;
    const remainingMs = this.limitMs - (now - before);
    if (remainingMs <= 0) this.onTimeUp();
    else this.next = setTimeout(() => void this.checkTime(), Math.max(LOOK_MS, remainingMs));
  }
}

/** The processor time of a thread (milliseconds); null if the thread has ended. */
async function usedBy(worker: Worker): Promise<number | null> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1_000;
  } catch {
    return null;
  }
}
