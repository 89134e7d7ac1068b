import type { Clock } from '@assurance/event-sourcing/tokens';
import type { Ledger } from './ledger';

/** The number of messages that are removed in one step. */
const PIECE = 500;
/** How often old messages are removed (milliseconds). */
const EVERY_MS = 3600 * 1_000;
const DAY_MS = 24 * EVERY_MS;

interface Parts {
  readonly ledger: Pick<Ledger, 'forget'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly days: number;
  readonly onFailure: (error: unknown) => void;
}

/** Removes sent and abandoned messages from the ledger after the configured time. Every process does this at its start and every hour. */
export class Retention {
  private timer: NodeJS.Timeout | null = null;
  private currentRun: Promise<void> = Promise.resolve();
  private stopping = false;

  constructor(private readonly parts: Parts) {}

  /** Entries from before this time are removed (integer milliseconds). */
  get since(): number {
    return this.parts.clock.now() - this.parts.days * DAY_MS;
  }

  start(): void {
    const look = () => {
      this.currentRun = this.currentRun.then(() => this.sweep()).catch((error: unknown) => this.parts.onFailure(error));
    };
    this.timer = setInterval(look, EVERY_MS);
    this.timer.unref();
    look();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    if (this.timer !== null) clearInterval(this.timer);
    await this.currentRun;
  }

  /** Removes in small steps, so that messages to send do not wait. */
  async sweep(): Promise<void> {
    while (!this.stopping && (await this.parts.ledger.forget(this.since, PIECE)) >= PIECE);
  }
}
