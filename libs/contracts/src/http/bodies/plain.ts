import { isRawNumber } from '@assurance/kernel';

/** Whether parsed JSON is an object: not null, not an array, and not a number that keeps its digits. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}
