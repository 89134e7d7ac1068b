import type { AppendOutcome } from '@assurance/storage-ports';
import type { Column } from './columns';

/** A commit in the form of its row. Names are keys (`toKey`). */
export interface CommitRow {
  readonly stream: string;
  readonly seq: number;
  readonly id: string;
  readonly at: number;
  readonly actor: string;
  readonly snapshot: number | null;
  readonly prev: string | null;
  /** `commitHash`. The `prev` of the next commit is compared with it. */
  readonly hash: string;
  /** JSON text of the whole commit. */
  readonly body: string;
}

/** One write of a document; `doc` is JSON text. */
export type RowWrite =
  | { readonly kind: 'put'; readonly id: string; readonly doc: string }
  | { readonly kind: 'forward'; readonly id: string; readonly seq: number; readonly doc: string }
  | { readonly kind: 'remove'; readonly id: string; readonly seq: number }
  | { readonly kind: 'forget'; readonly id: string };

/** Writes to one table. */
export interface TableWrites {
  readonly table: string;
  readonly writes: readonly RowWrite[];
}

/**
 * The wanted state of rows of a table, whatever the table has now: id, seq and document of each row in turn. A null seq: the row is removed. It is
 * one list because a message to another thread is copied object by object.
 */
export interface TableRows {
  readonly table: string;
  readonly cells: readonly (string | number | null)[];
}

/** Number of cells per row in `TableRows`. */
export const ROW_CELLS = 3;

/** A document changed by `merge`. It is written only if its revision is still `rev`; null: only if there is no row. */
export interface RowChange {
  readonly id: string;
  readonly rev: number | null;
  readonly doc: string;
}

/** How far a group of consumers is. */
export interface GroupPosition {
  readonly consumers: string;
  readonly position: number;
  /** Id of the commit at this position. */
  readonly id: string;
}

/** Operations of the main thread for the writer. Each has its own outcome, even within a group. */
export type Operation =
  | { readonly kind: 'append'; readonly commit: CommitRow }
  /** The bytes must fill their buffer, because the buffer is transferred to the writer. */
  | { readonly kind: 'data'; readonly org: string; readonly digest: string; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Removes the data under these digests, in a commit and beside it. */
  | { readonly kind: 'undata'; readonly stream: string; readonly seq: number; readonly digests: readonly string[] }
  /** Removes data outside commits. */
  | { readonly kind: 'remove-data'; readonly org: string; readonly digest: string }
  /** Removes up to `commits` of the newest commits of a stream, with the data beside them. */
  | { readonly kind: 'unstream'; readonly stream: string; readonly commits: number }
  | { readonly kind: 'write'; readonly table: string; readonly writes: readonly RowWrite[] }
  /** Writes the parts in order, in one operation. */
  | { readonly kind: 'parts'; readonly parts: readonly TableWrites[] }
  | { readonly kind: 'rows'; readonly rows: readonly TableRows[] }
  | { readonly kind: 'merge'; readonly table: string; readonly changes: readonly RowChange[] }
  /** Sets how far groups of consumers are. When it is reported as done, all earlier writes survive a power cut. */
  | { readonly kind: 'positions'; readonly positions: readonly GroupPosition[] }
  /** When it is reported as done, all earlier writes survive a power cut. */
  | { readonly kind: 'sync' }
  /** Moves up to `rows` rows of a table from the other file, where an older release kept it. */
  | { readonly kind: 'adopt'; readonly table: string; readonly rows: number }
  /** Records that all documents are restored. */
  | { readonly kind: 'restored' }
  | {
      readonly kind: 'collection';
      readonly table: string;
      readonly columns: readonly Column[];
      /** Names of indexes and the statement that makes each. */
      readonly indexes: readonly (readonly [name: string, sql: string])[];
      /** Whether indexes that are not in the list are dropped. */
      readonly complete: boolean;
      /** Whether the columns of all rows were filled since the last call. Then the indexes over them are made. */
      readonly filled: boolean;
    }
  /** Fills the columns of up to `rows` rows after a row. */
  | { readonly kind: 'fill'; readonly table: string; readonly after: number; readonly rows: number }
  /** Drops one index. */
  | { readonly kind: 'unindex'; readonly table: string }
  /** Removes up to `rows` rows of a table that is too large to be dropped at once. */
  | { readonly kind: 'clear'; readonly table: string; readonly rows: number }
  | { readonly kind: 'drop'; readonly table: string };

/** Whether the other file has the table, and whether it has rows that are not moved yet. */
export type AdoptionResult = 'none' | 'more' | 'all';

/** The outcome of each kind; `merge` says which of its changes were written. */
export interface Outcomes {
  /** A number: it was appended at this position. `there`: it was appended before, and others may have followed since. */
  append: Exclude<AppendOutcome, 'appended'> | 'there' | number;
  data: null;
  undata: null;
  'remove-data': null;
  /** How many commits were removed. */
  unstream: number;
  write: null;
  parts: null;
  rows: null;
  merge: boolean[];
  positions: null;
  sync: null;
  adopt: AdoptionResult;
  restored: null;
  /** Whether columns must be filled before the indexes are made. */
  collection: boolean;
  /** The last row that was filled; null: there are no more. */
  fill: number | null;
  /** Whether there was an index to drop. */
  unindex: boolean;
  /** Whether it is still too large. */
  clear: boolean;
  drop: null;
}

/** Why an operation was not carried out. Nothing of it stays. */
export interface Failure {
  readonly reason: 'full' | 'unavailable' | 'fault';
  readonly message: string;
}

export type OperationResult = { readonly value: Outcomes[Operation['kind']] } | { readonly failure: Failure };

/** Messages to and from the writer. */
export type WriterRequest =
  | { readonly kind: 'group'; readonly operations: readonly Operation[] }
  | { readonly kind: 'damaged' }
  | { readonly kind: 'close' };
export type WriterMessage =
  /** `restoring`: why the documents of the file must be rebuilt from commits; null if they are complete. */
  | { readonly kind: 'ready'; readonly restoring: string | null }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'done'; readonly endings: readonly OperationResult[] };

