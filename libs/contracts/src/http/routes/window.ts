import { type FieldErrors, positions, timestamp } from '../params';
import { integer } from '../shape';

const WINDOW_SECONDS = 28 * 24 * 3600;

/** Parameters for a window of time. @param items such as `Deployments` */
export const windowed = (items: string) => ({
  start_ts: timestamp(`${items} at or after this time, in epoch seconds. Default: 28 days before \`end_ts\`.`),
  end_ts: timestamp(`${items} at or before this time, in epoch seconds. Default: now.`),
});

/** Parameters for a list within a window of time, with pages. */
export const windowedPage = (items: string) => ({
  page: integer('Number of the page.', { min: 1, default: 1 }),
  per_page: integer(`${items} per page; 0 returns only the counts.`, { min: 0, max: 50, default: 15 }),
  ...windowed(items),
  ...positions,
});

/** Parameters of both deployment lists (specification 4.1, 4.5). */
export const deploymentPage = windowedPage('Deployments');

/** A window of time in epoch seconds, both ends included. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

/**
 * Says if a window ends before it starts; null if it is valid.
 *
 * @param start epoch seconds; null: it has no start
 * @param end epoch seconds; null: it has no end
 * @param text how a bound is shown
 */
export function windowProblem(
  start: number | null,
  end: number | null,
  text: (seconds: number) => string = String,
): string | null {
  if (start === null || end === null || start <= end) return null;
  return `The window starts at ${text(start)}, after its end ${text(end)}`;
}

/**
 * The window that a deployment list shows.
 *
 * @param now integer milliseconds
 * @returns errors for a window that ends before it starts
 */
export function windowOf(
  query: { readonly start_ts: number | null; readonly end_ts: number | null },
  now: number,
): { readonly value: Window } | { readonly errors: FieldErrors } {
  const end = query.end_ts ?? now / 1000;
  const start = query.start_ts ?? end - WINDOW_SECONDS;
  const problem = windowProblem(start, end);
  return problem === null ? { value: { start, end } } : { errors: { start_ts: problem } };
}
