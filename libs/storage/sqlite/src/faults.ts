import { StoreFull, StoreUnavailable } from '@assurance/storage-ports';
import type { Failure } from './operations';

/**
 * SQLite's names of the result codes that this file distinguishes (sqlite.org/rescode.html). Other codes have the name of their primary code, which
 * is the lowest byte.
 */
const SQLITE_CODES: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  15: 'SQLITE_PROTOCOL',
  26: 'SQLITE_NOTADB',
  1034: 'SQLITE_IOERR_FSYNC',
};

/** The name of the code that SQLite or the file system gave an error; empty if it has none. */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('errcode' in error && typeof error.errcode === 'number') {
    return SQLITE_CODES[error.errcode] ?? SQLITE_CODES[error.errcode & 0xff] ?? `SQLITE_${error.errcode}`;
  }
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const FULL = ['SQLITE_FULL', 'ENOSPC', 'EDQUOT'];
const DISK = [
  'SQLITE_IOERR',
  'SQLITE_CORRUPT',
  'SQLITE_NOTADB',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
  'SQLITE_BUSY',
  'SQLITE_PROTOCOL',
  'SQLITE_NOMEM',
];
const FILES = ['EIO', 'EROFS', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE', 'ENOENT', 'ENOTDIR'];

function starts(code: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => code.startsWith(prefix));
}

/** Whether the file or the disk caused the fault, and not one operation. */
export function isFatal(error: unknown): boolean {
  return starts(codeOf(error), [...FULL, ...DISK]);
}

/** The file is damaged, or the disk returned damaged data. */
export const DAMAGED = 'what was read is no database';

/** Why only a restart helps after a fault; null if this process can continue. */
export function lossReason(error: unknown): string | null {
  const code = codeOf(error);
  if (code.startsWith('SQLITE_IOERR_FSYNC')) return 'a write failed to reach the disk';
  if (starts(code, ['SQLITE_CORRUPT', 'SQLITE_NOTADB'])) return DAMAGED;
  // No other process writes, so this is our own lock, which could not be released.
  return starts(code, ['SQLITE_BUSY', 'SQLITE_PROTOCOL']) ? 'the file stays locked' : null;
}

/** The form in which a fault is sent to the main thread. */
export function failureOf(error: unknown): Failure {
  const code = codeOf(error);
  const message = error instanceof Error ? `${error.message}${code === '' ? '' : ` (${code})`}` : String(error);
  if (FULL.includes(code)) return { reason: 'full', message };
  return { reason: starts(code, [...DISK, ...FILES]) ? 'unavailable' : 'fault', message };
}

/** The port's named error for a fault. */
export function errorOf({ reason, message }: Failure): Error {
  switch (reason) {
    case 'full':
      return new StoreFull(message);
    case 'unavailable':
      return new StoreUnavailable(message);
    case 'fault':
      return new Error(message);
  }
}

/** The port's named error for an error of the disk; any other error unchanged. */
export function portErrorOf(error: unknown): unknown {
  const failure = failureOf(error);
  return failure.reason === 'fault' ? error : errorOf(failure);
}
