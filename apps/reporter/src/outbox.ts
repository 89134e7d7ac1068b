import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** What became of a state: taken, refused for good, or to be sent again, after so many milliseconds if the service says. */
export type Outcome =
  { readonly kind: 'sent' | 'refused' } | { readonly kind: 'again'; readonly afterMs: number | null };

/**
 * Sends states until the service takes them. It keeps the last one only: a report says all that runs now, so one that
 * waits is worth nothing once there is a newer one.
 */
export class Outbox<State> {
  private waiting: State | null = null;
  private sending: Promise<void> | null = null;

  constructor(
    private readonly send: (state: State) => Promise<Outcome>,
    /** Ends the attempts. */
    private readonly signal: AbortSignal,
  ) {}

  put(state: State): void {
    this.waiting = state;
    this.sending ??= this.run().finally(() => (this.sending = null));
  }

  /** Resolves once nothing is on its way; false if a state still waits. */
  async settled(): Promise<boolean> {
    await this.sending;
    return this.waiting === null;
  }

  private async run(): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; this.waiting !== null && !this.signal.aborted;) {
      const state = this.waiting;
      const outcome = await this.send(state);
      if (outcome.kind === 'again') {
        await sleep(Math.min(outcome.afterMs ?? pause, LONGEST_PAUSE_MS), undefined, { signal: this.signal }).catch(
          () => undefined,
        );
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
        continue;
      }
      pause = FIRST_PAUSE_MS;
      if (this.waiting === state) this.waiting = null;
    }
  }
}
