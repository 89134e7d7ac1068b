// The same work on this tree and on another commit, in turn.
import { appsOf } from '../common/checked-out.ts';
import { setServers } from '../common/stage.ts';
import type { Kind } from './bodies.ts';
import { firstPage } from './cases/lists.ts';
import { onOneProcess } from './cases/reports.ts';
import { onServices } from './cases/scaled.ts';
import { reporting } from './compare.ts';
import { startEmbedded } from './embedded.ts';
import { type Interval, interval, judge, type Verdict } from './interval.ts';
import { alternate, type Contender, figureOf, type How, type Rounds } from './measure.ts';

const ARTIFACTS = 10;
/** Deployments, of which the first page is read. */
const ROWS = 1_000;

/** What is measured of a version: its contender, and the scope that ends its processes. */
type Start = (how: How, open: AsyncDisposableStack, apps?: string) => Promise<Contender>;

const embeddedReports =
  (kind: Kind): Start =>
  async (how, open, apps) => {
    const service = open.use(await startEmbedded(apps));
    return (await reporting(onOneProcess(service), { kind, count: ARTIFACTS }, how)).contender;
  };

const scaledReports =
  (kind: Kind): Start =>
  async (how, open, apps) => {
    const stage = open.use(await setServers(how, apps));
    return (await reporting(onServices(stage), { kind, count: ARTIFACTS }, how)).contender;
  };

const pages: Start = async (how, open, apps) => firstPage(open.use(await startEmbedded(apps)), ROWS, how);

/** Names of figures, and what `work` is. */
type Figures = Readonly<Record<string, string>>;
const COMMON: Figures = { perSecond: 'a second', p99: 'p99 ms', cpu: 'CPU ms' };

/** What is done by two versions, by its name on the command line: what it is, how a version starts, the figures. */
export const PAIRS: Readonly<Record<string, readonly [what: string, start: Start, figures: Figures]>> = {
  changed: ['changed reports, one process', embeddedReports('changed'), { ...COMMON, work: 'bytes written' }],
  unchanged: ['unchanged reports, one process', embeddedReports('unchanged'), COMMON],
  pages: ['first page of 1,000 deployments', pages, COMMON],
  'scaled-changed': ['changed reports, services', scaledReports('changed'), { ...COMMON, work: 'CPU ms of all' }],
  'scaled-unchanged': ['unchanged reports, services', scaledReports('unchanged'), { ...COMMON, work: 'CPU ms of all' }],
};

/** One figure of both versions. */
export interface Compared {
  readonly what: string;
  readonly figure: string;
  readonly here: number;
  readonly there: number;
  readonly ratio: Interval;
  readonly verdict: Verdict;
}

/** What came out of one of the pairs. */
export interface Pair {
  readonly rows: readonly Compared[];
  readonly rounds: Rounds;
}

/** Measures one of the pairs. Builds the commit first, once. */
export async function measurePair(name: string, commit: string, how: How): Promise<Pair> {
  const [what, start, figures] = PAIRS[name] as (typeof PAIRS)[string];
  await using open = new AsyncDisposableStack();
  const contenders = { there: await start(how, open, appsOf(commit)), here: await start(how, open) };
  for (const { run, settle } of Object.values(contenders)) {
    await run();
    await settle?.();
  }
  const rounds = await alternate({ ...how, say: (text) => how.say(`${what}: ${text}`) }, contenders);
  const rows = Object.entries(figures).map(([figure, title]): Compared => {
    const ratios = rounds.map(({ here, there }) => (here?.[figure] ?? NaN) / (there?.[figure] ?? NaN));
    const ratio = interval(ratios);
    const medianOf = (version: 'here' | 'there') => figureOf(rounds, version, figure).median;
    const verdict = judge(ratio, figure === 'perSecond');
    return { what, figure: title, here: medianOf('here'), there: medianOf('there'), ratio, verdict };
  });
  return { rows, rounds };
}
