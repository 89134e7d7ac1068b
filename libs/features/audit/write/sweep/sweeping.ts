import { index } from '@assurance/contracts/events/aggregate';
import { GROUP } from '@assurance/event-sourcing/command/group';
import { Streams } from '@assurance/event-sourcing/command/streams';
import {
  CLOCK,
  type Clock,
  IDS,
  type Ids,
  LOGGER,
  type Logger,
  PORTS,
  type Ports,
} from '@assurance/event-sourcing/tokens';
import { type WorkItem, WorkQueue } from '@assurance/event-sourcing/work-queue/work-queue';
import { QueueWorkers } from '@assurance/event-sourcing/work-queue/workers';
import type { CollectionDefinition } from '@assurance/storage-ports';
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { DropEvidence } from '../drop-evidence';
import { StoredBytesCount } from './stored-bytes-count';
import { PAUSE_MAX_MS, pauseAfter } from './sweep-round';
import { SweepBlobs } from './sweep-blobs';

/** How long one turn runs steps, and how long the pause before the next turn is (milliseconds). */
const TURN_MS = 200;
const PAUSE_MS = 1_000;
const LEASE_MS = 60_000;
/** The sweeps, by the ids of their work items. */
const BLOBS = 'blobs';
const COUNT = 'count';
const RETENTION = 'retention';

const sweeps: CollectionDefinition<WorkItem<object>> = {
  name: 'blob_sweeps',
  indexes: [index('by_time', 'due', 'notBefore')],
};

interface Task {
  readonly steps: {
    begin(): Promise<void>;
    /** @returns whether there is more to do */
    step(): Promise<boolean>;
  };
  /** The pause after all work is done (milliseconds). */
  readonly rest: () => Promise<number> | number;
}

/**
 * Sweeps blobs and applies retention, at intervals or when work is due, and counts the bytes of earlier releases once. Only one process at a time
 * does this.
 */
@Injectable()
export class BlobSweeper implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly queue: WorkQueue<object>;
  private readonly workers: QueueWorkers<object>;
  private readonly count: StoredBytesCount;
  private readonly taskIds: readonly string[];

  constructor(
    streams: Streams,
    @Inject(PORTS) ports: Ports,
    @Inject(CLOCK) clock: Clock,
    @Inject(IDS) ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const sweep = new SweepBlobs(ports, () => clock.now(), GROUP);
    this.count = new StoredBytesCount(ports, () => clock.now());
    const drop = new DropEvidence(ports, streams, GROUP);
    const tasks = new Map<string, Task>([
      [BLOBS, { steps: sweep, rest: async () => pauseAfter(await sweep.took()) }],
      [COUNT, { steps: this.count, rest: () => PAUSE_MAX_MS }],
      [RETENTION, { steps: drop, rest: async () => Math.max(await drop.timeUntilDue(), PAUSE_MS) }],
    ]);
    this.taskIds = [...tasks.keys()];
    this.queue = new WorkQueue(ports.documents.collection(sweeps), () => clock.now(), {
      leaseMs: LEASE_MS,
      pauseMaxMs: PAUSE_MAX_MS,
      together: (_, next) => next,
      cleared: (item) => item,
    });
    this.workers = new QueueWorkers({
      queue: this.queue,
      workers: 1,
      work: async (leased) => {
        const end = clock.steady() + TURN_MS;
        const task = tasks.get(leased.id);
        if (task === undefined) throw new Error(`there is no task ${leased.id}`);
        await task.steps.begin();
        let more = true;
        while (more && clock.steady() < end) more = await task.steps.step();
        const rest = more ? PAUSE_MS : await task.rest();
        const again = { at: clock.now() + rest, rest: !more, failures: 0 };
        await this.queue.reschedule(leased, again);
        return 'rescheduled';
      },
      newId: () => ids.next(),
      onFailure: (err, leased) =>
        this.logger.warn(
          { err, task: leased?.id },
          'the sweep of blobs, the count of stored bytes or the retention failed',
        ),
    });
  }

  /** Runs before the bootstrap file is applied. From then on, commits are counted as they arrive. */
  onModuleInit(): Promise<void> {
    return this.count.begin();
  }

  /** Enqueues the work items. An installation creates them once. Each of them is always rescheduled. */
  async onApplicationBootstrap(): Promise<void> {
    await this.queue.enqueue(new Map(this.taskIds.map((id) => [id, {}])));
    this.workers.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.workers.stop();
  }
}
