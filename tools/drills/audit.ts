import { until } from '../common/api.ts';
import { type Drill, LEAD_TIME } from './drill.ts';

/** How long to wait until views have caught up (milliseconds). */
const CAUGHT_UP_MS = 120_000;

export interface Counts {
  found: number;
  doubled: number;
  lost: number;
}
interface Row {
  readonly fingerprint: string;
  readonly lead_time?: number;
}
/** The rows that show the provenance too. */
const isWhole = ({ lead_time }: Row): boolean => (lead_time ?? 0) >= LEAD_TIME;
/** The list of all deployments of an environment. */
const deploymentsOf = (environment: string): string =>
  `/deployments/{org}?env_name=${environment}&start_ts=0&end_ts=9999999999`;

/**
 * Checks that every acknowledged report has one snapshot, one deployment and its provenance.
 *
 * @returns how many were found, doubled and lost, and how long the views took to show them (milliseconds)
 */
export async function audit(drill: Drill): Promise<Counts & { readonly caught: number }> {
  const begun = performance.now();
  const counts = { found: 0, doubled: 0, lost: 0 };
  for (const [environment, fingerprints] of drill.acknowledged) {
    const rows = await caughtUp(drill, environment, fingerprints.length, begun + CAUGHT_UP_MS);
    const indexes = (await drill.pages<{ index: number }>(`/snapshots/{org}/${environment}?reverse=true`)).map(
      ({ index }) => index,
    );
    const whole = new Set(rows.filter(isWhole).map(({ fingerprint }) => fingerprint));
    for (const fingerprint of fingerprints) counts[whole.has(fingerprint) ? 'found' : 'lost'] += 1;
    const different = new Set(rows.map(({ fingerprint }) => fingerprint));
    counts.doubled += Math.max(rows.length - different.size, indexes.length - fingerprints.length);
    const unknown = [...different].filter((fingerprint) => !fingerprints.includes(fingerprint));
    drill.expect(unknown.length === 0, `${environment} deployed what nobody reported: ${unknown.join(', ')}`);
    const gapless = indexes.every((index, i) => index === i + 1) && indexes.length >= fingerprints.length;
    drill.expect(gapless, `the snapshots of ${environment} have a gap`);
  }
  return { ...counts, caught: performance.now() - begun };
}

async function caughtUp(drill: Drill, environment: string, count: number, end: number): Promise<readonly Row[]> {
  let rows: readonly Row[] = [];
  const isCaughtUp = async () => {
    rows = await drill.pages<Row>(deploymentsOf(environment));
    // A deployment that arrives between two pages moves the last one of a page to the next, which then has it again.
    return new Set(rows.filter(isWhole).map(({ fingerprint }) => fingerprint)).size >= count;
  };
  await until(isCaughtUp, end - performance.now(), 100);
  return rows;
}
