import { beside } from './cases/beside.mjs';
import { growth } from './cases/growth.mjs';
import { history } from './cases/history.mjs';
import { judged } from './cases/judged.mjs';
import { idle } from './cases/memory.mjs';
import { metrics } from './cases/metrics.mjs';
import { others } from './cases/others.mjs';
import { packages } from './cases/packages.mjs';
import { pages } from './cases/pages.mjs';
import { rebuild } from './cases/rebuild.mjs';
import { reports } from './cases/reports.mjs';
import { scaledReports } from './cases/scaled-reports.mjs';
import { scaledViews } from './cases/scaled-views.mjs';
import { snapshots } from './cases/snapshots.mjs';
import { start } from './cases/start.mjs';

const THOROUGH = {
  rounds: 6,
  seconds: 4,
  connections: 32,
  changes: 20,
  rows: [1_000, 100_000],
  earlier: [10_000, 100_000],
  stored: 1_000_000,
  rebuilt: 20_000,
  evidence: 100,
  kept: [10, 10_000],
  followed: 2_000,
  judged: 100,
  wait: 5_000,
};
/** Too short for figures; shows that every case runs. */
const QUICK = {
  rounds: 1,
  seconds: 0.2,
  connections: 4,
  changes: 2,
  rows: [100, 1_000],
  earlier: [20, 200],
  stored: 1_000,
  rebuilt: 500,
  evidence: 1,
  kept: [10, 100],
  followed: 40,
  judged: 10,
  wait: 500,
  brief: true,
};

/**
 * Chooses durations and sizes.
 *
 * @param {boolean} quick
 * @param {{rows?: number, commits?: number}} large the larger of two compared sizes; `commits` also applies to the start
 */
export function sizes(quick, { rows, commits }) {
  const how = quick ? QUICK : THOROUGH;
  const upTo = ([small, large], chosen = large) => [Math.min(small, chosen), chosen];
  return { ...how, rows: upTo(how.rows, rows), earlier: upTo(how.earlier, commits), stored: commits ?? how.stored };
}

/** Cases on the embedded engine, in one process. */
const EMBEDDED = {
  idle: async (how) => ({ idle: await idle(how) }),
  ...Object.fromEntries(
    ['unchanged', 'changed'].flatMap((kind) =>
      [10, 1_000, 10_000].map((count) => {
        const name = `${kind}-${count}`;
        return [name, async (how) => ({ [name]: await reports(kind, count, how) })];
      }),
    ),
  ),
  growth: async (how) => ({ growth: await growth(how) }),
  history: async (how) => ({ history: await history(how) }),
  start: async (how) => ({ start: await start(how) }),
  pages: async (how) => ({ pages: await pages(how) }),
  metrics: async (how) => ({ metrics: await metrics(how) }),
  rebuild: async (how) => ({ rebuild: await rebuild(how) }),
  beside: async (how) => ({ beside: await beside(how) }),
  packages: async (how) => ({ packages: await packages(how) }),
  judged: async (how) => ({ judged: await judged(how) }),
  snapshots: async (how) => ({ snapshots: await snapshots(how) }),
};

/** Cases on MongoDB and Kafka, with one of each service. */
const SCALED = {
  'scaled-unchanged': async (how) => ({ 'scaled-unchanged': await scaledReports('unchanged', how) }),
  'scaled-changed': async (how) => ({ 'scaled-changed': await scaledReports('changed', how) }),
  'scaled-views': async (how) => ({ 'scaled-views': await scaledViews(how) }),
};

/** Cases that compare with other software, which Go builds. */
const OTHERS = { 'beside-immudb': async (how) => ({ 'beside-immudb': await others(how) }) };

/** All cases by their names on the command line. Each returns a part of the results. */
export const CASES = { ...EMBEDDED, ...SCALED, ...OTHERS };

/** Groups of cases by their names on the command line. `kinds`: each case of the embedded engine, reports in one size only. */
export const GROUPS = {
  embedded: Object.keys(EMBEDDED),
  scaled: Object.keys(SCALED),
  others: Object.keys(OTHERS),
  kinds: Object.keys(EMBEDDED).filter((name) => !/-1000$|-10000$/.test(name)),
};
