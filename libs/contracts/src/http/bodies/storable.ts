import { echo, isRawNumber } from '@assurance/kernel';
import type { FieldErrors } from '../params';

/** The deepest nesting of a body. No report is nearly as deep. The limit keeps recursion over a body within the stack. */
const DEPTH_MAX = 64;

/** A value that cannot be stored, with its path. The path is built from the innermost key, so storable values need no path. */
interface StorageProblem {
  readonly problem: string;
  readonly path: string[];
}

const TOO_DEEP: StorageProblem = { problem: `Input is nested more than ${DEPTH_MAX} levels deep`, path: [] };

/** What the scan has found. */
export interface StorableScan {
  /** Whether there is a number that no double holds. */
  rawNumber: boolean;
}

/** Finds values that canonical JSON (RFC 8785) cannot hold, such as lone surrogates, and nesting that is too deep. Null: there is none. */
export function findUnstorable(value: unknown, scan: StorableScan = { rawNumber: false }): FieldErrors | null {
  const problem = find(value, 0, scan);
  if (problem === null) return null;
  const path = problem.path.reverse().map(echo).join('.');
  return { [path === '' ? 'body' : path]: problem.problem };
}

function find(value: unknown, depth: number, scan: StorableScan): StorageProblem | null {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? null : { problem: 'Text holds half of a surrogate pair', path: [] };
    case 'number':
      return Number.isFinite(value) ? null : { problem: 'Number is too large', path: [] };
    case 'object':
      if (value === null) return null;
      if (depth === DEPTH_MAX) return TOO_DEEP;
      if (Array.isArray(value)) return inList(value, depth + 1, scan);
      if (!isRawNumber(value)) return inObject(value as Record<string, unknown>, depth + 1, scan);
      scan.rawNumber = true;
      return null;
    default:
      return null;
  }
}

function inList(list: readonly unknown[], depth: number, seen: StorableScan): StorageProblem | null {
  for (let i = 0; i < list.length; i += 1) {
    const problem = find(list[i], depth, seen);
    if (problem !== null) return prependKey(String(i), problem);
  }
  return null;
}

function inObject(object: Readonly<Record<string, unknown>>, depth: number, seen: StorableScan): StorageProblem | null {
  for (const key of Object.keys(object)) {
    if (!key.isWellFormed()) return { problem: 'A key holds half of a surrogate pair', path: [] };
    const problem = find(object[key], depth, seen);
    if (problem !== null) return prependKey(key, problem);
  }
  return null;
}

function prependKey(key: string, problem: StorageProblem): StorageProblem {
  if (problem !== TOO_DEEP) problem.path.push(key);
  return problem;
}
