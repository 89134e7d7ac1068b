export interface BackgroundReadOptions<T> {
  /** How often it reads (milliseconds). */
  readonly everyMs: number;
  /** Milliseconds of a clock that never jumps. */
  readonly steady: () => number;
  /** What holds from the start until the first read ends. */
  readonly initial?: T;
}

/**
 * Reads a value at an interval until it is stopped, so that callers get the newest value at once, however long a read takes. It starts no read
 * while another one runs. The value stays where a read fails, and becomes older.
 */
export class BackgroundRead<T> {
  private newest: { readonly value: T } | null;
  private readAt: number;
  private running: Promise<void> | null = null;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly read: () => Promise<T>,
    private readonly options: BackgroundReadOptions<T>,
  ) {
    this.newest = options.initial === undefined ? null : { value: options.initial };
    this.readAt = options.steady();
    this.timer = setInterval(() => void this.refresh(), options.everyMs).unref();
    void this.refresh();
  }

  /** How old the value is: the time since the last successful read began, or since the start (milliseconds). */
  age(): number {
    return this.options.steady() - this.readAt;
  }

  /** The newest value; null if there is none that is at most so old (milliseconds). */
  value(maxAgeMs: number): T | null {
    return this.newest === null || this.age() > maxAgeMs ? null : this.newest.value;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Reads now, unless a read is running. Resolves when that read has ended, also if it failed. */
  refresh(): Promise<void> {
    return (this.running ??= this.readOnce().finally(() => (this.running = null)));
  }

  private async readOnce(): Promise<void> {
    const begin = this.options.steady();
    try {
      this.newest = { value: await this.read() };
      this.readAt = begin;
    } catch {
      // The age of the value shows it.
    }
  }
}
