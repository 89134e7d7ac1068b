import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import { BackgroundRead } from '../background-read';

/** How often stores are read (milliseconds). */
const EVERY_MS = 5_000;
/** The age beyond which a figure is not shown (milliseconds). Some reads may fail or be slow. */
const AGE_MAX_MS = 15_000;
/** How long a reader of metrics waits for newer values (milliseconds). */
const WAIT_MS = 25;

/** One value of a figure. */
export interface StoredValue {
  /** The value of the label of the figure; empty without a label. */
  readonly label: string;
  readonly read: () => Promise<number>;
}

/**
 * Figures that are read from stores in the background, so that metrics are answered soon whatever a store does. Whoever asks for metrics gets
 * values of that moment from stores that answer at once. A figure that could not be read for a while is absent, and its age is always shown.
 */
export class StoredFigures {
  private readonly values: {
    readonly metric: string;
    readonly series: string;
    readonly read: BackgroundRead<number>;
  }[] = [];
  private readonly servers: BackgroundRead<true>[] = [];

  constructor(
    private readonly registry: Registry,
    private readonly steady: () => number,
  ) {
    const { values } = this;
    new Gauge({
      name: 'assurance_metric_age_seconds',
      help: 'Time since a metric was read from its store, by metric and value of its label. It is absent beyond 15 s',
      labelNames: ['metric', 'series'],
      registers: [registry],
      collect() {
        for (const { metric, series, read } of values) this.set({ metric, series }, read.age() / 1_000);
      },
    });
  }

  /** @param labelName null for a figure with one value */
  add(metric: string, help: string, labelName: string | null, values: readonly StoredValue[]): void {
    const reads = values.map(({ label, read }) => ({
      labels: labelName === null ? {} : { [labelName]: label },
      series: label,
      read: new BackgroundRead(read, { everyMs: EVERY_MS, steady: this.steady }),
    }));
    this.values.push(...reads.map(({ series, read }) => ({ metric, series, read })));
    new Gauge({
      name: metric,
      help,
      labelNames: labelName === null ? [] : [labelName],
      registers: [this.registry],
      collect() {
        for (const { labels, read } of reads) {
          const value = read.value(AGE_MAX_MS);
          if (value === null) this.remove(labels);
          else this.set(labels, value);
        }
      },
    });
  }

  /** Shows whether a server answers: 1 if it did within the last 15 s, or the process has just started; else 0. */
  addReachable(metric: string, help: string, reach: () => Promise<void>): void {
    const { steady } = this;
    const read = new BackgroundRead<true>(() => reach().then(() => true), { everyMs: EVERY_MS, steady, initial: true });
    this.servers.push(read);
    new Gauge({
      name: metric,
      help,
      registers: [this.registry],
      collect() {
        this.set(read.value(AGE_MAX_MS) === null ? 0 : 1);
      },
    });
  }

  /** Reads everything again, and waits a little for it. */
  async refresh(): Promise<void> {
    const all = Promise.all(this.reads.map((read) => read.refresh()));
    await Promise.race([all, sleep(WAIT_MS)]);
  }

  /** Reads no more by itself. */
  stop(): void {
    for (const read of this.reads) read.stop();
  }

  private get reads(): readonly BackgroundRead<unknown>[] {
    return [...this.values.map(({ read }) => read), ...this.servers];
  }
}
