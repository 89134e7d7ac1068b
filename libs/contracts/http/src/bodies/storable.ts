import type { FieldErrors } from '../params';
import { echo } from '../patterns';

/** Far deeper than any report; keeps recursion over a body within the stack. */
const DEPTH_MAX = 64;

/**
 * Finds what parsed JSON may hold and canonical JSON (RFC 8785) cannot: lone surrogates and numbers beyond a double,
 * and what is nested too deeply. Null when all of it can be stored.
 */
export function unstorable(value: unknown, path = '', depth = 0): FieldErrors | null {
  const at = (problem: string): FieldErrors => ({ [path === '' ? 'body' : path]: problem });
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? null : at('Text holds half of a surrogate pair');
    case 'number':
      return Number.isFinite(value) ? null : at('Number is too large');
    case 'object':
      break;
    default:
      return null;
  }
  if (value === null) return null;
  if (depth === DEPTH_MAX) return { body: `Input is nested more than ${DEPTH_MAX} levels deep` };
  for (const [key, item] of Object.entries(value)) {
    if (!key.isWellFormed()) return at('A key holds half of a surrogate pair');
    const found = unstorable(item, path === '' ? echo(key) : `${path}.${echo(key)}`, depth + 1);
    if (found !== null) return found;
  }
  return null;
}
