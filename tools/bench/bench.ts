// Measures the built service and limits of the same machine in the same run (docs/benchmarks.md).
//
//   npm run bench [-- CASE … | embedded | reports | scaled] [--quick] [--rounds N] [--seconds N] [--rows N] [--json FILE]
import { writeFileSync } from 'node:fs';
import { cpus, loadavg, platform } from 'node:os';
import { parseArgs } from 'node:util';
import { table } from '../ci/report.ts';
import { stop } from '../common/command.ts';
import { CASES, GROUPS, QUICK, THOROUGH } from './cases.ts';
import type { Goal, How, Result, Row, Spread } from './measure.ts';

const { values, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    rows: { type: 'string' },
  },
  allowPositionals: true,
});
const names = (positionals.length > 0 ? positionals : ['embedded']).flatMap((name) => GROUPS[name] ?? [name]);
const wrong = names.filter((name) => CASES[name] === undefined);
if (wrong.length > 0) {
  const known = [...Object.keys(GROUPS), ...Object.keys(CASES)];
  stop(`There is no case ${wrong.join(', ')}. There are: ${known.join(', ')}.`);
}
if (platform() !== 'linux') stop('The benchmarks read CPU and memory from /proc: run them on Linux.');

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
const results: Record<string, Result> = {};
for (const name of names) {
  console.error(name);
  results[name] = (await CASES[name]?.({ ...how, say: (text) => console.error(`  ${text}`) })) as Result;
}
complete(results, 'results');
const all = Object.values(results);
const about = `${machine.length} × ${machine[0]?.model}, Node ${process.version}, ${how.rounds} rounds of ${how.seconds} s; load before the run ${load}`;
const warning = values.quick ? '\nA quick run: it shows that all of it works; its figures say nothing.' : '';
console.log(`${about}${warning}\n`);
const HEAD = [
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
const rows = all.flatMap((one) => one.rows);
if (rows.length > 0) console.log(`${table(['what', ...HEAD], rows.map(line))}\n`);
console.log(table(['goal', 'figure', ''], all.flatMap((one) => one.goals).map(judged)));
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ about, how, results }, null, 2)}\n`);

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
