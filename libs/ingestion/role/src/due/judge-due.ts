import { CLOCK, type Clock, IDS, type Ids, LOGGER, type Logger } from '@assurance/http';
import { type Due, DueMarks, DueWorkers, type TakenEnvironment } from '@assurance/due';
import type { Commit } from '@assurance/storage-ports';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Environments } from '../environments';
import { Streams } from '../streams';
import { dueAfter } from './due-after';
import { JudgeAgain } from './judge-again';
import { unionsDueAfter } from './unions-due';
import { UniteMembers } from './unite-members';

/** How many environments are judged at once; most of the time they wait for a thread. And of one organization. */
const WORKERS = 8;
const OF_ONE_ORGANIZATION = 2;

/** From which failure in a row on somebody should look. */
const ALARM = 4;

/** Judges environments again: marks those that commits make due, and takes due ones while the application runs. */
@Injectable()
export class JudgeDue implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly marks: DueMarks;
  private readonly workers: DueWorkers<Due>;

  constructor(
    private readonly streams: Streams,
    judge: JudgeAgain,
    unite: UniteMembers,
    environments: Environments,
    @Inject(CLOCK) clock: Clock,
    @Inject(IDS) ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.marks = new DueMarks(streams.engines.documents, () => clock.now());
    this.workers = new DueWorkers({
      marks: this.marks,
      work: async ({ id: environment, mark }) => {
        const present = await environments.present(environment);
        await (present?.environment.type === 'logical' ? unite : judge).do(environment, mark);
      },
      workers: WORKERS,
      ofOneOwner: OF_ONE_ORGANIZATION,
      newId: () => ids.next(),
      onFailure: (error, taken) => this.failed(error, taken),
    });
  }

  onApplicationBootstrap(): void {
    this.workers.start();
  }

  /** Running work ends. Work items stay for the next worker. */
  async onApplicationShutdown(): Promise<void> {
    await this.workers.stop();
  }

  /** Marks what some commits make due. Harmless when they come again. */
  async follow(batch: readonly Commit[]): Promise<void> {
    const due = await dueAfter(this.streams.engines, batch);
    for (const [id, union] of await unionsDueAfter(this.streams.engines.documents, batch)) due.set(id, union);
    if (due.size === 0) return;
    await this.marks.mark(due);
    this.workers.wake();
  }

  private failed(err: unknown, taken: TakenEnvironment | null): void {
    if (taken === null) {
      this.logger.warn({ err }, 'environments that are due could not be read');
      return;
    }
    const { id: environment, mark } = taken;
    const fields = { err, environment, correlation: mark.correlation, failures: mark.failures + 1 };
    if (fields.failures < ALARM) this.logger.warn(fields, 'an environment could not be judged again');
    else this.logger.error(fields, 'an environment could not be judged again');
  }
}
