import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** The outcome of sending a state: accepted, finally refused, or to be sent again, after the milliseconds that the service states. */
export type Outcome =
  { readonly kind: 'sent' | 'refused' } | { readonly kind: 'again'; readonly afterMs: number | null };

/**
 * Sends states until the service accepts them. It keeps only the last state: a report contains everything that runs, so an older report is useless
 * once there is a newer one.
 */
export class Outbox<State> {
  private waiting: State | null = null;
  private sending: Promise<void> | null = null;

  constructor(
    private readonly send: (state: State) => Promise<Outcome>,
    /** Aborts the attempts. */
    private readonly signal: AbortSignal,
    /** For how long it tries again (milliseconds), from its first attempt. */
    private readonly retryMs = Infinity,
  ) {}

  put(state: State): void {
    this.waiting = state;
    this.sending ??= this.run().finally(() => (this.sending = null));
  }

  /** Resolves when nothing is being sent; false if a state still waits. */
  async waitUntilSent(): Promise<boolean> {
    await this.sending;
    return this.waiting === null;
  }

  private async run(): Promise<void> {
    const startedAt = performance.now();
    for (let pause = FIRST_PAUSE_MS; this.waiting !== null && !this.signal.aborted;) {
      const state = this.waiting;
      const outcome = await this.send(state);
      if (outcome.kind === 'again') {
        const waitMs = Math.min(outcome.afterMs ?? pause, LONGEST_PAUSE_MS);
        if (performance.now() - startedAt + waitMs > this.retryMs) return;
        await sleep(waitMs, undefined, { signal: this.signal }).catch(() => undefined);
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
        continue;
      }
      pause = FIRST_PAUSE_MS;
      if (this.waiting === state) this.waiting = null;
    }
  }
}
