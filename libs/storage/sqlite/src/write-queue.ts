import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Room } from '@assurance/kernel';
import { APPENDS_AT_ONCE_MAX, StoreBusy, StoreLost, StoreUnavailable } from '@assurance/storage-ports';
import { errorOf } from './faults';
import { sizeOf } from './operations';
import type { Ending, FromWriter, Operation, Outcomes, ToWriter } from './operations';

const GROUP_MAX = 500;
const GROUP_BYTES_MAX = 8 * 1024 * 1024;
/** The most bytes of appends and their data that wait at once. */
const WAITING_BYTES_MAX = 128 * 1024 * 1024;

interface Waiting {
  readonly operation: Operation;
  readonly size: number;
  readonly settle: (ending: Ending) => void;
}

/** The main thread's end of the writer: collects operations while a group is being written, then hands over the next group at once. */
export class WriteQueue {
  private waiting: Waiting[] = [];
  private underWay: Waiting[] = [];
  private planned = false;
  private gone: string | null = null;
  private idle: (() => void)[] = [];
  private readonly appends = new Room(APPENDS_AT_ONCE_MAX);
  private readonly bytes = new Room(WAITING_BYTES_MAX);
  private readonly left: Promise<void>;

  private constructor(
    private readonly worker: Worker,
    private readonly onFault: (error: unknown) => void,
  ) {
    worker.on('message', (message: FromWriter) => {
      if (message.kind === 'done') this.done(message.endings);
    });
    worker.on('error', (cause) => this.lose(`the writer stopped: ${cause.message}`, cause));
    this.left = new Promise((resolve) => {
      worker.once('exit', () => {
        this.lose('the writer stopped');
        resolve();
      });
    });
  }

  /** Starts the writer and waits until the file is ready for it. */
  static async start(file: string, onFault: (error: unknown) => void): Promise<WriteQueue> {
    const worker = new Worker(writerFile(), { workerData: { file } });
    await new Promise<void>((resolve, reject) => {
      worker.once('message', (message: FromWriter) => {
        if (message.kind === 'ready') resolve();
        else reject(new StoreUnavailable(message.kind === 'refused' ? message.message : 'the writer did not start'));
      });
      worker.once('error', reject);
      worker.once('exit', () => reject(new StoreUnavailable('the writer did not start')));
    });
    // By name: without a name Node's own listeners go too, and no message arrives any more.
    for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
    return new WriteQueue(worker, onFault);
  }

  /** Why nothing can be written any more, null while all is well. */
  get problem(): string | null {
    return this.gone;
  }

  /**
   * @throws StoreFull when there is no room: nothing was written
   * @throws StoreBusy when too much waits already: nothing was written
   * @throws StoreUnavailable
   */
  submit<Kind extends Operation['kind']>(operation: Extract<Operation, { kind: Kind }>): Promise<Outcomes[Kind]> {
    return new Promise((resolve, reject) => {
      if (this.gone !== null) {
        reject(new StoreUnavailable(this.gone));
        return;
      }
      const size = sizeOf(operation);
      const leave = this.admit(operation, size);
      if (leave === null) {
        reject(new StoreBusy());
        return;
      }
      const settle = (ending: Ending) => {
        leave();
        if ('failure' in ending) reject(errorOf(ending.failure));
        else resolve(ending.value as Outcomes[Kind]);
      };
      this.waiting.push({ operation, size, settle });
      this.plan();
    });
  }

  /** Writes what is queued, moves the WAL into the file, ends the thread. */
  async close(): Promise<void> {
    if (this.gone === null) {
      await this.drained();
      this.gone = 'the data folder is closed';
      this.post({ kind: 'close' });
    }
    await this.left;
  }

  /**
   * Turns away what begins something while too much waits. What goes on with something that was let in (heads, views, positions) is
   * never turned away: there is no more of it than there are requests and consumers.
   *
   * @returns how it leaves again, null when it may not come in
   */
  private admit({ kind }: Operation, size: number): (() => void) | null {
    if (kind !== 'append' && kind !== 'data') return () => undefined;
    if (!this.appends.take(1)) return null;
    if (this.bytes.take(size)) {
      return () => {
        this.appends.leave(1);
        this.bytes.leave(size);
      };
    }
    this.appends.leave(1);
    return null;
  }

  private drained(): Promise<void> {
    if (this.waiting.length + this.underWay.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.idle.push(resolve));
  }

  /** After the callers that were just answered had their turn: what they ask for next belongs to the same group. */
  private plan(): void {
    if (this.planned || this.underWay.length > 0 || this.waiting.length === 0) return;
    this.planned = true;
    setImmediate(() => {
      this.planned = false;
      if (this.gone !== null || this.waiting.length === 0) return;
      this.underWay = this.takeGroup();
      this.post({ kind: 'group', operations: this.underWay.map(({ operation }) => operation) });
    });
  }

  /** What fits, in the order of arrival, with at most one commit a stream. */
  private takeGroup(): Waiting[] {
    const group: Waiting[] = [];
    const later: Waiting[] = [];
    const streams = new Set<string>();
    let bytes = 0;
    for (const [i, one] of this.waiting.entries()) {
      if (group.length >= GROUP_MAX || (group.length > 0 && bytes + one.size > GROUP_BYTES_MAX)) {
        later.push(...this.waiting.slice(i));
        break;
      }
      const stream = one.operation.kind === 'append' ? one.operation.commit.stream : null;
      if (stream !== null && streams.has(stream)) {
        later.push(one);
        continue;
      }
      if (stream !== null) streams.add(stream);
      group.push(one);
      bytes += one.size;
    }
    this.waiting = later;
    return group;
  }

  private done(endings: readonly Ending[]): void {
    const group = this.underWay;
    this.underWay = [];
    group.forEach(({ settle }, i) =>
      settle(endings[i] ?? { failure: { reason: 'unavailable', message: 'no answer' } }),
    );
    this.plan();
    if (this.waiting.length === 0) this.idle.splice(0).forEach((tell) => tell());
  }

  /** The writer has ended. Unless it was closed, somebody has to hear of it: no caller may be waiting. */
  private lose(why: string, cause?: unknown): void {
    if (this.gone === null) this.onFault(new StoreLost(why, { cause }));
    const message = (this.gone ??= why);
    const lost = [...this.underWay, ...this.waiting];
    this.underWay = [];
    this.waiting = [];
    for (const { settle } of lost) settle({ failure: { reason: 'unavailable', message } });
    this.idle.splice(0).forEach((tell) => tell());
  }

  private post(message: ToWriter): void {
    this.worker.postMessage(message);
  }
}

/** A worker thread runs compiled code only: from the sources, that of `dist`. */
function writerFile(): string {
  const file = __filename.endsWith('.ts') ? join(__dirname, '../dist/writer.js') : join(__dirname, 'writer.js');
  if (!existsSync(file)) throw new Error(`the embedded engine is not built (${file} is missing): run npm run build`);
  return file;
}
