import { orderBy } from '@assurance/contracts/events/aggregate';
import type { Collection } from '@assurance/storage-ports';

/** Work that is due, and the worker that processes it. Enqueuing an item again merges its content with the stored content. */
export type WorkItem<What extends object> = What & {
  /** False if nothing is due. The document stays with its revision. */
  readonly due: boolean;
  /** The revision. Each enqueuing adds one. A worker that finished one revision does not clear a later one. */
  readonly stamp: number;
  /** No worker leases it before this time (integer milliseconds): the end of a lease or pause, or when it is due again. */
  readonly notBefore: number;
  /** The end of a pause. Enqueuing the item again does not shorten it. Left out if there is no pause. */
  readonly restUntil?: number;
  /** The holder of the lease; null without one. */
  readonly holder: string | null;
  /** How often in a row the work failed. */
  readonly failures: number;
};

export interface WorkQueueOptions<What extends object> {
  /**
   * How long a worker holds an item exclusively. If its work takes longer, two workers may process it at the same time.
   */
  readonly leaseMs: number;
  /** The longest pause after failures. */
  readonly pauseMaxMs: number;
  /** Merges the stored content with new content. */
  readonly together: (current: What | null, next: What) => What;
  /** Returns the content that a work item has after its work is done. */
  readonly cleared: (item: WorkItem<What>) => WorkItem<What>;
}

const PAUSE_MS = 250;
/** The most ids of one merge. */
const MERGE_MAX = 1000;

/** A work item that a worker has leased. */
export interface LeasedItem<What extends object> {
  readonly id: string;
  readonly item: WorkItem<What>;
}

/** A work item that a worker may lease now. */
export interface ReadyItem {
  readonly id: string;
  /** The owner of the work, if owners share workers. */
  readonly owner: string | null;
}

/** When an item is due again, and its number of failures. */
export interface RetrySchedule {
  /** Integer milliseconds. */
  readonly at: number;
  /** Whether it is a pause, which enqueuing the item again does not shorten. */
  readonly rest: boolean;
  readonly failures: number;
}

/** A queue of work items in one collection, which needs an index on `due` and `notBefore`. */
export class WorkQueue<What extends object> {
  /** @param now integer milliseconds */
  constructor(
    private readonly documents: Collection<WorkItem<What>>,
    private readonly now: () => number,
    private readonly options: WorkQueueOptions<What>,
  ) {}

  /** Enqueues due items by id. Leases and pauses are kept: an item that is enqueued again is processed after them. */
  async enqueue(all: ReadonlyMap<string, What>): Promise<void> {
    const { together } = this.options;
    const ids = [...all.keys()];
    for (let i = 0; i < ids.length; i += MERGE_MAX) {
      await this.documents.merge(ids.slice(i, i + MERGE_MAX), (item, id) => {
        const work = all.get(id);
        if (work === undefined) return undefined;
        const revision = (item?.stamp ?? 0) + 1;
        if (item?.due !== true) {
          const fresh = { due: true, stamp: revision, notBefore: this.now(), holder: null, failures: 0 };
          return { ...together(null, work), ...fresh };
        }
        const soonest = item.holder === null ? (item.restUntil ?? this.now()) : item.notBefore;
        return { ...item, ...together(item, work), stamp: revision, notBefore: Math.min(item.notBefore, soonest) };
      });
    }
  }

  /** Items that may be leased now. The item that is due longest is first. */
  async ready(limit: number): Promise<ReadyItem[]> {
    const results = await this.documents.find({ where: { due: true }, order: orderBy('notBefore'), limit });
    return results.filter(({ doc }) => this.isReady(doc)).map(({ id }) => ({ id, owner: null }));
  }

  /**
   * Leases an item for `leaseMs`.
   *
   * @param holder a unique id
   * @returns null if another worker holds the lease, or nothing is due
   */
  async lease(id: string, holder: string): Promise<LeasedItem<What> | null> {
    await this.documents.merge([id], (item) =>
      item !== null && item.due && this.isReady(item)
        ? { ...item, holder, notBefore: this.now() + this.options.leaseMs }
        : undefined,
    );
    // Only the stored document shows who got the lease, because the function may have been called with an outdated state.
    const item = await this.documents.get(id);
    return item?.due === true && item.holder === holder ? { id, item } : null;
  }

  /** Clears the item after its work. If it was enqueued again meanwhile, it stays due and may be leased at once. */
  async complete({ id, item: { holder, stamp: revision } }: LeasedItem<What>): Promise<void> {
    await this.documents.merge([id], (item) => {
      if (item === null || item.holder !== holder) return undefined;
      const { restUntil: _, ...rest } = item;
      const free = { ...rest, holder: null, notBefore: this.now(), failures: 0 } as unknown as WorkItem<What>;
      return item.stamp === revision ? this.options.cleared({ ...free, due: false }) : free;
    });
  }

  /** Postpones the item. If it is enqueued again meanwhile, it is processed earlier, but not during a pause. */
  async reschedule(
    { id, item: { holder, stamp: revision } }: LeasedItem<What>,
    { at, rest, failures }: RetrySchedule,
  ): Promise<void> {
    await this.documents.merge([id], (item) => {
      if (item === null || item.holder !== holder) return undefined;
      const { restUntil: _, ...others } = item;
      const notBefore = rest || item.stamp === revision ? at : Math.min(at, this.now());
      return {
        ...others,
        ...(rest ? { restUntil: at } : {}),
        holder: null,
        notBefore,
        failures,
      } as unknown as WorkItem<What>;
    });
  }

  /** Postpones the item after a failure. Each failure in a row makes the pause longer. */
  async retryLater(leased: LeasedItem<What>): Promise<void> {
    const { failures } = leased.item;
    const rest = Math.min(this.options.pauseMaxMs, PAUSE_MS * 2 ** failures);
    await this.reschedule(leased, { at: this.now() + rest, rest: true, failures: failures + 1 });
  }

  /** Ignores a time that is further away than any lease or pause, because it comes from a clock that was ahead. */
  protected isReady({ notBefore }: WorkItem<What>): boolean {
    const now = this.now();
    return notBefore <= now || notBefore > now + Math.max(this.options.leaseMs, this.options.pauseMaxMs);
  }
}