/** Operations that must survive a power cut when they are reported as done. The others can be restored from them. */
const DURABLE: ReadonlySet<Operation['kind']> = new Set(['append', 'data', 'positions', 'sync', 'adopt']);

/** Whether an operation and all earlier writes must survive a power cut when the operation is reported as done. */
export function isDurable({ kind }: Operation): boolean {
  return DURABLE.has(kind);
}

/** About how many bytes an operation writes. */
export function sizeOf(operation: Operation): number {
  switch (operation.kind) {
    case 'append':
      return operation.commit.body.length;
    case 'data':
      return operation.bytes.length;
    case 'write':
      return sizeOfRows(operation.writes);
    case 'parts':
      return operation.parts.reduce((sum, { writes }) => sum + sizeOfRows(writes), 0);
    case 'rows':
      return operation.rows.reduce(
        (sum, { cells }) => cells.reduce<number>((all, cell) => all + lengthOf(cell), sum),
        0,
      );
    case 'merge':
      return operation.changes.reduce((sum, { doc }) => sum + doc.length, 0);
    case 'undata':
    case 'unstream':
    case 'remove-data':
    case 'positions':
    case 'sync':
    case 'adopt':
    case 'restored':
    case 'collection':
    case 'fill':
    case 'unindex':
    case 'clear':
    case 'drop':
      return 0;
  }
}

/** The buffers of data that operations write. */
export function buffersOf(operations: readonly Operation[]): ArrayBuffer[] {
  return operations.flatMap((operation) => (operation.kind === 'data' ? [operation.bytes.buffer] : []));
}

/** About how many rows of documents an operation writes. */
export function rowsOf(operation: Operation): number {
  switch (operation.kind) {
    case 'write':
      return operation.writes.length;
    case 'parts':
      return operation.parts.reduce((sum, { writes }) => sum + writes.length, 0);
    case 'rows':
      return operation.rows.reduce((sum, { cells }) => sum + cells.length / ROW_CELLS, 0);
    case 'merge':
      return operation.changes.length;
    case 'fill':
    case 'adopt':
      return operation.rows;
    default:
      return 1;
  }
}

function lengthOf(cell: string | number | null): number {
  return typeof cell === 'string' ? cell.length : 0;
}

function sizeOfRows(writes: readonly RowWrite[]): number {
  return writes.reduce((sum, write) => sum + ('doc' in write ? write.doc.length : 0), 0);
}
