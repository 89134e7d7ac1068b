import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerClosedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
  MongoUnexpectedServerResponseError,
} from 'mongodb';
import { StoreFull, StoreUnavailable } from '@assurance/storage-ports';

const DUPLICATE_KEY = 11000;
const OUT_OF_DISK = 14031;
/**
 * Codes of errors after which another try may succeed with a new primary: the primary is gone or stepping down, no
 * majority was reached, or a cursor was lost with its server.
 */
const PASSING: readonly unknown[] = [
  6, 7, 43, 64, 89, 91, 100, 134, 189, 237, 262, 9001, 10107, 11600, 11602, 13435, 13436,
];
const PASSING_LABELS = [
  'RetryableWriteError',
  'ResumableChangeStreamError',
  'TransientTransactionError',
  'RetryableError',
  'SystemOverloadedError',
];
/**
 * The server changed its role, or left its set, after it was selected. The class of the pool's error cannot be
 * imported, so its name is compared.
 */
const CHANGED = [
  MongoNetworkError,
  MongoServerSelectionError,
  MongoServerClosedError,
  MongoUnexpectedServerResponseError,
];
const POOL_CLOSED = 'MongoPoolClosedError';
/**
 * The driver passes errors of sockets on unchanged, for example when the server closes the connection during a long
 * write.
 */
const OF_SOCKETS: readonly unknown[] = [
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
];
/** This process is ending. */
const CLOSED = [MongoClientClosedError, MongoNotConnectedError, MongoTopologyClosedError];

/** Whether an error is temporary and the outcome of the write is unknown. */
export function isPassing(error: unknown): boolean {
  // The error of a bulk write has this code too, because it copies the fields of the error that stopped it.
  if (OF_SOCKETS.includes((error as { readonly code?: unknown } | null | undefined)?.code)) return true;
  if (!(error instanceof MongoError)) return false;
  if (CHANGED.some((kind) => error instanceof kind) || error.name === POOL_CLOSED) return true;
  if (PASSING_LABELS.some((label) => error.hasErrorLabel(label))) return true;
  if (error instanceof MongoBulkWriteError) {
    // The driver wraps the error that stopped a bulk write, and loses its class.
    if (isPassing(error.errorResponse)) return true;
    if (error.result.getWriteConcernError() !== undefined) return true;
    // If several operations failed, the error has only the code of the first.
    if (writeErrorsOf(error).some(({ code }) => PASSING.includes(code))) return true;
  }
  return error instanceof MongoServerError && PASSING.includes(error.code);
}

/**
 * The indexes of the operations of an unordered write that met a duplicate key.
 *
 * @throws the error itself if it reports any other fault, because then other operations may not be written either
 */
export function duplicatesIn(error: unknown): number[] {
  if (!(error instanceof MongoBulkWriteError) || isPassing(error)) throw error;
  const errors = writeErrorsOf(error);
  if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
  return errors.map(({ index }) => index);
}

/** Returns the port's named error for an error of the driver, and any other error unchanged. */
export function portErrorOf(error: unknown): unknown {
  if (isPassing(error) || CLOSED.some((kind) => error instanceof kind))
    return new StoreUnavailable('MongoDB does not answer', { cause: error });
  if (error instanceof MongoServerError && error.code === OUT_OF_DISK) {
    return new StoreFull('MongoDB has no room on disk', { cause: error });
  }
  return error;
}

function writeErrorsOf({ writeErrors }: MongoBulkWriteError) {
  return Array.isArray(writeErrors) ? writeErrors : [writeErrors];
}
