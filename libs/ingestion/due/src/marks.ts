import type { Collection, CollectionDefinition, Documents } from '@assurance/storage-ports';
import { type Due, together } from './due';

/** That an environment is due, and who works on it. Repeats coalesce; what a mark says adds up until it is cleared. */
export interface DueMark extends Due {
  /** False: nothing is due. The document stays, and so does its stamp. */
  readonly due: boolean;
  /** One higher with every mark: whoever has done the work of one stamp clears no later one. */
  readonly stamp: number;
  /** Not to be taken before this time (integer milliseconds): the end of a lease, or of the rest after a failure. */
  readonly notBefore: number;
  /** Whose lease it is; null: nobody's. */
  readonly holder: string | null;
  /** How often in a row the work failed. */
  readonly failures: number;
}

/** One document an environment, under its id. */
export const dueEnvironments: CollectionDefinition<DueMark> = {
  name: 'due_environments',
  indexes: [
    {
      name: 'by_time',
      fields: [
        ['due', 'asc'],
        ['notBefore', 'asc'],
      ],
    },
  ],
};

/** How long a worker keeps others off. It may take longer: then two work at once, and the stream's conflict decides. */
export const LEASE_MS = 15_000;
/** The longest rest of an environment whose work keeps failing. */
const REST_MAX_MS = 60_000;
const REST_MS = 250;
/** The most ids of one merge. */
const MERGE_MAX = 1000;

/** A mark that a worker holds. */
export interface Taken {
  /** Id of the environment. */
  readonly environment: string;
  readonly mark: DueMark;
}

/** The marks of all environments. */
export class DueMarks {
  private readonly documents: Collection<DueMark>;

  /** @param now integer milliseconds */
  constructor(
    documents: Documents,
    private readonly now: () => number,
  ) {
    this.documents = documents.collection(dueEnvironments);
  }

  /** Marks environments due, by their ids. Leases and rests stay: what is marked again is looked at again after them. */
  async mark(all: ReadonlyMap<string, Due>): Promise<void> {
    const ids = [...all.keys()];
    for (let i = 0; i < ids.length; i += MERGE_MAX) {
      await this.documents.merge(ids.slice(i, i + MERGE_MAX), (mark, id) => {
        const due = all.get(id);
        if (due === undefined) return undefined;
        const stamp = (mark?.stamp ?? 0) + 1;
        if (mark?.due !== true) {
          const fresh = { due: true, stamp, notBefore: this.now(), holder: null, failures: 0 };
          return { ...together(null, due), ...fresh };
        }
        return { ...mark, ...together(mark, due), stamp };
      });
    }
  }

  /** Environments whose work may begin, the longest due first. */
  async takeable(limit: number): Promise<string[]> {
    const found = await this.documents.find({ where: { due: true }, order: [['notBefore', 'asc']], limit });
    return found.filter(({ doc }) => this.mayTake(doc)).map(({ id }) => id);
  }

  /**
   * Takes an environment for some time.
   *
   * @param holder an id that nobody used before
   * @returns null when somebody else has it, or nothing is due
   */
  async take(environment: string, holder: string): Promise<Taken | null> {
    await this.documents.merge([environment], (mark) =>
      mark !== null && mark.due && this.mayTake(mark)
        ? { ...mark, holder, notBefore: this.now() + LEASE_MS }
        : undefined,
    );
    // The document says who got it: the function may have been called for a state that was gone by then.
    const mark = await this.documents.get(environment);
    return mark?.due === true && mark.holder === holder ? { environment, mark } : null;
  }

  /** The work of a mark is done: clears it, unless it was set again meanwhile. Then it may be taken at once. */
  async done({ environment, mark: { holder, stamp } }: Taken): Promise<void> {
    await this.documents.merge([environment], (mark) => {
      if (mark === null || mark.holder !== holder) return undefined;
      const free = { ...mark, holder: null, notBefore: this.now(), failures: 0 };
      return mark.stamp === stamp ? { ...free, due: false, fingerprints: [] } : free;
    });
  }

  /** The work of a mark failed: it is due again after a rest, longer each time. */
  async failed({ environment, mark: { holder } }: Taken): Promise<void> {
    await this.documents.merge([environment], (mark) => {
      if (mark === null || mark.holder !== holder) return undefined;
      const rest = Math.min(REST_MAX_MS, REST_MS * 2 ** mark.failures);
      return { ...mark, holder: null, notBefore: this.now() + rest, failures: mark.failures + 1 };
    });
  }

  /** A time further away than any lease or rest was set by a clock that ran ahead: it is not waited for. */
  private mayTake({ notBefore }: DueMark): boolean {
    const now = this.now();
    return notBefore <= now || notBefore > now + Math.max(LEASE_MS, REST_MAX_MS);
  }
}
