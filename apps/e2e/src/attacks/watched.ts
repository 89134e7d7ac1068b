import { readFileSync, writeFileSync } from 'node:fs';
import type { Process } from '../support/process';

const HOLDS = /^assurance_main_thread_hold_seconds_bucket\{le="([^"]+)"\} (\d+)$/gm;

/** How a process did between two moments. */
export interface WatchedResult {
  readonly app: string;
  /** The main thread was held for at most so long at once (seconds): the upper bound of the class that the longest hold is counted in. */
  readonly hold: number;
  /** The most resident memory (MiB). */
  readonly memory: number;
}

/** A process of the service, and the figures that it shows operators. */
export class ObservedProcess {
  private holds: ReadonlyMap<number, number> = new Map();

  constructor(
    private readonly app: string,
    readonly process: Process,
  ) {}

  /** Counts from now on. */
  async begin(): Promise<void> {
    // Resets the peak that Linux recorded.
    writeFileSync(`/proc/${this.process.child.pid}/clear_refs`, '5');
    this.holds = await this.longerThan();
  }

  /** @throws Error when the process has ended */
  async end(): Promise<WatchedResult> {
    const { exitCode, signalCode } = this.process.child;
    if (exitCode !== null || signalCode !== null) {
      throw new Error(`${this.app} ended with ${exitCode ?? signalCode}: ${this.process.err.slice(-2_000)}`);
    }
    const now = [...(await this.longerThan())];
    const longest = now.findIndex(([bound, count]) => count === (this.holds.get(bound) ?? 0));
    const hold = longest === -1 ? Infinity : (now[longest]?.[0] ?? Infinity);
    const status = readFileSync(`/proc/${this.process.child.pid}/status`, 'utf8');
    const memory = Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
    return { app: this.app, hold, memory };
  }

  /** How many holds were longer than each bound (seconds), the bounds rising. */
  private async longerThan(): Promise<ReadonlyMap<number, number>> {
    const [, operations] = /operations +(\S+)\n/.exec(this.process.out) ?? [];
    const text = await (await fetch(`${operations}/metrics`)).text();
    const counts = [...text.matchAll(HOLDS)].map(([, bound, count]) => [Number(bound), Number(count)] as const);
    const all = counts.at(-1)?.[1] ?? 0;
    return new Map(counts.map(([bound, count]) => [Number.isNaN(bound) ? Infinity : bound, all - count]));
  }
}
