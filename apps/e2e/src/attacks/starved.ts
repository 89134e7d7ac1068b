import { readFileSync } from 'node:fs';
import type { Process } from '../support/process';

const EVERY_MS = 50;

interface Look {
  /** Integer milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds of each process, since it began. */
  readonly waited: readonly number[];
}

/**
 * Records for how long main threads wanted a processor and had none, as Linux counts it. The machine is the cause of this time: it runs the attack, the
 * probe, the servers and whatever else, on the processors that the service needs.
 */
export class StarvationLog {
  private readonly looks: Look[] = [];
  private readonly timer: NodeJS.Timeout;

  /** Begins to record. */
  constructor(private readonly processes: readonly Process[]) {
    this.look();
    this.timer = setInterval(() => this.look(), EVERY_MS);
  }

  stop(): void {
    clearInterval(this.timer);
    this.look();
  }

  /**
   * For how long one of the main threads had no processor at a time. Where several had none at once it counts once.
   *
   * @param from milliseconds since 1970
   * @param until the same
   * @returns milliseconds
   */
  during(from: number, until: number): number {
    let sum = 0;
    for (const [i, { at, waited }] of this.looks.entries()) {
      const last = this.looks[i - 1];
      if (last === undefined || last.at >= until || at <= from) continue;
      const took = at - last.at;
      const most = Math.max(...waited.map((ms, index) => ms - (last.waited[index] ?? ms)));
      sum += (Math.min(most / took, 1) || 0) * (Math.min(at, until) - Math.max(last.at, from));
    }
    return sum;
  }

  private look(): void {
    this.looks.push({ at: Date.now(), waited: this.processes.map(waitedFor) });
  }
}

/** Milliseconds for which the main thread of a process has waited for a processor; 0 when it ended. */
function waitedFor({ child }: Process): number {
  try {
    const [, waited] = readFileSync(`/proc/${child.pid}/task/${child.pid}/schedstat`, 'utf8').split(' ');
    return Number(waited) / 1e6;
  } catch {
    return 0;
  }
}
