import { pages, snapshots } from './cases/lists.ts';
import { packages } from './cases/packages.ts';
import { idle, reports } from './cases/reports.ts';
import { scaledReports } from './cases/scaled.ts';
import type { How, Result } from './measure.ts';

export const THOROUGH = {
  rounds: 6,
  seconds: 4,
  connections: 32,
  rows: [1_000, 100_000],
  kept: [10, 10_000],
  evidence: 100,
  wait: 5_000,
  brief: false,
};
/** Too short for figures; shows that every case runs. */
export const QUICK = {
  rounds: 1,
  seconds: 0.2,
  connections: 4,
  rows: [100, 1_000],
  kept: [10, 100],
  evidence: 1,
  wait: 500,
  brief: true,
};

const SIZES = [10, 1_000, 10_000];

/** Cases on the embedded engine, in one process. */
const EMBEDDED: Readonly<Record<string, (how: How) => Promise<Result>>> = {
  idle,
  ...Object.fromEntries(
    (['unchanged', 'changed'] as const).flatMap((kind) =>
      SIZES.map((count) => [`${kind}-${count}`, (how: How) => reports(kind, count, how)]),
    ),
  ),
  pages,
  snapshots,
  packages,
};

/** Cases on MongoDB and Kafka, with one of each service. */
const SCALED: Readonly<Record<string, (how: How) => Promise<Result>>> = {
  'scaled-unchanged': (how) => scaledReports('unchanged', how),
  'scaled-changed': (how) => scaledReports('changed', how),
};

/** All cases by their names on the command line. */
export const CASES = { ...EMBEDDED, ...SCALED };

const named = (part: string) => Object.keys(CASES).filter((name) => name.startsWith(part));

/** Groups of cases by their names on the command line. `kinds`: each case of the embedded engine, reports in one size only. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  embedded: Object.keys(EMBEDDED),
  scaled: Object.keys(SCALED),
  reports: [...named('unchanged'), ...named('changed')],
  kinds: Object.keys(EMBEDDED).filter((name) => !/-1000$|-10000$/.test(name)),
};
