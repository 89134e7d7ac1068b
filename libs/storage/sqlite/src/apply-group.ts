import { executeOperation, forgetColumns } from './execute-operation';
import { Connection } from './connection';
import { failureOf, isFatal, lossReason } from './faults';
import { type OperationResult, isDurable, type Operation } from './operations';

/**
 * The writing connection. A group is one transaction. If one operation is at fault, only this operation fails. If the disk is at fault, the whole
 * group fails.
 */
export class GroupWriter {
  private lossReason: string | null = null;

  private openConnection: Connection | null = null;

  /** @param otherFile the other file, from which `adopt` takes rows; null if there is none */
  constructor(
    private readonly db: Connection,
    private readonly otherFile: string | null = null,
  ) {}

  /**
   * Why nothing may be written any more; null if all is well. After a failed fsync, the cache of the system may lack data. After a corrupt read,
   * memory may hold garbage. Only the recovery at the next start knows the content of the disk.
   */
  get failureReason(): string | null {
    return this.lossReason;
  }

  apply(operations: readonly Operation[]): OperationResult[] {
    try {
      return this.transaction(operations);
    } catch (error) {
      if (this.db.inTransaction) this.db.exec('ROLLBACK');
      forgetColumns(this.db);
      this.lossReason ??= lossReason(error);
      if (operations.length === 1) return [{ failure: failureOf(error) }];
      if (isFatal(error)) return operations.map((operation) => this.afterFatal(operation, error));
      return operations.flatMap((operation) => this.apply([operation]));
    }
  }

  /** A table that is there already needs no room. Without it nothing can be read on a full disk. */
  private afterFatal(operation: Operation, error: unknown): OperationResult {
    const [result] = operation.kind === 'collection' && this.lossReason === null ? this.apply([operation]) : [];
    return result ?? { failure: failureOf(error) };
  }

  close(): void {
    this.openConnection?.close();
  }

  private older(): Connection {
    if (this.otherFile === null) throw new Error('there is no other file');
    return (this.openConnection ??= new Connection(this.otherFile));
  }

  private transaction(operations: readonly Operation[]): OperationResult[] {
    const durable = operations.some(isDurable);
    this.db.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}; BEGIN IMMEDIATE`);
    const endings = operations.map((operation) => ({
      value: executeOperation(this.db, operation, () => this.older()),
    }));
    this.db.exec('COMMIT');
    return endings;
  }
}
