import { setTimeout as sleep } from 'node:timers/promises';
import type { Metrics } from './metrics';
import { Outbox } from './outbox';
import type { Report, Source } from './report';
import { sendReport, type Target } from './service';

/** When a change leads to a look. */
const AFTER_CHANGES = {
  /** Changes within this time become one report: a rolling update changes many pods within seconds. */
  settleMs: 2_000,
  /** The least time between two looks: a pod that restarts again and again changes several times a second. */
  apartMs: 10_000,
};

/** One line of the log. */
export interface LogEntry {
  readonly level: 'info' | 'error';
  readonly environment: string;
  readonly message: string;
}
export type Log = (entry: LogEntry) => void;

/** Reads the state of one environment and reports it. */
export class Reporter {
  private readonly outbox: Outbox<Report>;
  private failed = false;

  constructor(
    readonly target: Target,
    readonly source: Source,
    private readonly metrics: Metrics,
    private readonly log: Log,
    private readonly signal: AbortSignal,
    /** For how long a report is sent again; without it, until the next one. */
    private readonly retrySeconds = Infinity,
  ) {
    this.outbox = new Outbox(async (report) => this.send(report), signal, retrySeconds * 1_000);
  }

  /** Reads the state once and sends it, with retries. @returns whether the service accepted it */
  async runOnce(): Promise<boolean> {
    this.failed = false;
    await this.look();
    const isSent = await this.outbox.waitUntilSent();
    const message = `The report is not sent: the service did not take it within ${this.retrySeconds} s.`;
    if (!isSent) this.log({ level: 'error', environment: this.target.environment, message });
    return isSent && !this.failed;
  }

  /** Reads the state at every interval, and soon after the source reports a change, until the signal aborts. */
  async follow(intervalSeconds: number, { settleMs, apartMs } = AFTER_CHANGES): Promise<void> {
    const waiter = { wake: () => undefined as void };
    const watching = this.source.watch?.(() => waiter.wake(), this.signal);
    while (!this.signal.aborted) {
      const change = new Promise<void>((resolve) => (waiter.wake = resolve));
      const lookedAt = performance.now();
      await this.look();
      const pause = new AbortController();
      const anySignal = AbortSignal.any([pause.signal, this.signal]);
      const poll = sleep(intervalSeconds * 1_000, undefined, { signal: anySignal }).catch(() => undefined);
      const event = change.then(async () => {
        const waitMs = Math.max(settleMs, apartMs - (performance.now() - lookedAt));
        await sleep(waitMs, undefined, { signal: anySignal }).catch(() => undefined);
      });
      await Promise.race([poll, event]);
      pause.abort();
    }
    await watching;
    await this.outbox.waitUntilSent();
  }

  /** Returns the body, for a dry run. */
  async body(): Promise<Report> {
    return this.source.collect();
  }

  private async look(): Promise<void> {
    const { environment, kind } = this.target;
    try {
      const report = await this.source.collect();
      this.metrics.countListed(environment, kind, report.artifacts.length);
      this.outbox.put(report);
    } catch (fault) {
      this.failed = true;
      this.metrics.count(environment, kind, 'incomplete');
      const reason =
        fault instanceof Error ? `${fault.name === 'Error' ? '' : `${fault.name}: `}${fault.message}` : String(fault);
      this.log({ level: 'error', environment, message: `The list is incomplete, so nothing is sent: ${reason}` });
    }
    this.metrics.countLook(environment);
  }

  private async send(report: Report) {
    const { environment, kind } = this.target;
    const { outcome, text } = await sendReport(this.target, report);
    const sent = outcome.kind === 'sent';
    if (!sent) this.failed = outcome.kind === 'refused';
    this.metrics.count(environment, kind, sent ? 'sent' : outcome.kind === 'refused' ? 'refused' : 'unreachable');
    const items = report.artifacts.length;
    const message = sent
      ? `${items} items reported: ${text}`
      : `${text.replace(/\.$/, '')}${outcome.kind === 'again' ? '; it is tried again' : ''}`;
    this.log({ level: sent ? 'info' : 'error', environment, message });
    return outcome;
  }
}
