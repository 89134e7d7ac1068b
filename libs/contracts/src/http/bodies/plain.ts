import { isRawNumber } from '@assurance/kernel';

/** Whether parsed JSON is an object: not null, not an array, and not a number that keeps its digits. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/** Counts characters as JSON Schema does: in code points. The rules of class-validator would not count some of them. */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
