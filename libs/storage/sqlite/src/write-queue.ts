import { Worker } from 'node:worker_threads';
import { Semaphore } from '@assurance/kernel';
import { APPENDS_AT_ONCE_MAX, StoreBusy, StoreLost, StoreUnavailable } from '@assurance/storage-ports';
import { errorOf } from './faults';
import {
  buffersOf,
  type OperationResult,
  type WriterMessage,
  isDurable,
  type Operation,
  type Outcomes,
  rowsOf,
  sizeOf,
  type WriterRequest,
} from './operations';
import type { WriterData } from './writer';

const GROUP_MAX = 500;
/** The minimum of background rows in a round, and how many rows each append adds. So views keep up with reports. */
const BACKGROUND_ROWS = 64;
const BACKGROUND_ROWS_AN_APPEND = 10;
/** The minimum after `ROUNDS_ALONE` rounds without a waiting request. Large groups are cheaper, but delay the next request. */
const BACKGROUND_ROWS_ALONE = 500;
const ROUNDS_ALONE = 8;
/** Rows in a round of the derived file, for which no request waits. */
const DERIVED_ROWS = 10_000;
const GROUP_BYTES_MAX = 8 * 1024 * 1024;
/** The most waiting bytes of appends and their data, for one writer. */
export const WAITING_BYTES_MAX = 128 * 1024 * 1024;

/**
 * Size of V8's young generation in the writer (megabytes). The writer's data lives only as long as a group. V8 would fill a larger generation before
 * it collects the data.
 */
const WRITER_YOUNG_MB = 8;

const LANES = ['heads', 'commits', 'views'] as const;

/** Operations that wait for the writer, by queue. */
export interface WaitingWrites {
  readonly lane: (typeof LANES)[number];
  readonly operations: number;
  /** Approximate bytes. */
  readonly bytes: number;
}

interface WaitingOperation {
  readonly operation: Operation;
  readonly size: number;
  readonly settle: (result: OperationResult) => void;
}

/**
 * The main thread's side of the writer. It collects operations while others are written, and then sends the next ones at once. A round has up to
 * three transactions. States come first: requests wait for them, and they need no sync because they can be restored. Commits and data come second,
 * with a sync. Some background work (views, positions) comes last. So a state waits for no sync, and a commit waits for no view.
 */
export class WriteQueue {
  private states: WaitingOperation[] = [];
  private durable: WaitingOperation[] = [];
  private background: WaitingOperation[] = [];
  private underWay: (readonly WaitingOperation[])[] = [];
  private planned = false;
  /** Consecutive rounds that had background work only. */
  private backgroundRounds = 0;
  /** Whether something was written since the last sync. */
  private unsynced = false;
  private lossReason: string | null = null;
  private idle: (() => void)[] = [];
  private readonly appends = new Semaphore(APPENDS_AT_ONCE_MAX);
  private readonly bytes = new Semaphore(WAITING_BYTES_MAX);
  private readonly exit: Promise<void>;

  private constructor(
    private readonly worker: Worker,
    /** Why the documents of the file must be rebuilt from commits; null if they are complete. */
    readonly restoring: string | null,
    private readonly kind: 'events' | 'derived',
    private readonly onFault: (error: unknown) => void,
    private readonly onWritten: () => void,
  ) {
    worker.on('message', (message: WriterMessage) => {
      if (message.kind === 'done') this.settleGroup(message.endings);
    });
    worker.on('error', (cause) => this.markLost(`the writer stopped: ${cause.message}`, cause));
    this.exit = new Promise((resolve) => {
      worker.once('exit', () => {
        this.markLost('the writer stopped');
        resolve();
      });
    });
  }

