import { streams, SYSTEM } from '@assurance/contracts/events/streams';
import type { EvaluationCompleted, EvaluationFailure } from '@assurance/contracts/policies/events';
import { Evaluator } from '@assurance/evaluator';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { CLOCK, type Clock, IDS, type Ids, LOGGER, type Logger } from '@assurance/event-sourcing/tokens';
import type { LeasedItem } from '@assurance/event-sourcing/work-queue/work-queue';
import { QueueWorkers } from '@assurance/event-sourcing/work-queue/workers';
import { workFor } from '@assurance/kernel';
import { type Commit, getAll } from '@assurance/storage-ports';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ABANDONED, decideEndEvaluation, isAbandoned } from '../../domain/evaluation/decide';
import { evaluation } from '../../domain/evaluation/evaluation';
import { readEvaluationInput } from '../../lookups/evaluation-input';
import { EvaluationQueue, evaluationsIn, type EvaluationWork } from './evaluation-queue';

/** How many evaluations run at once, and how many of one organization: as many as the evaluator has threads for. */
const WORKERS = 4;
const OF_ONE_ORGANIZATION = 1;

/** Evaluates policies in Rego. If the process ends in between, another one evaluates the same files and input. Each evaluation ends once. */
@Injectable()
export class EvaluationWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly queue: EvaluationQueue;
  private readonly workers: QueueWorkers<EvaluationWork>;

  constructor(
    private readonly streams: Streams,
    private readonly evaluator: Evaluator,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) ids: Ids,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.queue = new EvaluationQueue(streams.engines.documents, () => clock.now());
    this.workers = new QueueWorkers({
      queue: this.queue,
      workers: WORKERS,
      workersPerOwner: OF_ONE_ORGANIZATION,
      work: (leased) => workFor(leased.item.org, () => this.work(leased)),
      newId: () => ids.next(),
      onFailure: (err, leased) => logger.warn({ err, evaluation: leased?.id }, 'a policy could not be evaluated'),
    });
  }

  onApplicationBootstrap(): void {
    this.workers.start();
  }

  /** Waits until the running evaluations end. Due ones stay for the next process. */
  async onApplicationShutdown(): Promise<void> {
    await this.workers.stop();
  }

  /** Enqueues the evaluations that some commits request. It may receive the same commits again. */
  async follow(batch: readonly Commit[]): Promise<void> {
    const requested = evaluationsIn(batch);
    const states = await getAll(this.streams.states(evaluation), [...requested.keys()].map(streams.evaluation));
    for (const { id, status } of states.values()) if (status !== 'pending') requested.delete(id);
    await this.enqueue(requested);
  }

  async enqueue(work: ReadonlyMap<string, EvaluationWork>): Promise<void> {
    if (work.size === 0) return;
    await this.queue.enqueue(work);
    this.workers.wake();
  }

  /** Ends an evaluation, unless it has ended. */
  async end(
    id: string,
    { org, correlation }: EvaluationWork,
    outcome: EvaluationCompleted['data'] | EvaluationFailure,
  ): Promise<void> {
    const by = { org, actor: SYSTEM, correlation };
    await this.streams.run(evaluation, streams.evaluation(id), by, ({ state }) => decideEndEvaluation(state, outcome));
  }

  private async work({ id, item }: LeasedItem<EvaluationWork>): Promise<void> {
    const { state } = await this.streams.load(evaluation, streams.evaluation(id));
    if (state?.status === 'pending') {
      const outcome = isAbandoned(state, this.clock.now()) ? ABANDONED : await this.evaluate(id, state);
      await this.end(id, item, outcome);
    }
    await this.queue.remove(id);
  }

  /** @throws OrganizationBusy, Busy */
  private async evaluate(
    id: string,
    { org, digest, requestedAt }: { readonly org: string; readonly digest: string; readonly requestedAt: number },
  ): Promise<EvaluationCompleted['data'] | EvaluationFailure> {
    const kept = await readEvaluationInput(this.streams.engines.events, id);
    if (kept === null) throw new Error(`the evaluation ${id} is pending and has no input`);
    const answer = await this.evaluator.evaluateRego(org, {
      digest,
      files: JSON.stringify(kept.files),
      input: kept.input,
      params: JSON.stringify(kept.params),
      time: `${requestedAt}000000`,
    });
    switch (answer.kind) {
      case 'evaluated':
        return { allow: (JSON.parse(answer.result) as { readonly allow: boolean }).allow, result: answer.result };
      case 'compiled':
        throw new Error(`the evaluation ${id} was compiled alone`);
      default:
        return { kind: answer.kind, message: answer.message };
    }
  }
}
