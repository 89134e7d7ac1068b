import { parseTime } from '@assurance/kernel';

/** Earlier times stand for unknown ones: 2000-01-01 in epoch seconds. */
const EARLIEST = 946_684_800;

/**
 * When evidence was made, as it says itself: the last suite of a JUnit report, or the document of a bill of materials.
 *
 * @param payload as it was recorded
 * @returns epoch seconds; null where it does not say so
 */
export function madeAtOf(payload: Readonly<Record<string, unknown>>): number | null {
  const suites: unknown = payload['junit_results'];
  const times = Array.isArray(suites) ? suites.map((suite) => fieldOf(suite, 'timestamp')) : [];
  const written = fieldOf(payload['sbom'], 'created_at');
  const ms = typeof written === 'string' ? parseTime(written) : null;
  const known = [...times, ms === null ? null : ms / 1_000].filter(
    (time): time is number => typeof time === 'number' && time >= EARLIEST,
  );
  return known.length === 0 ? null : known.reduce((latest, time) => Math.max(latest, time));
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
