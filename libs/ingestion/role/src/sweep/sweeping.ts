import { DueWorkers, type Mark, Marks } from '@assurance/due';
import { CLOCK, type Clock, IDS, type Ids, LOGGER, type Logger, PORTS, type Ports } from '@assurance/http';
import type { CollectionDefinition } from '@assurance/storage-ports';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { GROUP } from '../group';
import { CountStored } from './count-stored';
import { SweepBlobs } from './sweep-blobs';

/** From the end of one round to the next (milliseconds). */
const EVERY_MS = 24 * 3_600_000;
/** How long one turn goes on with steps, and how long others have theirs before the next (milliseconds). */
const TURN_MS = 200;
const PAUSE_MS = 1_000;
const LEASE_MS = 60_000;
/** What there is to do, by the ids of its marks. */
const BLOBS = 'blobs';
const COUNT = 'count';

const sweeps: CollectionDefinition<Mark<object>> = {
  name: 'blob_sweeps',
  indexes: [
    {
      name: 'by_time',
      fields: [
        ['due', 'asc'],
        ['notBefore', 'asc'],
      ],
    },
  ],
};

/** Sweeps blobs once a day while the application runs, and counts once what was stored before it was counted; one process at a time. */
@Injectable()
export class Sweeping implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly marks: Marks<object>;
  private readonly workers: DueWorkers<object>;
  private readonly count: CountStored;

  constructor(
    @Inject(PORTS) ports: Ports,
    @Inject(CLOCK) clock: Clock,
    @Inject(IDS) ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const sweep = new SweepBlobs(ports, () => clock.now(), GROUP);
    this.count = new CountStored(ports, () => clock.now());
    this.marks = new Marks(ports.documents.collection(sweeps), () => clock.now(), {
      leaseMs: LEASE_MS,
      restMaxMs: EVERY_MS,
      together: (_, next) => next,
      cleared: (mark) => mark,
    });
    this.workers = new DueWorkers({
      marks: this.marks,
      workers: 1,
      work: async (taken) => {
        const end = clock.steady() + TURN_MS;
        const task = taken.id === COUNT ? this.count : sweep;
        await task.begin();
        let more = true;
        while (more && clock.steady() < end) more = await task.step();
        const again = { at: clock.now() + (more ? PAUSE_MS : EVERY_MS), rest: !more, failures: 0 };
        await this.marks.again(taken, again);
        return 'kept';
      },
      newId: () => ids.next(),
      onFailure: (err, taken) =>
        this.logger.warn({ err, task: taken?.id }, 'the sweep of blobs or the count of stored bytes failed'),
    });
  }

  /** The first marks of an installation are the only ones: from then on each is always due at some time. */
  async onApplicationBootstrap(): Promise<void> {
    await this.count.begin();
    await this.marks.mark(
      new Map([
        [BLOBS, {}],
        [COUNT, {}],
      ]),
    );
    this.workers.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.workers.stop();
  }
}
