import { RETAINED } from '@assurance/contracts-events';
import type { Retention } from '@assurance/model';

/** For how long dropped data stays, for packages that began before the drop and read it (milliseconds). */
const READING_MS = 3_600_000;

/**
 * Whether the data that an organization dropped may be removed: its newest drop is an hour old.
 *
 * @param now integer milliseconds
 */
export function mayBeRemoved({ dropped }: Pick<Retention, 'dropped'>, now: number): boolean {
  return RETAINED.every((what) => (dropped[what].at(-1)?.at ?? 0) + READING_MS <= now);
}
