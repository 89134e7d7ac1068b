// How many instances, partitions, shards and how much disk a load needs on the scaled engines, and what breaks first.
//
//   npm run capacity -- [--reports 1000] [--environments 1000] [--changed 0.01] [--costs FILE] [--json]
//
// `--reports` is a second, `--changed` the part of them that change what runs. Without --reports and --environments it shows a table of loads.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { table } from '../ci/report.ts';
import { stop } from '../common/command.ts';
import { COSTS, MACHINES } from './costs.ts';
import { plan } from './plan.ts';
import type { Load } from './simulate.ts';

const { values } = parseArgs({
  options: {
    reports: { type: 'string' },
    environments: { type: 'string' },
    changed: { type: 'string', default: '0.01' },
    costs: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
type Options = typeof values;
const loads = loadsOf(values);
const given: { readonly costs?: object; readonly machines?: object } =
  values.costs === undefined
    ? {}
    : (JSON.parse(readFileSync(values.costs, 'utf8')) as { costs?: object; machines?: object });
const costs = merged(COSTS, given.costs);
const machines = merged(MACHINES, given.machines);
const plans = loads.map((load) => ({ load, ...plan(load, costs, machines) }));
console.log(values.json ? JSON.stringify(plans, null, 2) : tableOf(plans));

function loadsOf({ reports, environments, changed }: Options): readonly Load[] {
  const part = numberOf('changed', changed, 0, 1);
  const many = (name: string, text: string | undefined, all: readonly number[]) =>
    text === undefined ? all : [numberOf(name, text, 1, 10_000_000)];
  return many('reports', reports, [1_000, 10_000, 100_000]).flatMap((a) =>
    many('environments', environments, [1_000, 100_000]).map((b) => ({ reports: a, environments: b, changed: part })),
  );
}

function numberOf(name: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (text !== '' && number >= least && number <= most) return number;
  return stop(`--${name} must be a number from ${least} to ${most}`);
}

/** The figures with those that a file replaces. */
function merged<T extends object>(known: T, changes: object = {}): T {
  const own = changes as Readonly<Record<string, object | number>>;
  const all = Object.entries(known).map(([name, value]: [string, unknown]) => {
    const more = own[name];
    return [name, typeof value === 'object' ? { ...value, ...(more as object) } : (more ?? value)];
  });
  return Object.fromEntries(all) as T;
}

function tableOf(all: typeof plans): string {
  const names = (all[0]?.parts ?? []).map(({ name }) => name);
  const heads = [
    'reports/s',
    'environments',
    'changed',
    ...names,
    'partitions',
    'GB a year',
    'GB in Kafka a year',
    'breaks first',
  ];
  const rows = all.map(({ load, parts, partitions, disk, limits: [most] }) => [
    load.reports.toLocaleString('en'),
    load.environments.toLocaleString('en'),
    `${load.changed * 100} %`,
    ...parts.map(({ count, busiest, p99 }) => `${count} (${Math.round(busiest * 100)} %, ${p99.toFixed(0)} ms)`),
    partitions,
    Math.round(disk.year).toLocaleString('en'),
    Math.round(disk.kafka).toLocaleString('en'),
    `${most?.name}: ${Math.round((most?.used ?? 0) * 100)} %, then ${most?.then}`,
  ]);
  return table(heads, rows);
}
