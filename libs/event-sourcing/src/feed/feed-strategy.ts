import type { INestApplication } from '@nestjs/common';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import { UnknownEvent } from '@assurance/contracts/events/codec';
import type { Commit, FeedConsumer } from '@assurance/storage-ports';
import { Delivery, type FeedStrategyOptions, type ReplayResult } from './delivery';
import { type ParkedStream, ParkedStreams } from './parked-streams';

/**
 * The pattern under which a role receives commits: `@EventPattern(COMMITS, TRANSPORT)` with the role's own transport
 * symbol (`ConsumerGroup.transport`). The data is a batch, `readonly Commit[]`. The group's position moves after the
 * handler's promise resolves.
 */
export const COMMITS = 'assurance.events.v1';

/** The pause after a batch failed, before it is delivered again (milliseconds). */
const RETRY_PAUSE_MS = 1_000;

/** The feed port as a Nest transport. A role's handlers of `COMMITS` get batches. The position of the group moves when they are done. */
export class FeedStrategy extends Server implements CustomTransportStrategy {
  override readonly transportId: symbol;
  private readonly delivery: Delivery;
  private readonly parking: ParkedStreams;
  private consumer: FeedConsumer | null = null;
  private stopping = false;
  private unknownEvent: UnknownEvent | null = null;

  constructor(private readonly options: FeedStrategyOptions) {
    super();
    const { consumes, ports } = options;
    this.transportId = consumes.transport;
    this.parking = new ParkedStreams(ports.documents, consumes.group);
    this.delivery = new Delivery((batch) => this.handle(batch), this.parking, options);
  }

  /** The name of the consumer group. */
  get group(): string {
    return this.options.consumes.group;
  }

  /** Whether the consumer receives batches. */
  get isFollowing(): boolean {
    return this.consumer !== null && !this.stopping && this.unknownEvent === null;
  }

  /** Why the consumer paused; null while it runs. */
  get pauseReason(): string | null {
    return this.unknownEvent?.message ?? null;
  }

  /** Commits that this group has not handled yet. */
  async lag(): Promise<number> {
    return this.consumer === null ? 0 : this.consumer.lag();
  }

  /** The streams that this group could not process. */
  listParked(): Promise<ParkedStream[]> {
    return this.parking.all();
  }

  /** Processes the parked streams of this group again, in order. */
  replay(): Promise<ReplayResult> {
    return this.delivery.replay();
  }

  async listen(callback: (error?: unknown) => void): Promise<void> {
    try {
      const { consumes, ports, maxBatch = 500 } = this.options;
      if (this.getHandlerByPattern(COMMITS) === null)
        throw new Error(`nothing handles the commits of group ${consumes.group}`);
      this.consumer = await ports.feed.consume(consumes.group, (batch) => this.receive(batch), { maxBatch });
      if (this.unknownEvent !== null) this.stopSoon();
      callback();
    } catch (error) {
      callback(error);
    }
  }

  async close(): Promise<void> {
    this.stopping = true;
    await this.consumer?.stop();
  }

  on(): never {
    throw new Error('the feed has no events of its own');
  }

  unwrap<T>(): T {
    return this.consumer as T;
  }

  private async receive(batch: readonly Commit[]): Promise<void> {
    if (this.unknownEvent !== null) throw this.unknownEvent;
    try {
      await this.delivery.deliver(batch);
      const { logger, consumes } = this.options;
      for (const { stream, seq, correlation } of batch) {
        logger.debug({ group: consumes.group, stream, seq, correlation }, 'a commit was processed');
      }
    } catch (error) {
      const { consumes, logger, sleep } = this.options;
      if (error instanceof UnknownEvent) {
        this.unknownEvent = error;
        logger.error({ err: error, group: consumes.group }, 'a consumer paused: it met an unknown event');
        this.stopSoon();
      } else {
        logger.error({ err: error, group: consumes.group }, 'a batch of commits failed and will be delivered again');
        if (!this.stopping) await sleep(RETRY_PAUSE_MS);
      }
      throw error;
    }
  }

  /**
   * Stops the consumer without waiting for it. The consumer itself waits for the current batch, which calls this method, so waiting would
   * be a deadlock.
   */
  private stopSoon(): void {
    const { logger, consumes } = this.options;
    this.consumer
      ?.stop()
      .catch((err: unknown) => logger.error({ err, group: consumes.group }, 'a consumer did not stop'));
  }

  private async handle(batch: readonly Commit[]): Promise<void> {
    const handler: MessageHandler<readonly Commit[]> | null = this.getHandlerByPattern(COMMITS);
    const result: unknown = await handler?.(batch);
    if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
  }
}

/** Connects a role's handlers to the feed. Call it after `installPipeline`, because its error filter passes on the errors of handlers. */
export function connectFeed(app: INestApplication, options: FeedStrategyOptions): FeedStrategy {
  const strategy = new FeedStrategy(options);
  app.connectMicroservice({ strategy }, { inheritAppConfig: true });
  return strategy;
}
