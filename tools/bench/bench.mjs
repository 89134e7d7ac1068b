// Measures the built service and limits of the same machine in the same run (docs/benchmarks.md).
//
//   npm run bench [-- CASE … | embedded | scaled] [--quick] [--rounds N] [--seconds N] [--rows N] [--commits N] [--json FILE] [--profile]
import { writeFileSync } from 'node:fs';
import { cpus, loadavg, platform } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CASES, GROUPS, sizes } from './cases.mjs';
import { goals } from './goals.mjs';
import { complete } from './measure/complete.mjs';
import { profileInto, profiles } from './measure/profile.mjs';
import { tables } from './table.mjs';

const { values, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    profile: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    rows: { type: 'string' },
    commits: { type: 'string' },
  },
  allowPositionals: true,
});
const names = (positionals.length > 0 ? positionals : ['embedded']).flatMap((name) => GROUPS[name] ?? [name]);
const wrong = names.filter((name) => CASES[name] === undefined);
if (wrong.length > 0) {
  const there = [...Object.keys(GROUPS), ...Object.keys(CASES)];
  fail(`There is no case ${wrong.join(', ')}. There are: ${there.join(', ')}.`);
}
if (platform() !== 'linux') fail('The benchmarks read CPU and memory from /proc: run them on Linux.');

// Each server and service ends when this process ends.
process.setMaxListeners(50);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const large = { ...chosen('rows'), ...chosen('commits') };
const how = { ...sizes(values.quick, large), ...chosen('rounds'), ...chosen('seconds') };
const machine = { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version, load: loadavg()[0] };
const results = {};
const folder = resolve(`.cache/profiles/${new Date().toISOString().replaceAll(':', '-')}`);
if (values.profile) profileInto(folder);
for (const name of names) {
  console.error(`${name}`);
  Object.assign(results, await CASES[name]({ ...how, say: (text) => console.error(`  ${text}`) }));
}
complete(results);
const judged = goals(results);
const about = `${machine.cores} × ${machine.cpu}, Node ${machine.node}, ${how.rounds} rounds of ${how.seconds} s; load before the run ${machine.load.toFixed(1)}`;
const warning = values.quick ? '\nA quick run: it shows that all of it works; its figures say nothing.' : '';
console.log(`${about}${warning}\n\n${tables(results, judged)}`);
if (values.profile) console.log(`\n## Profiles\n\nIn ${folder}, with start and preparation.\n\n${profiles(folder)}`);
if (values.json !== undefined)
  writeFileSync(values.json, `${JSON.stringify({ machine, how, results, goals: judged }, null, 2)}\n`);

function chosen(name) {
  if (values[name] === undefined) return {};
  const number = Number(values[name]);
  if (!(number > 0)) fail(`--${name} takes a number above 0, not ${values[name]}.`);
  return { [name]: number };
}

function fail(text) {
  console.error(text);
  process.exit(1);
}
