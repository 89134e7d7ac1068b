import type { Environment } from '@assurance/contracts/environments/documents';
import { index } from '@assurance/contracts/events/aggregate';
import { kindOf, SYSTEM } from '@assurance/contracts/events/streams';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { CLOCK, type Clock, IDS, type Ids, LOGGER, type Logger } from '@assurance/event-sourcing/tokens';
import { type LeasedItem, type WorkItem, WorkQueue } from '@assurance/event-sourcing/work-queue/work-queue';
import { QueueWorkers } from '@assurance/event-sourcing/work-queue/workers';
import { noChange } from '@assurance/kernel';
import { type CollectionDefinition, scanPages } from '@assurance/storage-ports';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { environment } from '../../domain/environment';
import { type EnvironmentActivity, environmentActivity, type ReportFrequency } from '../../domain/reports';
import { decideReportMissed, missingNote, nextLateAt } from '../../domain/silence';
import { Activity } from '../activity';
import { Environments } from '../environments';

/** How often a process looks for missing reports, and how long it keeps other processes from looking (milliseconds). */
const EVERY_MS = 30_000;
const LEASE_MS = 30_000;
const PAUSE_MAX_MS = 60_000;
/** How many late environments are read at once. */
const PAGE = 100;
const ALL = 'all';

type SilenceCheck = Record<never, never>;

/** The one work item of who looks for missing reports. */
const looks: CollectionDefinition<WorkItem<SilenceCheck>> = {
  name: 'due_looks_for_reports',
  indexes: [index('by_time', 'due', 'notBefore')],
};

/**
 * Notices environments that are not reported any more. One process looks at a time; the event says for which report it missed the next, so a process
 * that dies between event and note causes no second one.
 */
@Injectable()
export class WatchSilence implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly queue: WorkQueue<SilenceCheck>;
  private readonly workers: QueueWorkers<SilenceCheck>;
  /** While no process of the service ran, nobody could report. */
  private readonly startedAt: number;
  private stopping = false;
  private isComplete = false;

  constructor(
    private readonly streams: Streams,
    private readonly environments: Environments,
    private readonly activity: Activity,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.startedAt = clock.now();
    this.queue = new WorkQueue(streams.engines.documents.collection(looks), () => clock.now(), {
      leaseMs: LEASE_MS,
      pauseMaxMs: PAUSE_MAX_MS,
      together: () => ({}),
      cleared: (item) => item,
    });
    this.workers = new QueueWorkers({
      queue: this.queue,
      workers: 1,
      work: (leased) => this.work(leased),
      newId: () => ids.next(),
      onFailure: (err) => logger.warn({ err }, 'the search for missing reports failed'),
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.queue.enqueue(new Map([[ALL, {}]]));
    this.workers.start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.workers.stop();
  }

  private async work(leased: LeasedItem<SilenceCheck>): Promise<'rescheduled'> {
    if (!this.isComplete) await this.completeNotes();
    this.isComplete = true;
    await this.checkAll();
    await this.queue.reschedule(leased, { at: this.clock.now() + EVERY_MS, rest: false, failures: 0 });
    return 'rescheduled';
  }

  /**
   * Notes what commits say of reports where the process that recorded them ended before it noted that.
   *
   * @param states after the commits, by stream; of environments and of others
   */
  async follow(states: ReadonlyMap<string, object>): Promise<void> {
    const own = [...states].filter(([stream]) => kindOf(stream) === environment.kind);
    const environments = own.map(([, state]) => state as Environment);
    if (environments.length > 0) await this.complete(environments, false);
  }

  /** The same of all environments, as a process that ended long ago may have left them. */
  private async completeNotes(): Promise<void> {
    for await (const page of scanPages(this.streams.states(environment), PAGE)) {
      if (this.stopping) return;
      // States of earlier versions may lack what a later one needs to see that nothing is due.
      const environments = page.map(({ doc }) => doc);
      await this.complete(environments, true);
    }
  }

  /** @param dueOnly only what makes somebody look */
  private async complete(all: readonly Environment[], dueOnly: boolean): Promise<void> {
    const notes = this.streams.engines.documents.collection(environmentActivity);
    const stored = await notes.getMany(all.map(({ id }) => id));
    const missing = (state: Environment, note: EnvironmentActivity | null) => {
      const update = missingNote(state, note, this.startedAt);
      return dueOnly && update?.lateAt === undefined ? null : update;
    };
    for (const state of all) {
      if (missing(state, stored.get(state.id) ?? null) === null) continue;
      await notes.merge([state.id], (current) => missing(state, current) ?? undefined);
    }
  }

  /** Checks each environment with a report that was due by now. */
  async checkAll(): Promise<void> {
    const until = this.clock.now();
    const collection = this.streams.engines.documents.collection(environmentActivity);
    while (!this.stopping) {
      const due = await collection.find({ where: { lateAt: { gte: 0, lte: until } }, limit: PAGE });
      for (const { id } of due) {
        if (this.stopping) return;
        await this.checkEnvironment(id, until).catch((err: unknown) => this.reschedule(id, until, err));
      }
      if (due.length < PAGE) return;
    }
  }

  /** Logs the failure of one environment, such as one with damaged records, and postpones it, so that others are still checked. */
  private async reschedule(id: string, until: number, err: unknown): Promise<void> {
    this.logger.warn({ err, environment: id }, 'a missing report could not be recorded');
    await this.streams.engines.documents.collection(environmentActivity).merge([id], (current) => {
      if (current?.lateAt === undefined || current.lateAt > until) return undefined;
      return { ...current, lateAt: until + EVERY_MS };
    });
  }

  /** Leaves no environment due at `until`, so that the next page has others. */
  private async checkEnvironment(id: string, until: number): Promise<void> {
    const loaded = await this.environments.find(id);
    const existing = loaded?.environment;
    let rhythm: ReportFrequency | null = null;
    let next: number | null = null;
    let missed: number | null = null;
    if (existing !== undefined) {
      const by = { org: existing.org, actor: SYSTEM, correlation: this.ids.next() };
      const ended = await this.environments.run(id, by, async (current, at) => {
        if (current === null) return noChange;
        rhythm = await this.activity.rhythm(current.environment);
        next = nextLateAt(current.environment, rhythm, this.startedAt);
        return decideReportMissed(current.environment, { rhythm, listeningSince: this.startedAt, at });
      });
      missed = ended.kind === 'refused' ? null : (ended.state?.missed?.lastReceivedAt ?? null);
    }
    await this.streams.engines.documents.collection(environmentActivity).merge([id], (current) => {
      // A report that arrived meanwhile has stored when the next one is due.
      if (current?.lateAt === undefined || current.lateAt > until) return undefined;
      const { lateAt: _, late: __, ...rest } = current;
      if (existing === undefined || existing.archived || next === null) return rest;
      return missed !== null && missed >= (rhythm?.receivedAt ?? 0)
        ? { ...rest, late: true }
        : { ...rest, lateAt: Math.max(next, until + 1) };
    });
  }
}
