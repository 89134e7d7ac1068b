import { endsWithin } from '@assurance/kernel';
import type { LeasedItem, WorkQueue } from './work-queue';

/** The default number of items that a process works on concurrently. */
const WORKERS = 4;
/** How many items are read to find items that may be leased. */
const LOOKED_AT = 100;
/** How often a worker looks for items that other processes enqueued (milliseconds). These processes may have ended before the work began. */
const LOOK_EVERY_MS = 2_000;

export interface QueueWorkersOptions<What extends object> {
  readonly queue: WorkQueue<What>;
  /** The number of items that are worked on concurrently. */
  readonly workers?: number;
  /**
   * How many items of one owner are processed at once, if items have owners. By default it is the limit for all items.
   */
  readonly workersPerOwner?: number;
  /**
   * Does the work of an item, and does nothing if nothing has changed. It may run more than once for an item, and
   * in two processes at the same time.
   *
   * @returns `rescheduled` if it has already set when the item is due again
   */
  readonly work: (leased: LeasedItem<What>) => Promise<void | 'rescheduled'>;
  /** A unique id. */
  readonly newId: () => string;
  /**
   * Is called with the reason of a failure. The work is done again later. If the item is null, items could not be read
   * or written.
   */
  readonly onFailure: (error: unknown, leased: LeasedItem<What> | null) => void;
}

/**
 * Leases due items and runs their work. The number of concurrent items is bounded. An item runs in one process at a time, while its lease lasts.
 */
export class QueueWorkers<What extends object> {
  private readonly workByOwner = new Map<string, Promise<void>>();
  /** The owner of each item that is being processed. */
  private readonly owners = new Map<string, string>();
  private currentLook: Promise<void> | null = null;
  private stopped = false;
  private awake: () => void = () => undefined;

  constructor(private readonly options: QueueWorkersOptions<What>) {}

  start(): void {
    this.currentLook ??= this.poll();
  }

  /** Looks for work at once, because an item was enqueued or a worker is free. */
  wake(): void {
    this.awake();
  }

  /** Leases no more items and waits for running work. Due items stay in the queue. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.currentLook;
    await Promise.all(this.workByOwner.values());
  }

  private async poll(): Promise<void> {
    while (!this.stopped) {
      const woken = new Promise<void>((resolve) => (this.awake = resolve));
      try {
        await this.leaseSome();
      } catch (error) {
        this.options.onFailure(error, null);
      }
      if (!this.stopped) await endsWithin(LOOK_EVERY_MS, woken);
    }
  }

  private async leaseSome(): Promise<void> {
    if (this.workByOwner.size >= (this.options.workers ?? WORKERS)) return;
    const { queue, workers = WORKERS, workersPerOwner = workers } = this.options;
    for (const { id, owner } of await queue.ready(LOOKED_AT)) {
      if (this.stopped || this.workByOwner.size >= workers) return;
      if (this.workByOwner.has(id)) continue;
      if (owner !== null) {
        if ([...this.owners.values()].filter((candidate) => candidate === owner).length >= workersPerOwner) continue;
        this.owners.set(id, owner);
      }
      this.workByOwner.set(id, this.workOnItem(id));
    }
  }

  /**
   * Never rejects. Afterwards another item may run at once. If items could not be read or written, the next attempt waits for the next regular
   * look, because otherwise the same item would be tried again without a pause.
   */
  private async workOnItem(id: string): Promise<void> {
    try {
      await this.leaseAndWork(id);
      this.finish(id);
      this.wake();
    } catch (error) {
      this.finish(id);
      this.options.onFailure(error, null);
    }
  }

  private finish(id: string): void {
    this.workByOwner.delete(id);
    this.owners.delete(id);
  }

  private async leaseAndWork(id: string): Promise<void> {
    const { queue, work, newId, onFailure } = this.options;
    const leasedItem = await queue.lease(id, newId());
    if (leasedItem === null) return;
    let outcome: void | 'rescheduled';
    try {
      outcome = await work(leasedItem);
    } catch (error) {
      onFailure(error, leasedItem);
      await queue.retryLater(leasedItem);
      return;
    }
    if (outcome !== 'rescheduled') await queue.complete(leasedItem);
  }
}
