import { carryOut, forgetColumns } from './carry-out';
import type { Connection } from './connection';
import { failureOf, isFatal, whyLost } from './faults';
import type { Ending, Operation } from './operations';

/** Operations that must survive a power cut when they are told as done; the others can be made again from these. */
const DURABLE: ReadonlySet<Operation['kind']> = new Set(['append', 'data']);

/**
 * The writing end of the file. A group is one transaction; an operation that fails by its own fault takes only itself down,
 * a disk that fails takes the group.
 */
export class GroupWriter {
  private lost: string | null = null;

  constructor(private readonly db: Connection) {}

  /**
   * Why nothing may be written any more; null while all is well. After an fsync that failed, what was to be written may be gone from the system's
   * cache; what was read and is no database may be garbage in memory: only the recovery of a new start knows what is on disk.
   */
  get broken(): string | null {
    return this.lost;
  }

  apply(operations: readonly Operation[]): Ending[] {
    try {
      return this.transaction(operations);
    } catch (error) {
      if (this.db.inTransaction) this.db.exec('ROLLBACK');
      forgetColumns(this.db);
      this.lost ??= whyLost(error);
      if (isFatal(error) || operations.length === 1) return operations.map(() => ({ failure: failureOf(error) }));
      return operations.flatMap((operation) => this.apply([operation]));
    }
  }

  private transaction(operations: readonly Operation[]): Ending[] {
    const durable = operations.some(({ kind }) => DURABLE.has(kind));
    this.db.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}; BEGIN IMMEDIATE`);
    const endings = operations.map((operation) => ({ value: carryOut(this.db, operation) }));
    this.db.exec('COMMIT');
    return endings;
  }
}
