import { isRawNumber } from '@assurance/kernel';

/** Whether parsed JSON is an object: neither null, nor an array, nor a number with its digits. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}