  /**
   * Starts the writer and waits until the file is ready.
   *
   * @param data the file; the file of derived documents must be opened after the file of commits
   * @param onWritten is called for each written group, before its callers continue
   */
  static async start(data: WriterData, onFault: (error: unknown) => void, onWritten: () => void): Promise<WriteQueue> {
    const worker = new Worker(require.resolve('@assurance/storage-sqlite/writer'), {
      workerData: data,
      resourceLimits: { maxYoungGenerationSizeMb: WRITER_YOUNG_MB },
    });
    const restoring = await new Promise<string | null>((resolve, reject) => {
      worker.once('message', (message: WriterMessage) => {
        if (message.kind === 'ready') resolve(message.restoring);
        else reject(new StoreUnavailable(message.kind === 'refused' ? message.message : 'the writer did not start'));
      });
      worker.once('error', reject);
      worker.once('exit', () => reject(new StoreUnavailable('the writer did not start')));
    });
    // Removes listeners of this event only. A call without a name would remove Node's own listeners too, and no message would arrive any more.
    for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
    return new WriteQueue(worker, restoring, data.events === null ? 'events' : 'derived', onFault, onWritten);
  }

  /** Why nothing can be written any more; null if all is well. */
  get problem(): string | null {
    return this.lossReason;
  }

  /** Operations that wait and are not being written yet. */
  get waiting(): readonly WaitingWrites[] {
    const bytes = (lane: readonly WaitingOperation[]) => lane.reduce((sum, { size }) => sum + size, 0);
    const lanes = { heads: this.states, commits: this.durable, views: this.background };
    return LANES.map((lane) => ({ lane, operations: lanes[lane].length, bytes: bytes(lanes[lane]) }));
  }

  /**
   * @throws StoreFull if the disk is full: nothing was written
   * @throws StoreBusy if too much waits already: nothing was written
   * @throws StoreUnavailable
   */
  submit<Kind extends Operation['kind']>(operation: Extract<Operation, { kind: Kind }>): Promise<Outcomes[Kind]> {
    return new Promise((resolve, reject) => {
      if (this.lossReason !== null) {
        reject(new StoreUnavailable(this.lossReason));
        return;
      }
      const size = sizeOf(operation);
      const leave = this.admit(operation, size);
      if (leave === null) {
        reject(new StoreBusy());
        return;
      }
      const settle = (ending: OperationResult) => {
        leave();
        if ('failure' in ending) reject(errorOf(ending.failure));
        else resolve(ending.value as Outcomes[Kind]);
      };
      this.laneOf(operation).push({ operation, size, settle });
      this.plan();
    });
  }

  /** Resolves when everything that was reported as done survives a power cut. */
  async sync(): Promise<void> {
    if (this.unsynced) await this.submit({ kind: 'sync' });
  }

  /** Ends the writer because the file is damaged. A file that can be restored from commits is removed. */
  abandon(): void {
    if (this.lossReason === null) this.post({ kind: 'damaged' });
  }

  /** Writes the queued operations, moves the WAL into the file, and ends the thread. */
  async close(): Promise<void> {
    if (this.lossReason === null) {
      await this.waitUntilIdle();
      this.lossReason = 'the data folder is closed';
      this.post({ kind: 'close' });
    }
    await this.exit;
  }

  /**
   * Refuses new work while too much waits. Work that follows from accepted requests (states, views, positions) is never refused. Its amount is
   * limited by the requests and consumers.
   *
   * @returns releases the place; null if the work is refused
   */
  private admit({ kind }: Operation, size: number): (() => void) | null {
    if (kind !== 'append' && kind !== 'data') return () => undefined;
    if (!this.appends.acquire(1)) return null;
    if (this.bytes.acquire(size)) {
      return () => {
        this.appends.release(1);
        this.bytes.release(size);
      };
    }
    this.appends.release(1);
    return null;
  }

  private waitUntilIdle(): Promise<void> {
    if (this.countWaiting() + this.underWay.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.idle.push(resolve));
  }

