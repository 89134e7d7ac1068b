// Measures the built service and limits of the same machine in the same run (docs/benchmarks.md).
//
//   npm run bench [-- CASE … | embedded | reports | scaled] [--quick] [--rounds N] [--seconds N] [--rows N] [--json FILE]
//   npm run bench -- --pair COMMIT [changed | unchanged | pages | scaled-changed | scaled-unchanged …] [--quick] [--rounds N] [--seconds N] [--json FILE]
// With --pair it measures this tree and another commit in turn, and fails if this tree is slower.
import { writeFileSync } from 'node:fs';
import { cpus, loadavg, platform } from 'node:os';
import { parseArgs } from 'node:util';
import { table } from '../ci/report.ts';
import { stop } from '../common/command.ts';
import { CASES, GROUPS, QUICK, THOROUGH } from './cases.ts';
import type { Goal, How, Result, Row, Spread } from './measure.ts';
import { measurePair, type Pair, PAIRS } from './pair.ts';

const { values, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    pair: { type: 'string' },
    json: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    rows: { type: 'string' },
  },
  allowPositionals: true,
});
const names =
  values.pair === undefined
    ? chosenNames(CASES, 'embedded', GROUPS)
    : chosenNames(PAIRS, 'all', { all: Object.keys(PAIRS) });
if (platform() !== 'linux') stop('The benchmarks read CPU and memory from /proc: run them on Linux.');

const COLUMNS = [
  'a second',
  'limit',
  'limit, a second',
  'ratio',
  'p50 ms',
  'p99 ms',
  'CPU ms',
  "limit's CPU ms",
  'peak MB',
];

// Each server and service ends when this process ends.
process.setMaxListeners(50);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const chosen = values.quick ? QUICK : THOROUGH;
const large = number('rows', chosen.rows[1] ?? 0);
const how = {
  ...chosen,
  rounds: number('rounds', chosen.rounds),
  seconds: number('seconds', chosen.seconds),
  rows: [Math.min(chosen.rows[0] ?? large, large), large],
} as unknown as Omit<How, 'say'>;
const [machine, load] = [cpus(), loadavg()[0]?.toFixed(1)];
const about = `${machine.length} × ${machine[0]?.model}, Node ${process.version}, ${how.rounds} rounds of ${how.seconds} s; load before the run ${load}`;
const warning = values.quick ? '\nA quick run: it shows that all of it works; its figures say nothing.' : '';
const results = values.pair === undefined ? await runCases() : await runPairs(values.pair);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ about, how, results }, null, 2)}\n`);

async function runCases(): Promise<Readonly<Record<string, Result>>> {
  const results: Record<string, Result> = {};
  for (const name of names) {
    console.error(name);
    results[name] = (await CASES[name]?.({ ...how, say: (text) => console.error(`  ${text}`) })) as Result;
  }
  complete(results, 'results');
  const all = Object.values(results);
  console.log(`${about}${warning}\n`);
  const rows = all.flatMap((one) => one.rows);
  if (rows.length > 0) console.log(`${table(['what', ...COLUMNS], rows.map(line))}\n`);
  console.log(table(['goal', 'figure', ''], all.flatMap((one) => one.goals).map(judged)));
  return results;
}

async function runPairs(commit: string): Promise<Readonly<Record<string, Pair>>> {
  const results: Record<string, Pair> = {};
  for (const name of names) {
    console.error(name);
    results[name] = await measurePair(name, commit, { ...how, say: (text) => console.error(`  ${text}`) });
  }
  complete(results, 'results');
  const rows = Object.values(results).flatMap((one) => one.rows);
  console.log(`${about}${warning}\n`);
  const columns = ['what', 'figure', commit, 'this tree', 'ratio (95 %)', 'within 5 %'];
  const cells = rows.map(({ what, figure, here, there, ratio: { median, low, high }, verdict }) => {
    const digits = Math.min(here, there) < 100 ? 2 : 0;
    const ratio = spread({ median, min: low, max: high });
    return [what, figure, format(there, digits), format(here, digits), ratio, verdict];
  });
  console.log(table(columns, cells));
  if (!values.quick && rows.some(({ verdict }) => verdict === 'missed')) process.exitCode = 1;
  return results;
}

/** The cases that the command line names. Ends the process if there is no such case. */
function chosenNames(
  cases: Readonly<Record<string, unknown>>,
  standard: string,
  groups: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  const chosen = (positionals.length > 0 ? positionals : [standard]).flatMap((name) => groups[name] ?? [name]);
  const wrong = chosen.filter((name) => cases[name] === undefined);
  if (wrong.length === 0) return chosen;
  return stop(
    `There is no case ${wrong.join(', ')}. There are: ${[...Object.keys(groups), ...Object.keys(cases)].join(', ')}.`,
  );
}

function line({ name, rival, service, limit, ratio, memory }: Row): readonly string[] {
  const median = (of: Row['service'], figure: string, digits: number) => format(of[figure]?.median ?? NaN, digits);
  return [
    name,
    median(service, 'perSecond', 0),
    rival,
    median(limit, 'perSecond', 0),
    spread(ratio),
    median(service, 'p50', 1),
    median(service, 'p99', 1),
    median(service, 'cpu', 2),
    median(limit, 'cpu', 2),
    memory === undefined ? '' : format(memory, 0),
  ];
}

function judged({ goal, figure, least = -Infinity, most = Infinity }: Goal): readonly string[] {
  const met = figure.median >= least && figure.median <= most;
  return [goal, spread(figure), met ? 'met' : 'missed'];
}

function format(value: number, digits = 2): string {
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function spread({ median, min, max }: Spread): string {
  return `${format(median)} (${format(min)}–${format(max)})`;
}

/** @throws Error that names a figure that did not come out, which is a fault of the benchmark */
function complete(value: unknown, path: string): void {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${path} is ${value}`);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) complete(inner, `${path}.${name}`);
}

function number(name: 'rounds' | 'seconds' | 'rows', standard: number): number {
  const text = values[name];
  const value = text === undefined ? standard : Number(text);
  return value > 0 ? value : stop(`--${name} takes a number above 0, not ${text}.`);
}
