import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Commit,
  type Feed,
  FEED_BATCH_BYTES_MAX,
  type FeedConsumer,
  type FeedOptions,
} from '@assurance/storage-ports';
import { commitsAfter } from './commits-after';
import { toKey } from './key';
import type { Reader } from './reader';
import type { RecentCommits } from './recent-commits';
import type { WriteBehind } from './write-behind';

const BATCH_MAX = 1_000;
const FIRST_DELAY_MS = 20;
const LAST_DELAY_MS = 1_000;
/** Pause of a consumer after a batch (milliseconds): per commit, and the maximum. */
const PAUSE_A_COMMIT_MS = 5;
const PAUSE_MAX_MS = 100;

type BatchHandler = (batch: readonly Commit[]) => Promise<void>;

/**
 * The feed of the one process that has the file open. It delivers commits by position. Appends wake it; it never polls. Of several consumers of one
 * group only one runs, and the others wait until it stops.
 */
export class SqliteFeed implements Feed {
  private readonly runningConsumers = new Map<string, Set<Consumer>>();

  constructor(
    private readonly reader: Reader,
    private readonly positions: Reader,
    private readonly writeBehind: WriteBehind,
    private readonly recent: RecentCommits,
    private readonly onFault: (error: unknown) => void,
  ) {}

  async consume(group: string, handle: BatchHandler, { maxBatch }: FeedOptions): Promise<FeedConsumer> {
    if (!(maxBatch >= 1 && maxBatch <= BATCH_MAX))
      throw new RangeError(`maxBatch is 1 to ${BATCH_MAX}, not ${maxBatch}`);
    const members = this.runningConsumers.get(group) ?? new Set<Consumer>();
    this.runningConsumers.set(group, members);
    const before = [...members].map((member) => member.ended);
    const leave = () => members.delete(consumer);
    const consumer = new Consumer(
      toKey(group),
      handle,
      maxBatch,
      this.reader,
      this.positions,
      this.writeBehind,
      this.recent,
      this.onFault,
      before,
      leave,
    );
    members.add(consumer);
    return consumer;
  }

  /** Tells all consumers that there are new commits. */
  wake(): void {
    for (const members of this.runningConsumers.values()) for (const member of members) member.wake();
  }

  async close(): Promise<void> {
    await Promise.all(
      [...this.runningConsumers.values()].flatMap((members) => [...members].map((member) => member.stop())),
    );
  }
}

class Consumer implements FeedConsumer {
  readonly ended: Promise<void>;
  private readonly stopController = new AbortController();
  private woken: (() => void) | undefined;

  constructor(
    private readonly group: string,
    private readonly handle: BatchHandler,
    private readonly maxBatch: number,
    private readonly reader: Reader,
    private readonly positions: Reader,
    private readonly writeBehind: WriteBehind,
    private readonly recent: RecentCommits,
    private readonly onFault: (error: unknown) => void,
    before: readonly Promise<void>[],
    leave: () => void,
  ) {
    this.ended = this.run(Promise.all(before)).finally(leave);
  }

  async lag(): Promise<number> {
    const newest = this.reader.get<{ position: number | null }>('SELECT max(position) AS position FROM commits', []);
    // Positions have no gaps: rows are never removed, and a transaction that is rolled back returns its positions.
    return (newest?.position ?? 0) - this.confirmedOffset();
  }

  async stop(): Promise<void> {
    this.stopController.abort();
    this.wake();
    await this.ended;
  }

  wake(): void {
    this.woken?.();
  }

  private confirmedOffset(): number {
    const waiting = this.writeBehind.position(this.group);
    if (waiting !== undefined) return waiting;
    const sql = 'SELECT position FROM positions WHERE consumers = ?';
    return this.positions.get<{ position: number }>(sql, [this.group])?.position ?? 0;
  }

  private async run(before: Promise<unknown>): Promise<void> {
    const { signal } = this.stopController;
    const abortion = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    await Promise.race([before, abortion]);
    let delay = FIRST_DELAY_MS;
    while (!signal.aborted) {
      try {
        await this.follow(() => (delay = FIRST_DELAY_MS));
      } catch (error) {
        this.onFault(error);
        await sleep(delay, undefined, { signal }).catch(() => undefined);
        delay = Math.min(delay * 2, LAST_DELAY_MS);
      }
    }
  }

  /** Lets commits collect under load: a batch is cheaper than single commits. */
  private async pause(many: number): Promise<void> {
    if (many === 1) return;
    const { signal } = this.stopController;
    await sleep(Math.min(PAUSE_MAX_MS, many * PAUSE_A_COMMIT_MS), undefined, { signal }).catch(() => undefined);
  }

  /** Delivers batches until stopped. Throws errors of the handler or the file; the next call continues at the confirmed position. */
  private async follow(onProgress: () => void): Promise<void> {
    for (let position = this.confirmedOffset(); !this.stopController.signal.aborted;) {
      const awake = new Promise<void>((resolve) => (this.woken = resolve));
      const { commits, last } = await commitsAfter(
        this.reader,
        this.recent,
        position,
        this.maxBatch,
        FEED_BATCH_BYTES_MAX,
      );
      if (this.stopController.signal.aborted) return;
      if (commits.length === 0) {
        await awake;
        continue;
      }
      await this.handle(commits);
      const id = commits.at(-1)?.id ?? '';
      this.writeBehind.setPosition({ consumers: this.group, position: last, id });
      position = last;
      onProgress();
      await this.pause(commits.length);
    }
  }
}
