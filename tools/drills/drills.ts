// Breaks services and their servers while clients report, then checks every acknowledged report.
//
//   npm run drills -- [NAME …] [--short]
//
// Results go to standard output, progress to standard error. The exit code is 1 if a report is lost or doubled, or an answer is not allowed.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { first } from '../common/api.ts';
import { run, stop } from '../common/command.ts';
import { apps } from '../common/instance.ts';
import { lastWords, type Stage } from '../common/stage.ts';
import { audit } from './audit.ts';
import { CASES, type Outcome, sizeOf, STAGES } from './cases.ts';
import { Drill } from './drill.ts';

/** How often progress is printed (milliseconds). */
const TOLD_MS = 30_000;

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const wrong = positionals.filter((name) => CASES[name] === undefined);
if (wrong.length > 0) stop(`There is no drill ${wrong.join(', ')}. There are: ${Object.keys(CASES).join(', ')}.`);
// Each server and service ends when this process ends.
process.setMaxListeners(50);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const names = positionals.length > 0 ? positionals : Object.keys(CASES);
const stageFor = (name: string) => CASES[name]?.stage ?? 'pairs';
let ok = true;
for (const installation of new Set(names.map(stageFor))) {
  await using stage = await STAGES[installation]({ brief: values.short });
  for (const name of names.filter((one) => stageFor(one) === installation)) {
    const { text, passed } = await runDrill(name, stage);
    console.log(`${name.padEnd(18)} ${text}`);
    if (!passed) console.error(lastWords(stage.folder));
    ok &&= passed;
  }
}
process.exit(ok ? 0 : 1);

/** Runs a drill on a stage, then audits the reports. Nothing may be lost or doubled. */
async function runDrill(name: string, stage: Stage): Promise<{ readonly text: string; readonly passed: boolean }> {
  const begun = performance.now();
  const elapsed = () => Math.round((performance.now() - begun) / 1_000);
  const inSeconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`;
  const { bound, ...size } = sizeOf(name, values.short ? 'short' : 'full');
  const drill = new Drill(stage, size);
  const late = setTimeout(() => stop(`${name} did not end within ${bound / 1_000} s`), bound);
  const telling = setInterval(
    () => console.error(`${name}: ${drill.count} acknowledged after ${elapsed()} s`),
    TOLD_MS,
  );
  const { counts, note } = await outcome(name, drill);
  const { PATH } = process.env;
  const verify = [join(apps, 'operate/dist/main.js'), 'verify'];
  const { ok, out } = run(process.execPath, verify, { env: { PATH, ...first(stage.ingestion).settings } });
  drill.expect(ok, `verify: ${out}`);
  for (const service of [...stage.gateway, ...stage.ingestion, ...stage.projection])
    drill.expect(await service.lives(), `${service.role} ended by itself`);
  clearTimeout(late);
  clearInterval(telling);
  const { found, doubled, lost, caught } = counts;
  const figures = [
    `acknowledged ${drill.count}, found ${found}, doubled ${doubled}, lost ${lost}`,
    `longest gap ${inSeconds(drill.gaps.reports)} (reads ${inSeconds(drill.gaps.reads)})`,
    `slowest answer ${inSeconds(drill.slowest)}`,
    ...(caught === undefined ? [] : [`views complete after ${inSeconds(caught)}`]),
    ...(note === undefined ? [] : [note]),
    `${size.times > 1 ? `${size.times} times, ` : ''}${elapsed()} s`,
  ];
  const passed = doubled === 0 && lost === 0 && found === drill.count && drill.wrong.length === 0;
  return { passed, text: [figures.join('; '), ...new Set(drill.wrong)].join('\n  ') };
}

async function outcome(name: string, drill: Drill): Promise<Outcome> {
  const act = CASES[name]?.act ?? stop(name);
  if (typeof act !== 'function') return act.alone(drill);
  await drill.load();
  const told = await act(drill);
  await drill.unload();
  return { counts: await audit(drill), ...(told === undefined ? {} : { note: told }) };
}
