import { index } from '@assurance/contracts/events/aggregate';
import { SYSTEM } from '@assurance/contracts/events/streams';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { CLOCK, type Clock, IDS, type Ids, LOGGER, type Logger } from '@assurance/event-sourcing/tokens';
import { type LeasedItem, type WorkItem, WorkQueue } from '@assurance/event-sourcing/work-queue/work-queue';
import { QueueWorkers } from '@assurance/event-sourcing/work-queue/workers';
import { nothing } from '@assurance/kernel';
import type { CollectionDefinition } from '@assurance/storage-ports';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { environmentActivity, type Rhythm } from '../../domain/reports';
import { decideReportMissed, lateAt } from '../../domain/silence';
import { Activity } from '../activity';
import { Environments } from '../environments';

/** How often it is looked for missing reports, and how long one process keeps others from it (milliseconds). */
const EVERY_MS = 30_000;
const LEASE_MS = 30_000;
const REST_MAX_MS = 60_000;
/** How many late environments are read at once. */
const PAGE = 100;
const ALL = 'all';

type Look = Record<never, never>;

/** The one work item of who looks for missing reports. */
const looks: CollectionDefinition<WorkItem<Look>> = {
  name: 'due_looks_for_reports',
  indexes: [index('by_time', 'due', 'notBefore')],
};

/**
 * Notices environments that are not reported any more. One process looks at a time; the event says for which report it missed the next, so a process
 * that dies between event and note causes no second one.
 */
@Injectable()
export class WatchSilence implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly queue: WorkQueue<Look>;
  private readonly workers: QueueWorkers<Look>;
  /** While no process of the service ran, nobody could report. */
  private readonly startedAt: number;
  private stopping = false;

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
      ...{ leaseMs: LEASE_MS, restMaxMs: REST_MAX_MS },
      together: () => ({}),
      cleared: (item) => item,
    });
    this.workers = new QueueWorkers({
      queue: this.queue,
      workers: 1,
      work: (leased) => this.work(leased),
      newId: () => ids.next(),
      onFailure: (err) => logger.warn({ err }, 'missing reports could not be looked for'),
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

  private async work(leased: LeasedItem<Look>): Promise<'rescheduled'> {
    await this.look();
    await this.queue.reschedule(leased, { at: this.clock.now() + EVERY_MS, rest: false, failures: 0 });
    return 'rescheduled';
  }

  /** Looks at each environment of which a report was due by now. */
  async look(): Promise<void> {
    const until = this.clock.now();
    const collection = this.streams.engines.documents.collection(environmentActivity);
    while (!this.stopping) {
      const due = await collection.find({ where: { lateAt: { gte: 0, lte: until } }, limit: PAGE });
      for (const { id } of due) {
        if (this.stopping) return;
        await this.lookAt(id, until).catch((err: unknown) => this.lookLater(id, until, err));
      }
      if (due.length < PAGE) return;
    }
  }

  /** An environment that cannot be looked at, as one whose records are damaged, keeps nobody from looking at others. */
  private async lookLater(id: string, until: number, err: unknown): Promise<void> {
    this.logger.warn({ err, environment: id }, 'a missing report could not be recorded');
    await this.streams.engines.documents.collection(environmentActivity).merge([id], (current) => {
      if (current?.lateAt === undefined || current.lateAt > until) return undefined;
      return { ...current, lateAt: until + EVERY_MS };
    });
  }

  /** Leaves no environment due at `until`, so that the next page has others. */
  private async lookAt(id: string, until: number): Promise<void> {
    const found = await this.environments.present(id);
    const environment = found?.environment;
    let rhythm: Rhythm | null = null;
    let next: number | null = null;
    let missed: number | null = null;
    if (environment !== undefined) {
      const by = { org: environment.org, actor: SYSTEM, correlation: this.ids.next() };
      const ended = await this.environments.run(id, by, async (present, at) => {
        if (present === null) return nothing;
        rhythm = await this.activity.rhythm(present.environment);
        next = rhythm === null ? null : lateAt(present.environment, rhythm, this.startedAt);
        return decideReportMissed(present.environment, { rhythm, listeningSince: this.startedAt, at });
      });
      missed = ended.kind === 'refused' ? null : (ended.state?.missed?.lastReceivedAt ?? null);
    }
    await this.streams.engines.documents.collection(environmentActivity).merge([id], (current) => {
      // A report that came meanwhile said itself when the next one is due.
      if (current?.lateAt === undefined || current.lateAt > until) return undefined;
      const { lateAt: _, late: __, ...rest } = current;
      if (environment === undefined || environment.archived || next === null) return rest;
      return missed !== null && missed >= (rhythm?.receivedAt ?? 0)
        ? { ...rest, late: true }
        : { ...rest, lateAt: Math.max(next, until + 1) };
    });
  }
}
