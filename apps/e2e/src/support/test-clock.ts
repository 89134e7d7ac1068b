/** A clock that stands still until a test sets it, also where the services that show it run in another process. */
export class TestClock {
  private tell: (ms: number) => Promise<unknown> = () => Promise.resolve();

  /** @param now what it shows: integer milliseconds since 1970 */
  constructor(public now = Date.now()) {}

  /** Shows another time from now on; the services show it too when this resolves. */
  async set(now: number): Promise<void> {
    this.now = now;
    await this.tell(now);
  }

  /** @param tell sets the clock of services in another process */
  leads(tell: (ms: number) => Promise<unknown>): void {
    this.tell = tell;
  }
}
