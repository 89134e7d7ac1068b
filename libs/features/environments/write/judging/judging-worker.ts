import { Streams } from '@assurance/event-sourcing/command/streams';
import { CLOCK, type Clock, IDS, type Ids, LOGGER, type Logger } from '@assurance/event-sourcing/tokens';
import { QueueWorkers } from '@assurance/event-sourcing/work-queue/workers';
import { workFor } from '@assurance/kernel';
import type { Commit } from '@assurance/storage-ports';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { JudgingQueue, type LeasedEnvironment } from '../../judging/judging-queue';
import type { JudgingWork } from '../../judging/work';
import { Environments } from '../environments';
import { JudgeAgain } from './judge-again';
import { unionWorkAfter } from './union-work';
import { UniteMembers } from './unite-members';
import { workAfter } from './work-after';

/** How many environments are judged at once; most of the time they wait for a thread. And of one organization. */
const WORKERS = 8;
const OF_ONE_ORGANIZATION = 2;

/** From this number of failures in a row, an operator should look. */
const ALARM = 4;

/** Judges environments again: enqueues those that commits make due, and works on them while the application runs. */
@Injectable()
export class JudgingWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly queue: JudgingQueue;
  private readonly workers: QueueWorkers<JudgingWork>;

  constructor(
    private readonly streams: Streams,
    judge: JudgeAgain,
    unite: UniteMembers,
    environments: Environments,
    @Inject(CLOCK) clock: Clock,
    @Inject(IDS) ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.queue = new JudgingQueue(streams.engines.documents, () => clock.now());
    this.workers = new QueueWorkers({
      queue: this.queue,
      work: ({ id: environment, item }) =>
        workFor(item.org, async () => {
          const current = await environments.find(environment);
          await (current?.environment.type === 'logical' ? unite : judge).do(environment, item);
        }),
      workers: WORKERS,
      workersPerOwner: OF_ONE_ORGANIZATION,
      newId: () => ids.next(),
      onFailure: (error, leased) => this.noteFailure(error, leased),
    });
  }

  onApplicationBootstrap(): void {
    this.workers.start();
  }

  /** Running work ends. Work items stay for the next worker. */
  async onApplicationShutdown(): Promise<void> {
    await this.workers.stop();
  }

  /** Enqueues what some commits make due. Harmless when they come again. */
  async follow(batch: readonly Commit[]): Promise<void> {
    const work = await workAfter(this.streams.engines, batch);
    for (const [id, union] of await unionWorkAfter(this.streams.engines.documents, batch)) work.set(id, union);
    if (work.size === 0) return;
    await this.queue.enqueue(work);
    this.workers.wake();
  }

  /** Enqueues environments when another feature has new data about the artifacts that run there. */
  async judgeAgain(due: ReadonlyMap<string, JudgingWork>): Promise<void> {
    await this.queue.enqueue(due);
    this.workers.wake();
  }

  private noteFailure(err: unknown, leased: LeasedEnvironment | null): void {
    if (leased === null) {
      this.logger.warn({ err }, 'the environments to judge could not be read');
      return;
    }
    const { id: environment, item } = leased;
    const fields = { err, environment, correlation: item.correlation, failures: item.failures + 1 };
    if (fields.failures < ALARM) this.logger.warn(fields, 'an environment could not be judged again');
    else this.logger.error(fields, 'an environment could not be judged again');
  }
}
