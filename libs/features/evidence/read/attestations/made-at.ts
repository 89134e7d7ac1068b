import { parseTime, plausibleTime } from '@assurance/kernel';

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
  const plausibleTimes = [...times, ms === null ? null : ms / 1_000].flatMap((time) =>
    typeof time === 'number' ? (plausibleTime(time) ?? []) : [],
  );
  return plausibleTimes.length === 0 ? null : plausibleTimes.reduce((latest, time) => Math.max(latest, time));
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
