/** The memory of a string, an object or an array in addition to its content (bytes). */
const EACH = 24;

/**
 * Estimates the memory of a JSON value in bytes (at least 1), for caches that are bounded by bytes. A value that is
 * contained twice counts twice.
 *
 * @param value plain objects, arrays, strings, numbers, booleans and null, no deeper than JSON that was parsed
 */
export function roughBytes(value: unknown): number {
  if (typeof value === 'string') return EACH + 2 * value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = EACH;
  // Keys do not count, because objects of one kind share them.
  for (const member of Array.isArray(value) ? value : Object.values(value)) bytes += 8 + roughBytes(member);
  return bytes;
}
