import { refuseUnknown, UnknownEvent } from '@assurance/contracts/events/codec';
import { kindOf } from '@assurance/contracts/events/streams';
import { groupBy } from '@assurance/kernel';
import {
  type Commit,
  type Documents,
  type EventStore,
  type Feed,
  StoreBusy,
  StoreFull,
  StoreUnavailable,
} from '@assurance/storage-ports';
import type { Clock, Logger } from '../tokens';
import type { ParkedStreams } from './parked-streams';

export type BatchHandler = (batch: readonly Commit[]) => Promise<void>;

/** A group in which a role consumes the feed. Handlers: `@EventPattern(COMMITS, transport)`. */
export interface ConsumerGroup {
  /** Never changes, because it is the key of the group's checkpoint. */
  readonly group: string;
  /** Distinguishes the consumer from consumers of other roles in the same process. */
  readonly transport: symbol;
  /** The kinds of streams that the consumer processes; absent: all. Commits of other streams are skipped without reading their events. */
  readonly kinds?: ReadonlySet<string>;
  /** If this process does not have this port, it does not join the group. */
  readonly onlyWith?: 'public-events';
}

/** The configuration of a consumer group of the feed. */
export interface FeedStrategyOptions {
  /** The role's `group` and `transport`. */
  readonly consumes: ConsumerGroup;
  readonly ports: { readonly feed: Feed; readonly events: EventStore; readonly documents: Documents };
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  readonly sleep: (ms: number) => Promise<void>;
  /** The pauses before the second, third, … attempt of a commit (milliseconds). If the last attempt fails, its stream is parked. */
  readonly delays?: readonly number[];
  /** The most commits of one batch (1 to 500). */
  readonly maxBatch?: number;
}

/** The result of a replay. */
export interface ReplayResult {
  readonly streams: number;
  /** Streams that failed again and stay parked. */
  readonly failedStreams: readonly string[];
}

const DELAYS = [50, 250, 1_000];
const REPLAY_PAGE = 100;

/**
 * Passes batches to a handler. A batch that fails is passed again commit by commit, separately for each stream. A
 * stream that keeps failing is parked with its later commits, and the other streams continue. If a fault concerns
 * every stream (no store, no disk space), no stream is parked, and the whole batch is delivered again. The same applies
 * to a batch with an event that the consumer does not know.
 */
export class Delivery {
  private readonly handle: BatchHandler;

  constructor(
    handle: BatchHandler,
    private readonly parkedStreams: ParkedStreams,
    private readonly options: FeedStrategyOptions,
  ) {
    this.handle = async (batch) => {
      // This applies even if the handler ignores the event. A newer version of the handler may use it, so the position
      // must not pass it before then.
      for (const commit of batch) refuseUnknown(commit);
      await handle(batch);
    };
  }

  /**
   * @throws UnknownEvent when the consumer must stop
   * @throws StoreUnavailable, StoreFull, StoreBusy when the batch must be delivered again
   */
  async deliver(batch: readonly Commit[]): Promise<void> {
    const { kinds } = this.options.consumes;
    const commitsOfKinds = kinds === undefined ? batch : batch.filter(({ stream }) => kinds.has(kindOf(stream)));
    const live = commitsOfKinds.length === 0 ? commitsOfKinds : await this.parkedStreams.excludeParked(commitsOfKinds);
    if (live.length === 0) return;
    try {
      await this.handle(live);
      return;
    } catch (error) {
      if (!belongsToOneStream(error)) throw error;
      const { consumes, logger } = this.options;
      logger.warn(
        { err: error, group: consumes.group, commits: live.length },
        'a batch of commits failed; its streams are processed one by one',
      );
    }
    for (const commits of groupBy(live, ({ stream }) => stream).values()) await this.deliverStream(commits);
  }

  /**
   * Processes parked streams in order, from the event store. A stream that fails again stays parked from that commit
   * on.
   */
  async replay(): Promise<ReplayResult> {
    const failedStreams: string[] = [];
    const parkedNow = await this.parkedStreams.all();
    for (const { stream, from } of parkedNow) {
      const next = await this.replayStream(stream, from);
      if (next === null) failedStreams.push(stream);
      else {
        await this.parkedStreams.release(stream, next - 1);
        // Commits that arrived while the stream was parked were skipped, so they are read here. The feed delivers the
        // later ones, and may repeat some.
        if ((await this.replayStream(stream, next)) === null) failedStreams.push(stream);
      }
    }
    return { streams: parkedNow.length, failedStreams };
  }

  /** @returns the seq after the last handled commit, null when the stream was parked again */
  private async replayStream(stream: string, from: number): Promise<number | null> {
    for (let next = from; ;) {
      const page = await this.options.ports.events.read(stream, next, REPLAY_PAGE);
      if (!(await this.deliverStream(page))) return null;
      const last = page.at(-1);
      if (last === undefined) return next;
      next = last.seq + 1;
    }
  }

  /** @returns false when the stream was parked */
  private async deliverStream(commits: readonly Commit[]): Promise<boolean> {
    for (const commit of commits) {
      const error = await this.attempt(commit);
      if (error === null) continue;
      const { consumes, clock, logger } = this.options;
      const { stream, seq, correlation } = commit;
      logger.error({ err: error, group: consumes.group, stream, seq, correlation }, 'a stream was parked');
      await this.parkedStreams.park({ stream, from: seq, error: String(error).slice(0, 1_000), at: clock.now() });
      return false;
    }
    return true;
  }

  /** @returns null, or why the last attempt failed */
  private async attempt(commit: Commit): Promise<unknown> {
    const { delays = DELAYS, sleep } = this.options;
    for (let attempt = 0; ; attempt += 1) {
      try {
        await this.handle([commit]);
        return null;
      } catch (error) {
        if (!belongsToOneStream(error)) throw error;
        const delay = delays[attempt];
        if (delay === undefined) return error ?? new Error('failed without an error');
        await sleep(delay);
      }
    }
  }
}

/** Faults of the whole store, which no single stream causes. */
const OF_THE_STORE = [StoreUnavailable, StoreFull, StoreBusy];

/** Whether an error may concern one stream alone, so that other streams may continue. */
export function belongsToOneStream(error: unknown): boolean {
  return !(error instanceof UnknownEvent || OF_THE_STORE.some((kind) => error instanceof kind));
}
