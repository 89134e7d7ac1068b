import { orderBy } from '@assurance/contracts/events/aggregate';
import { groupBy, workFor } from '@assurance/kernel';
import type { Commit } from '@assurance/storage-ports';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown, Optional } from '@nestjs/common';
import { belongsToOneStream } from '../feed/delivery';
import { ParkedStreams } from '../feed/parked-streams';
import { commitsOf } from '../sealing/read';
import { CLOCK, type Clock, IDS, type Ids, LOGGER, type Logger, PORTS, type Ports } from '../tokens';
import type { LeasedItem } from '../work-queue/work-queue';
import { QueueWorkers } from '../work-queue/workers';
import { batches } from './batches';
import { dueCommitId, dueCommits, DueOrganizations } from './due-commits';
import { bytesOf, followViews } from './follow-views';
import { Generations } from './generations';
import { liveFollowers } from './live-followers';
import { recordChanges } from './note-changes';
import type { View } from './view';
import { CheckpointCache } from './view-checkpoints';
import { VIEWS } from './views';

/** The consumer group of slow views. It never changes. */
export const SLOW_VIEWS_GROUP = 'vulnerabilities';
/** Overrides `PATIENCE_MS`. */
const PATIENCE = Symbol('patience');

/** How long the feed waits for the commits of a batch (milliseconds). What takes longer is noted, and the feed continues. */
const PATIENCE_MS = 250;
/** How many organizations are processed at once: by batches of the feed, and by workers. */
const AT_ONCE = 8;
const WORKERS = 4;
/** How long an organization is processed before another one gets its turn (milliseconds). A single commit may take longer. */
const TURN_MS = 1_000;
/** How much is processed together: commits, and bytes of their events. One commit may exceed them. */
const PART = 100;
const PART_BYTES = 1024 * 1024;
/** How often a commit is tried before its stream is parked. */
const ATTEMPTS = 3;
/** How long an organization rests that a batch of the feed still processes (milliseconds). It becomes due when that ends. */
const BUSY_MS = 2_000;

/** Commits of a batch that are processed together, and the commits among them that are not processed yet. */
interface Share {
  readonly owner: string;
  readonly orgs: readonly string[];
  readonly remainingCommits: Commit[];
  isBegun: boolean;
  /** Whether the feed no longer waits. */
  isLate: boolean;
}

/**
 * Updates the views that may take seconds for a commit, so that organizations do not wait for each other. Each organization in a batch of the feed is
 * processed by itself. After a short time, the remaining commits are stored as due, and the feed continues with the next batch. Workers process due
 * commits, and organizations take turns. A due commit is forgotten only after its rows and checkpoints are durable, so a killed process loses nothing.
 */
