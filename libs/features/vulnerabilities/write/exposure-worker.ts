import { index } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import { JudgingWorker } from '@assurance/environments/write/judging/judging-worker';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { CLOCK, type Clock, IDS, type Ids, LOGGER, type Logger } from '@assurance/event-sourcing/tokens';
import { DueRows } from '@assurance/event-sourcing/work-queue/due-rows';
import { FairWorkQueue } from '@assurance/event-sourcing/work-queue/fair-work-queue';
import type { LeasedItem, WorkItem } from '@assurance/event-sourcing/work-queue/work-queue';
import { QueueWorkers } from '@assurance/event-sourcing/work-queue/workers';
import { workFor } from '@assurance/kernel';
import type { CollectionDefinition, Commit, Documents } from '@assurance/storage-ports';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { KNOWN_VULNERABILITIES, type KnownVulnerabilities } from '@assurance/policies/lookups/known-vulnerabilities';
import { vulnerabilities } from '../domain/imports';
import { exposureWorkAfter, type ExposureWork, mergeExposureWork } from './exposure-work';
import { FindExposures } from './find-exposures';
import { type GraceEnd, graceEnds } from './grace-ends';

/** How many environments are worked on at once, and how many of one organization. They mostly wait for reads. */
const WORKERS = 8;
const OF_ONE_ORGANIZATION = 2;
/** How long a worker leases an item (milliseconds). If the work takes longer, a second worker may take the item and finds nothing new. */
const LEASE_MS = 30_000;
const REST_MAX_MS = 60_000;
/** How long an item rests if it waits for a comparison (milliseconds). */
const LATE_MS = 1_000;

/** Environments that are searched for vulnerabilities: one document for each, under its id. */
export const exposureItems: CollectionDefinition<WorkItem<ExposureWork>> = {
  name: 'due_exposures',
  indexes: [index('by_time', 'due', 'notBefore'), index('by_organization', 'due', 'org', 'notBefore')],
};

/** The work queue of these environments. An import makes all environments of its organization due, and delays no other organization. */
export class ExposureQueue extends FairWorkQueue<ExposureWork> {
  /** @param now integer milliseconds */
  constructor(documents: Documents, now: () => number) {
    super(documents.collection(exposureItems), now, {
      leaseMs: LEASE_MS,
      pauseMaxMs: REST_MAX_MS,
      together: mergeExposureWork,
      cleared: (item) => ({ ...item, fingerprints: [], seq: 0 }),
    });
  }
}

/**
 * Searches running artifacts for vulnerabilities when entries, SBOMs or snapshots change and when grace periods end. Then it has the environments
 * judged again. If the process ends in between, the work stays due. A vulnerability is never recorded twice.
 */
@Injectable()
export class ExposureWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly queue: ExposureQueue;
  private readonly workers: QueueWorkers<ExposureWork>;
  private readonly due: DueRows<GraceEnd>;

  constructor(
    private readonly streams: Streams,
    private readonly find: FindExposures,
    private readonly judgingWorker: JudgingWorker,
    @Inject(KNOWN_VULNERABILITIES) private readonly vulnerabilities: KnownVulnerabilities,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.queue = new ExposureQueue(streams.engines.documents, () => clock.now());
    this.workers = new QueueWorkers({
      queue: this.queue,
      workers: WORKERS,
      workersPerOwner: OF_ONE_ORGANIZATION,
      work: (leased) => workFor(leased.item.org, () => this.work(leased)),
      newId: () => ids.next(),
      onFailure: (err, leased) =>
        logger.warn({ err, environment: leased?.id }, 'vulnerabilities of an environment could not be looked for'),
    });
    this.due = new DueRows({
      engines: streams.engines,
      rows: graceEnds,
      then: 'environment',
      clock,
      keyOf: ({ environment }) => environment,
      record: (row) => this.recordEnd(row),
      onFailure: (err, row) =>
        logger.warn({ err, environment: row?.environment }, 'the end of a grace period could not be noted'),
    });
  }

  onApplicationBootstrap(): void {
    this.workers.start();
    this.due.start();
  }

  /** Waits until the running work ends. Work items stay for the next worker. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.workers.stop(), this.due.stop()]);
  }

  /** Enqueues the work that some commits make due. It may receive the same commits again. */
  async follow(batch: readonly Commit[]): Promise<void> {
    const dueWork = await exposureWorkAfter(this.streams.engines, batch);
    if (dueWork.size === 0) return;
    await this.queue.enqueue(dueWork);
    this.workers.wake();
  }

  private async work(leasedItem: LeasedItem<ExposureWork>): Promise<void | 'rescheduled'> {
    const { id, item } = leasedItem;
    const { org, fingerprints, correlation } = item;
    // Wait for statements that were imported before this work: a vulnerability that they exclude must not be reported.
    const imports = await this.streams.states(vulnerabilities).get(streams.vulnerabilities(org));
    const seq = Math.max(item.seq, imports?.seq ?? 0);
    if (seq > 0 && !(await this.vulnerabilities.hasCompared(org, seq))) return this.later(leasedItem);
    const { isJudged, isComplete } = await this.find.of(id, item);
    if (isJudged) await this.judgingWorker.judgeAgain(new Map([[id, { org, fingerprints, correlation }]]));
    return isComplete ? undefined : this.later(leasedItem);
  }

  private async later(leased: LeasedItem<ExposureWork>): Promise<'rescheduled'> {
    await this.queue.reschedule(leased, { at: this.clock.now() + LATE_MS, rest: false, failures: 0 });
    return 'rescheduled';
  }

  /** Clears the due time of the row only after the work is enqueued. */
  private async recordEnd({ org, environment, due }: GraceEnd): Promise<void> {
    const work = { org, fingerprints: null, correlation: this.ids.next(), seq: 0 };
    await this.queue.enqueue(new Map([[environment, work]]));
    await this.streams.engines.documents.collection(graceEnds).merge([environment], (current) => {
      return current?.due === due ? { ...current, due: -1 } : undefined;
    });
    this.workers.wake();
  }
}
