import type { FeedStrategy } from '@assurance/event-sourcing/feed/feed-strategy';
import type { Health, Logger } from '@assurance/event-sourcing/tokens';
import type { Engines } from '@assurance/storage-ports';
import { BackgroundRead } from '../background-read';

/** How often the storage is checked (milliseconds). */
const EVERY_MS = 1_000;
/**
 * How old the result of a check may be (milliseconds). A check takes 5 s where a server does not answer, and its age counts from its beginning, so
 * that it is 11 s old when the next one ends.
 */
const SILENCE_MS = 15_000;

/** Whether this process can do its work, and the reasons if it cannot. The storage is checked in the background, so that a probe never waits. */
export class ProcessHealth implements Health {
  private stopReason: string | null = null;
  private unknownEvent: string | null = null;
  private strategies: readonly Pick<FeedStrategy, 'group' | 'pauseReason' | 'isFollowing'>[] = [];
  private readonly storage: BackgroundRead<readonly string[]>;

  /** @param engines were opened just now: they have no problems until the first check has ended */
  constructor(engines: Pick<Engines, 'problems'>, logger: Pick<Logger, 'error'>, steady: () => number) {
    const check = () =>
      engines.problems().catch((err: unknown) => {
        logger.error({ err }, 'the storage engines did not answer');
        return ['the storage gives no answer'];
      });
    this.storage = new BackgroundRead(check, { everyMs: EVERY_MS, steady, initial: [] });
  }

  /** Sets the consumers of this process. From now on the process is healthy only while they run. */
  watch(strategies: readonly Pick<FeedStrategy, 'group' | 'pauseReason' | 'isFollowing'>[]): void {
    this.strategies = strategies;
  }

  /**
   * Records that a request met an event of a newer version of the service. Until its end this process cannot answer for
   * that stream, whatever its consumers do: their positions may be behind the event. Only the first one is named.
   */
  noteUnknownEvent({ message }: Error): void {
    this.unknownEvent ??= `a request met an event of a newer version: ${message}`;
  }

  /** Records that the process ends. Only the first reason counts. */
  stop(why = 'the service is shutting down'): void {
    this.stopReason ??= why;
    this.storage.stop();
  }

  problems(): readonly string[] {
    if (this.stopReason !== null) return [this.stopReason];
    const storage = this.storage.value(SILENCE_MS) ?? ['the storage gives no answer'];
    const consumers = this.strategies.flatMap(({ group, pauseReason, isFollowing }) => {
      if (pauseReason !== null) return [`the consumer ${group} is paused: ${pauseReason}`];
      return isFollowing ? [] : [`the consumer ${group} does not follow the feed`];
    });
    return [...storage, ...consumers, ...(this.unknownEvent === null ? [] : [this.unknownEvent])];
  }
}
