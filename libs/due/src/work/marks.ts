import type { Collection } from '@assurance/storage-ports';

/** That something is due, and who works on it. Repeats coalesce; what a mark says adds up until it is cleared. */
export type Mark<What extends object> = What & {
  /** False: nothing is due. The document stays, and so does its stamp. */
  readonly due: boolean;
  /** One higher with every mark: whoever has done the work of one stamp clears no later one. */
  readonly stamp: number;
  /** Not to be taken before this time (integer milliseconds): the end of a lease, of a rest, or when there is something to do again. */
  readonly notBefore: number;
  /** The end of a rest, which no later mark shortens; left out where there is none. */
  readonly restUntil?: number;
  /** Whose lease it is; null: nobody's. */
  readonly holder: string | null;
  /** How often in a row the work failed. */
  readonly failures: number;
};

export interface MarksOptions<What extends object> {
  /** How long a worker keeps others off. It may take longer: then two work at once. */
  readonly leaseMs: number;
  /** The longest rest. */
  readonly restMaxMs: number;
  /** What is said already, and what is said now, as one. */
  readonly together: (said: What | null, next: What) => What;
  /** A mark whose work is done. */
  readonly cleared: (mark: Mark<What>) => Mark<What>;
}

const REST_MS = 250;
/** The most ids of one merge. */
const MERGE_MAX = 1000;

/** A mark that a worker holds. */
export interface Taken<What extends object> {
  readonly id: string;
  readonly mark: Mark<What>;
}

/** A mark whose work may begin. */
export interface Takeable {
  readonly id: string;
  /** Whose work it is, where workers are shared between owners. */
  readonly owner: string | null;
}

/** When something is due again, and after what. */
export interface Again {
  /** Integer milliseconds. */
  readonly at: number;
  /** No mark that is set meanwhile shortens the time. */
  readonly rest: boolean;
  readonly failures: number;
}

/** Marks in one collection, which needs an index on `due` and `notBefore`. */
export class Marks<What extends object> {
  /** @param now integer milliseconds */
  constructor(
    private readonly documents: Collection<Mark<What>>,
    private readonly now: () => number,
    private readonly options: MarksOptions<What>,
  ) {}

  /** Marks what is due, by its id. Leases and rests stay: what is marked again is looked at again after them. */
  async mark(all: ReadonlyMap<string, What>): Promise<void> {
    const { together } = this.options;
    const ids = [...all.keys()];
    for (let i = 0; i < ids.length; i += MERGE_MAX) {
      await this.documents.merge(ids.slice(i, i + MERGE_MAX), (mark, id) => {
        const what = all.get(id);
        if (what === undefined) return undefined;
        const stamp = (mark?.stamp ?? 0) + 1;
        if (mark?.due !== true) {
          const fresh = { due: true, stamp, notBefore: this.now(), holder: null, failures: 0 };
          return { ...together(null, what), ...fresh };
        }
        const soonest = mark.holder === null ? (mark.restUntil ?? this.now()) : mark.notBefore;
        return { ...mark, ...together(mark, what), stamp, notBefore: Math.min(mark.notBefore, soonest) };
      });
    }
  }

  /** Those whose work may begin, the longest due first. */
  async takeable(limit: number): Promise<Takeable[]> {
    const found = await this.documents.find({ where: { due: true }, order: [['notBefore', 'asc']], limit });
    return found.filter(({ doc }) => this.mayTake(doc)).map(({ id }) => ({ id, owner: null }));
  }

  /**
   * Takes one for some time.
   *
   * @param holder an id that nobody used before
   * @returns null when somebody else has it, or nothing is due
   */
  async take(id: string, holder: string): Promise<Taken<What> | null> {
    await this.documents.merge([id], (mark) =>
      mark !== null && mark.due && this.mayTake(mark)
        ? { ...mark, holder, notBefore: this.now() + this.options.leaseMs }
        : undefined,
    );
    // The document says who got it: the function may have been called for a state that was gone by then.
    const mark = await this.documents.get(id);
    return mark?.due === true && mark.holder === holder ? { id, mark } : null;
  }

  /** The work of a mark is done: clears it, unless it was set again meanwhile. Then it may be taken at once. */
  async done({ id, mark: { holder, stamp } }: Taken<What>): Promise<void> {
    await this.documents.merge([id], (mark) => {
      if (mark === null || mark.holder !== holder) return undefined;
      const { restUntil: _, ...rest } = mark;
      const free = { ...rest, holder: null, notBefore: this.now(), failures: 0 } as unknown as Mark<What>;
      return mark.stamp === stamp ? this.options.cleared({ ...free, due: false }) : free;
    });
  }

  /** There is more to do, at some time; what was marked meanwhile is looked at as soon as no rest forbids it. */
  async again({ id, mark: { holder, stamp } }: Taken<What>, { at, rest, failures }: Again): Promise<void> {
    await this.documents.merge([id], (mark) => {
      if (mark === null || mark.holder !== holder) return undefined;
      const { restUntil: _, ...others } = mark;
      const notBefore = rest || mark.stamp === stamp ? at : Math.min(at, this.now());
      return {
        ...others,
        ...(rest ? { restUntil: at } : {}),
        holder: null,
        notBefore,
        failures,
      } as unknown as Mark<What>;
    });
  }

  /** The work of a mark failed: it is due again after a rest, longer each time. */
  async failed(taken: Taken<What>): Promise<void> {
    const { failures } = taken.mark;
    const rest = Math.min(this.options.restMaxMs, REST_MS * 2 ** failures);
    await this.again(taken, { at: this.now() + rest, rest: true, failures: failures + 1 });
  }

  /** A time further away than any lease or rest was set by a clock that ran ahead: it is not waited for. */
  protected mayTake({ notBefore }: Mark<What>): boolean {
    const now = this.now();
    return notBefore <= now || notBefore > now + Math.max(this.options.leaseMs, this.options.restMaxMs);
  }
}
