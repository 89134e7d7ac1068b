import type { FeedStrategy } from '@assurance/event-sourcing/feed/feed-strategy';
import type { Health, Logger } from '@assurance/event-sourcing/tokens';
import type { Engines } from '@assurance/storage-ports';

/** Whether this process can do its work, and the reasons if it cannot. */
export class ProcessHealth implements Health {
  private stopReason: string | null = null;
  private strategies: readonly Pick<FeedStrategy, 'group' | 'pauseReason' | 'isFollowing'>[] = [];

  constructor(
    private readonly engines: Pick<Engines, 'problems'>,
    private readonly logger: Pick<Logger, 'error'>,
  ) {}

  /** Sets the consumers of this process. From now on the process is healthy only while they run. */
  watch(strategies: readonly Pick<FeedStrategy, 'group' | 'pauseReason' | 'isFollowing'>[]): void {
    this.strategies = strategies;
  }

  /** Records that the process ends. Only the first reason counts. */
  stop(why = 'the service is shutting down'): void {
    this.stopReason ??= why;
  }

  async problems(): Promise<string[]> {
    if (this.stopReason !== null) return [this.stopReason];
    const engines = await this.engines.problems().catch((err: unknown) => {
      this.logger.error({ err }, 'the storage engines did not answer');
      return ['the storage gives no answer'];
    });
    const consumers = this.strategies.flatMap(({ group, pauseReason, isFollowing }) => {
      if (pauseReason !== null) return [`the consumer ${group} is paused: ${pauseReason}`];
      return isFollowing ? [] : [`the consumer ${group} does not follow the feed`];
    });
    return [...engines, ...consumers];
  }
}
