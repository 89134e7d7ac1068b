import { type CollectionShape, orderBy } from '@assurance/contracts/events/aggregate';
import { type Engines, findPages } from '@assurance/storage-ports';
import type { Clock } from '../tokens';

/** How often the service looks for due rows (milliseconds). */
const LOOK_EVERY_MS = 2_000;
/** How long a row is skipped after a failure (milliseconds). */
const PAUSE_MS = 30_000;
/** How many rows are read at once. */
const PAGE = 100;

export interface DueRowsOptions<Row extends object> {
  readonly engines: Pick<Engines, 'documents'>;
  /** The rows. They need the field `due` (integer milliseconds; null or less than 0: never), and an index that begins with it. */
  readonly rows: CollectionShape<Row>;
  /** The field that follows `due` in that index. */
  readonly then: string;
  readonly clock: Pick<Clock, 'now' | 'steady'>;
  /** A unique key of the row. */
  readonly keyOf: (row: Row) => string;
  /** Records that a row became due. After that it is no longer due. It may run in several processes at once. */
  readonly record: (row: Row) => Promise<void>;
  /**
   * Is called with the reason of a failure. The row is tried again later. If the row is null, no rows could be read.
   */
  readonly onFailure: (err: unknown, row: Row | null) => void;
}

/** Records rows that became due, one after another. An example is the end of an exception. */
export class DueRows<Row extends object> {
  private timer: NodeJS.Timeout | null = null;
  private look: Promise<void> = Promise.resolve();
  private stopped = false;
  /** By key, the time until which a failed row is skipped (milliseconds of the steady clock). */
  private readonly resting = new Map<string, number>();

  constructor(private readonly options: DueRowsOptions<Row>) {}

  start(): void {
    this.wait(0);
  }

  /** Stops after the current row, and waits for it. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.look;
  }

  private wait(ms: number): void {
    this.timer = setTimeout(() => {
      this.look = this.recordDue().finally(() => {
        if (!this.stopped) this.wait(LOOK_EVERY_MS);
      });
    }, ms);
  }

  /** Never rejects. */
  private async recordDue(): Promise<void> {
    const { engines, rows, then, clock, onFailure } = this.options;
    try {
      const query = { where: { due: { gte: 0, lte: clock.now() } }, order: orderBy('due', then) };
      for await (const page of findPages(engines.documents.collection(rows), query, PAGE)) {
        for (const { doc } of page) {
          if (this.stopped) return;
          await this.recordEnd(doc);
        }
      }
    } catch (err) {
      onFailure(err, null);
    }
  }

  private async recordEnd(row: Row): Promise<void> {
    const { clock, keyOf, record, onFailure } = this.options;
    const key = keyOf(row);
    if ((this.resting.get(key) ?? 0) > clock.steady()) return;
    try {
      await record(row);
      this.resting.delete(key);
    } catch (err) {
      this.resting.set(key, clock.steady() + PAUSE_MS);
      onFailure(err, row);
    }
  }
}
