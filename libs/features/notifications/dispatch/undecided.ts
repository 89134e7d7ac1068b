import type { Clock, Ids } from '@assurance/event-sourcing/tokens';
import { WorkQueue } from '@assurance/event-sourcing/work-queue/work-queue';
import { QueueWorkers } from '@assurance/event-sourcing/work-queue/workers';
import type { Documents } from '@assurance/storage-ports';
import type { DeploymentResults } from '../lookups/deployment-results';
import type { UndecidedCommits, UndecidedQueue } from './undecided-queue';

/** How long an environment waits until its deployments are decided (milliseconds). */
const WAIT_MS = 10_000;
/** How many environments of a process wait at the same time. Others wait longer. */
const WORKERS = 64;
/** The longest pause after failures (milliseconds). */
const PAUSE_MAX_MS = 60_000;

interface Parts {
  readonly documents: Documents;
  readonly queue: UndecidedQueue;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Pick<Ids, 'next'>;
  readonly results: Pick<DeploymentResults, 'reach'>;
  /** Sends commits of an environment, as far as they are decided. It may run more than once. */
  readonly send: (stream: string, commits: UndecidedCommits) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/** Environments whose deployments are not decided yet. Each waits by itself, so no other one waits with it. */
export class UndecidedStreams {
  private readonly queue: WorkQueue<UndecidedCommits>;
  private readonly workers: QueueWorkers<UndecidedCommits>;

  constructor(private readonly parts: Parts) {
    const { documents, clock, ids, results, send } = parts;
    this.queue = new WorkQueue(documents.collection(parts.queue), () => clock.now(), {
      leaseMs: 3 * WAIT_MS,
      pauseMaxMs: PAUSE_MAX_MS,
      together: (current, { from, to }) => ({
        from: Math.min(current?.from ?? from, from),
        to: Math.max(current?.to ?? to, to),
      }),
      cleared: (item) => item,
    });
    this.workers = new QueueWorkers({
      queue: this.queue,
      workers: WORKERS,
      newId: () => ids.next(),
      onFailure: parts.onFailure,
      work: async ({ id: stream, item }) => {
        await results.reach({ stream, seq: item.to }, WAIT_MS);
        await send(stream, item);
      },
    });
  }

  /** @param commits by stream */
  async add(commits: ReadonlyMap<string, UndecidedCommits>): Promise<void> {
    if (commits.size === 0) return;
    await this.queue.enqueue(commits);
    this.workers.wake();
  }

  /** Those of some streams that wait. @param streams at most 1,000 */
  async waiting(streams: readonly string[]): Promise<Set<string>> {
    const items = await this.parts.documents.collection(this.parts.queue).getMany(streams);
    return new Set([...items].flatMap(([stream, { due }]) => (due ? [stream] : [])));
  }

  start(): void {
    this.workers.start();
  }

  stop(): Promise<void> {
    return this.workers.stop();
  }
}