  private laneOf({ kind }: Operation): WaitingOperation[] {
    if (kind === 'append' || kind === 'data') return this.durable;
    return kind === 'parts' ? this.states : this.background;
  }

  private countWaiting(): number {
    return this.states.length + this.durable.length + this.background.length;
  }

  /** Starts the next round after the callers of the last one have continued, so that their next operations join the same group. */
  private plan(): void {
    if (this.planned || this.underWay.length > 0 || this.countWaiting() === 0) return;
    this.planned = true;
    setImmediate(() => {
      this.planned = false;
      if (this.lossReason !== null || this.countWaiting() === 0) return;
      const states = takeGroup(this.states);
      const durable = takeGroup(this.durable);
      this.backgroundRounds = states.length + durable.length > 0 ? 0 : this.backgroundRounds + 1;
      const background = takeGroup(this.background, this.backgroundRows(durable.length));
      this.underWay = [states, durable, background].filter((group) => group.length > 0);
      for (const group of this.underWay) {
        this.post({ kind: 'group', operations: group.map(({ operation }) => operation) });
      }
    });
  }

  /** The most background rows of a round. */
  private backgroundRows(appends: number): number {
    if (this.kind === 'derived') return DERIVED_ROWS;
    return this.backgroundRounds > ROUNDS_ALONE
      ? BACKGROUND_ROWS_ALONE
      : BACKGROUND_ROWS + BACKGROUND_ROWS_AN_APPEND * appends;
  }

  private settleGroup(endings: readonly OperationResult[]): void {
    const [group = [], ...others] = this.underWay;
    this.underWay = others;
    this.unsynced = !group.some(({ operation }, i) => isDurable(operation) && 'value' in (endings[i] ?? {}));
    this.onWritten();
    group.forEach(({ settle }, i) =>
      settle(endings[i] ?? { failure: { reason: 'unavailable', message: 'no answer' } }),
    );
    this.plan();
    if (this.countWaiting() + this.underWay.length === 0) this.idle.splice(0).forEach((tell) => tell());
  }

  /** Records that the writer has ended. If it was not closed, the fault listener is called, because no caller may be waiting. */
  private markLost(why: string, cause?: unknown): void {
    if (this.lossReason === null) this.onFault(new StoreLost(why, { cause }));
    const message = (this.lossReason ??= why);
    const lostOperations = [...this.underWay.flat(), ...this.states, ...this.durable, ...this.background];
    [this.underWay, this.states, this.durable, this.background] = [[], [], [], []];
    for (const { settle } of lostOperations) settle({ failure: { reason: 'unavailable', message } });
    this.idle.splice(0).forEach((tell) => tell());
  }

  private post(message: WriterRequest): void {
    this.worker.postMessage(message, message.kind === 'group' ? buffersOf(message.operations) : []);
  }
}

/** Takes operations from a queue in order of arrival, up to the limits. It takes at most one commit of a stream, and at least the first operation. */
function takeGroup(lane: WaitingOperation[], rowsMax = Infinity): WaitingOperation[] {
  const group: WaitingOperation[] = [];
  const laterOperations: WaitingOperation[] = [];
  const streams = new Set<string>();
  let [bytes, rows] = [0, 0];
  for (const [i, waiting] of lane.entries()) {
    const rowCount = rowsOf(waiting.operation);
    const full = group.length >= GROUP_MAX || bytes + waiting.size > GROUP_BYTES_MAX || rows + rowCount > rowsMax;
    if (full && group.length > 0) {
      laterOperations.push(...lane.slice(i));
      break;
    }
    const stream = waiting.operation.kind === 'append' ? waiting.operation.commit.stream : null;
    if (stream !== null && streams.has(stream)) {
      laterOperations.push(waiting);
      continue;
    }
    if (stream !== null) streams.add(stream);
    group.push(waiting);
    bytes += waiting.size;
    rows += rowCount;
  }
  lane.splice(0, lane.length, ...laterOperations);
  return group;
}