@Injectable()
export class SlowViews implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly views: readonly View[];
  private readonly checkpoints = new CheckpointCache();
  private readonly queue: DueOrganizations;
  private readonly workers: QueueWorkers<{ readonly org: string }>;
  private readonly parkedStreams: ParkedStreams;
  /** The organizations that this process works on. */
  private readonly busyOrgs = new Set<string>();
  /** Work that batches of the feed began. It never rejects. */
  private readonly runningWork = new Set<Promise<void>>();

  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly generations: Generations,
    @Inject(VIEWS) views: readonly View[],
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() @Inject(PATIENCE) private readonly patienceMs: number = PATIENCE_MS,
  ) {
    this.views = views.filter(({ slow }) => slow === true);
    this.parkedStreams = new ParkedStreams(ports.documents, SLOW_VIEWS_GROUP);
    this.queue = new DueOrganizations(ports.documents, () => clock.now());
    this.workers = new QueueWorkers({
      queue: this.queue,
      workers: WORKERS,
      workersPerOwner: 1,
      work: (leased) => workFor(leased.id, () => this.work(leased)),
      newId: () => ids.next(),
      onFailure: (err, leased) => logger.warn({ err, org: leased?.id }, 'due commits could not be processed'),
    });
  }

  onApplicationBootstrap(): void {
    if (this.views.length > 0) this.workers.start();
  }

  /** Waits for the parts that are being processed. Due commits stay for the next start. */
  async onApplicationShutdown(): Promise<void> {
    await this.workers.stop();
    await Promise.all(this.runningWork);
  }

  /**
   * Processes a batch of the feed, or notes commits as due.
   *
   * @throws the error of a view while the feed waits
   */
  async follow(batch: readonly Commit[]): Promise<void> {
    const dueOrgs = await this.queue.dueAmong(new Set(batch.map(({ org }) => org)));
    const waits = (org: string) => dueOrgs.has(org) || this.busyOrgs.has(org);
    const shares = this.sharesOf(batch, waits);
    const waitingShares = shares.filter(({ orgs }) => !orgs.some(waits));
    const startedWork: Promise<void>[] = [];
    const work = async (): Promise<void> => {
      for (let share = waitingShares.shift(); share?.isLate === false; share = waitingShares.shift())
        await this.process(share);
    };
    for (let free = AT_ONCE - this.runningWork.size; free > 0 && waitingShares.length > 0; free -= 1)
      startedWork.push(this.run(work));
    try {
      await waitAtMost(this.patienceMs, Promise.all(startedWork));
    } finally {
      for (const share of shares) share.isLate = true;
    }
    const lateCommits = shares.flatMap(({ remainingCommits }) => remainingCommits);
    if (lateCommits.length === 0) return;
    await this.queue.note(lateCommits);
    await this.leaveTo(shares);
    this.workers.wake();
  }

  /** Keeps other processes from the organizations that shares of this one still process. */
  private async leaveTo(shares: readonly Share[]): Promise<void> {
    const orgs = shares.filter(({ isBegun }) => isBegun).flatMap((share) => share.orgs);
    if (orgs.length === 0) return;
    await this.queue.postpone(orgs.filter((org) => this.busyOrgs.has(org)));
    // Shares that ended meanwhile made their organizations due before they were postponed.
    await this.queue.enqueueAll(orgs.filter((org) => !this.busyOrgs.has(org)));
  }

  /** Runs work that a shutdown waits for. */
  private run(work: () => Promise<void>): Promise<void> {
    const promise = work();
    const settled = promise.then(
      () => undefined,
      () => undefined,
    );
    this.runningWork.add(settled);
    void settled.then(() => this.runningWork.delete(settled));
    return promise;
  }

  /** Splits a batch: the commits of each organization that waits or whose commits concern a view, and those of all other organizations together. */
  private sharesOf(batch: readonly Commit[], waits: (org: string) => boolean): readonly Share[] {
    const share = (owner: string, orgs: readonly string[], left: readonly Commit[]): Share => {
      return { owner, orgs, remainingCommits: [...left], isBegun: false, isLate: false };
    };
    const [shares, others]: [Share[], Commit[]] = [[], []];
    for (const [org, own] of groupBy(batch, (commit) => commit.org)) {
      if (waits(org) || own.some((commit) => this.concerns(commit))) shares.push(share(org, [org], own));
      else others.push(...own);
    }
    if (others.length > 0) shares.push(share('', [...new Set(others.map(({ org }) => org))], others));
    return shares;
  }

  private concerns({ events }: Commit): boolean {
    return events.some(({ type }) => this.views.some(({ types }) => types.has(type)));
  }

  /** Processes a share in parts, until the feed no longer waits. */
  private async process(share: Share): Promise<void> {
    const { owner, orgs, remainingCommits } = share;
    share.isBegun = true;
    for (const org of orgs) this.busyOrgs.add(org);
    try {
      while (remainingCommits.length > 0 && !share.isLate) {
        const part = partOf(remainingCommits, bytesOf);
        await workFor(owner, () => this.take(part));
        // The rest is due by now if the feed did not wait.
        if (!share.isLate) remainingCommits.splice(0, part.length);
      }
    } finally {
      for (const org of orgs) this.busyOrgs.delete(org);
      if (share.isLate) await this.queue.enqueueAll(orgs).finally(() => this.workers.wake());
    }
  }

  private async take(commits: readonly Commit[]): Promise<void> {
    if (commits.length === 0) return;
    const { followers, written } = await liveFollowers(this.generations, this.views, this.checkpoints);
    await followViews(this.ports.events, followers, commits, written);
    // The other group noted these commits before the slow views contained them. Noting them again makes open pages read once more.
    await recordChanges(
      this.ports.documents,
      commits.filter((commit) => this.concerns(commit)),
    );
  }

  /** Processes due commits of an organization for one turn. */
  private async work(leasedItem: LeasedItem<{ readonly org: string }>): Promise<void | 'rescheduled'> {
    const { id: org } = leasedItem;
    if (this.busyOrgs.has(org)) return this.later(leasedItem, BUSY_MS);
    this.busyOrgs.add(org);
    try {
      const start = this.clock.steady();
      do {
        if (!(await this.workOnPart(leasedItem))) return undefined;
      } while (this.clock.steady() - start < TURN_MS);
    } finally {
      this.busyOrgs.delete(org);
    }
    return this.later(leasedItem, 0);
  }

  /** @returns false if nothing was due */
  private async workOnPart({ id: org, item: { failures } }: LeasedItem<{ readonly org: string }>): Promise<boolean> {
    const { documents } = this.ports;
    const collection = documents.collection(dueCommits);
    const rows = await collection.find({ where: { org }, order: orderBy('at'), limit: PART });
    if (rows.length === 0) return false;
    const dueRows = partOf(rows, ({ doc }) => doc.size);
    const doneIds = new Set(dueRows.map(({ id }) => id));
    const commits = await this.commitsAt(dueRows.map(({ doc }) => doc));
    const failedCommits = await this.takeOrPark(await this.parkedStreams.excludeParked(commits), failures);
    for (const { commit } of failedCommits) doneIds.delete(dueCommitId(commit));
    await documents.persist();
    for (const ids of batches([...doneIds])) await collection.write(ids.map((id) => ({ kind: 'forget', id })));
    const [first] = failedCommits;
    if (first !== undefined) throw first.error;
    return true;
  }

  /** Reads due commits from the store. Those of erased streams are gone. */
  private async commitsAt(rows: readonly Pick<Commit, 'stream' | 'seq'>[]): Promise<readonly Commit[]> {
    const commits: Commit[] = [];
    for (const [stream, own] of groupBy(rows, (row) => row.stream)) {
      const seqs = new Set(own.map(({ seq }) => seq));
      const [first, last] = [Math.min(...seqs), Math.max(...seqs)];
      for await (const commit of commitsOf(this.ports.events, stream, first, last)) {
        if (seqs.has(commit.seq)) commits.push(commit);
      }
    }
    return commits;
  }

  /**
   * Processes commits. If that fails, it processes each stream by itself, and parks streams that failed too often.
   *
   * @returns the commits that are still due
   */
  private async takeOrPark(
    commits: readonly Commit[],
    failures: number,
  ): Promise<readonly { readonly commit: Commit; readonly error: unknown }[]> {
    try {
      await this.take(commits);
      return [];
    } catch (error) {
      if (!belongsToOneStream(error)) throw error;
    }
    const failedCommits: { readonly commit: Commit; readonly error: unknown }[] = [];
    for (const [stream, own] of groupBy(commits, (commit) => commit.stream)) {
      try {
        await this.take(own);
      } catch (error) {
        if (!belongsToOneStream(error)) throw error;
        if (failures + 1 < ATTEMPTS) failedCommits.push(...own.map((commit) => ({ commit, error })));
        else {
          const [{ seq }] = own;
          this.logger.error({ err: error, group: SLOW_VIEWS_GROUP, stream, seq }, 'a stream was parked');
          await this.parkedStreams.park({
            stream,
            from: seq,
            error: String(error).slice(0, 1_000),
            at: this.clock.now(),
          });
        }
      }
    }
    return failedCommits;
  }

  private async later(leased: LeasedItem<{ readonly org: string }>, ms: number): Promise<'rescheduled'> {
    await this.queue.reschedule(leased, { at: this.clock.now() + ms, rest: false, failures: 0 });
    return 'rescheduled';
  }
}

/** The first items, within the limits of one part. */
function partOf<Item>(items: readonly Item[], sizeOf: (item: Item) => number): readonly Item[] {
  const part: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    bytes += sizeOf(item);
    if (part.length > 0 && (part.length === PART || bytes > PART_BYTES)) break;
    part.push(item);
  }
  return part;
}

/** Waits for work, or some milliseconds. */
async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const time = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  try {
    await Promise.race([work, time]);
  } finally {
    clearTimeout(timer);
  }
}
