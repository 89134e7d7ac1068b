import {
  MongoBulkWriteError,
  MongoError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { StoreFull, StoreUnavailable } from '@assurance/storage-ports';

const DUPLICATE_KEY = 11000;
const OUT_OF_DISK = 14031;
/** Primary gone or going, majority not reached in time: another try may find a new primary. */
const PASSING = [6, 7, 64, 89, 91, 100, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436];

/** Whether an error may pass, and leaves open whether what was sent got written. */
export function isPassing(error: unknown): boolean {
  if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) return true;
  if (!(error instanceof MongoError)) return false;
  if (error.hasErrorLabel('RetryableWriteError') || error.hasErrorLabel('ResumableChangeStreamError')) return true;
  if (error instanceof MongoBulkWriteError) {
    // The driver wraps what stopped a bulk write, and drops what kind of error it was.
    const inner: unknown = error.errorResponse;
    if (inner !== error && inner instanceof Error && isPassing(inner)) return true;
    if (error.result.getWriteConcernError() !== undefined) return true;
  }
  return error instanceof MongoServerError && typeof error.code === 'number' && PASSING.includes(error.code);
}

/**
 * The operations of an unordered write that met a duplicate key, by their place in it.
 *
 * @throws the error itself when it says anything else, for then the rest may not be written either
 */
export function duplicatesIn(error: unknown): number[] {
  if (!(error instanceof MongoBulkWriteError) || isPassing(error)) throw error;
  const errors = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
  return errors.map(({ index }) => index);
}

/** The port's named error for an error of the driver; any other as it is. */
export function named(error: unknown): unknown {
  if (isPassing(error)) return new StoreUnavailable('MongoDB does not answer', { cause: error });
  if (error instanceof MongoServerError && error.code === OUT_OF_DISK) {
    return new StoreFull('MongoDB has no room on disk', { cause: error });
  }
  return error;
}
