// How many instances, partitions, shards and how much disk a load needs on the scaled engines, and what breaks first.
//
//   npm run capacity -- [--reports 1000] [--environments 1000] [--changed 0.01] [--costs FILE] [--json]
//
// `--reports` is a second, `--changed` the part of them that change what runs. Without --reports and --environments it shows a table of loads.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { COSTS, MACHINES } from './costs.mjs';
import { plan } from './plan.mjs';

const { values } = parseArgs({
  options: {
    reports: { type: 'string' },
    environments: { type: 'string' },
    changed: { type: 'string', default: '0.01' },
    costs: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const loads = loadsOf(values);
const given = values.costs === undefined ? {} : JSON.parse(readFileSync(values.costs, 'utf8'));
const costs = merged(COSTS, given.costs);
const machines = merged(MACHINES, given.machines);
const plans = loads.map((load) => ({ load, ...plan(load, costs, machines) }));
console.log(values.json ? JSON.stringify(plans, null, 2) : table(plans));

function loadsOf({ reports, environments, changed }) {
  const part = numberOf('changed', changed, 0, 1);
  const many = (name, text, all) => (text === undefined ? all : [numberOf(name, text, 1, 10_000_000)]);
  return many('reports', reports, [1_000, 10_000, 100_000]).flatMap((a) =>
    many('environments', environments, [1_000, 100_000]).map((b) => ({ reports: a, environments: b, changed: part })),
  );
}

function numberOf(name, text, least, most) {
  const number = Number(text);
  if (text !== '' && number >= least && number <= most) return number;
  console.error(`--${name} must be a number from ${least} to ${most}`);
  process.exit(1);
}

function merged(known, changes = {}) {
  return Object.fromEntries(
    Object.entries(known).map(([name, value]) => [
      name,
      typeof value === 'object' ? { ...value, ...changes[name] } : (changes[name] ?? value),
    ]),
  );
}

function table(all) {
  const names = all[0].parts.map(({ name }) => name);
  const heads = [
    'reports/s',
    'environments',
    'changed',
    ...names,
    'partitions',
    'GB a year',
    'GB in Kafka',
    'breaks first',
  ];
  const rows = all.map(({ load, parts, partitions, disk, limits: [first] }) => [
    load.reports.toLocaleString('en'),
    load.environments.toLocaleString('en'),
    `${load.changed * 100} %`,
    ...parts.map(({ count, busiest, p99 }) => `${count} (${Math.round(busiest * 100)} %, ${p99.toFixed(0)} ms)`),
    partitions,
    Math.round(disk.year).toLocaleString('en'),
    Math.round(disk.kafka).toLocaleString('en'),
    `${first.name}: ${Math.round(first.used * 100)} %, then ${first.then}`,
  ]);
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}
