// Breaks services and their servers while clients report, then checks every acknowledged report.
//
//   npm run drills -- [NAME …] [--short]
//
// Results go to standard output, progress to standard error. The exit code is 1 if a report is lost or doubled, or an answer is not allowed.
import { parseArgs } from 'node:util';
import { CASES, sizeOf, STAGES } from './cases.mjs';
import { drill } from './drill.mjs';
import { lastWords } from './stage/stage.mjs';

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const wrong = positionals.filter((name) => CASES[name] === undefined);
if (wrong.length > 0) fail(`There is no drill ${wrong.join(', ')}. There are: ${Object.keys(CASES).join(', ')}.`);
// Each server and service ends when this process ends.
process.setMaxListeners(50);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const names = positionals.length > 0 ? positionals : Object.keys(CASES);
let ok = true;
for (const wanted of new Set(names.map(stageFor))) {
  const stage = await STAGES[wanted]({ brief: values.short });
  try {
    for (const name of names.filter((each) => stageFor(each) === wanted)) {
      const { text, passed } = await drill(stage, CASES[name], sizeOf(CASES[name], values.short), (words) =>
        console.error(`${name}: ${words}`),
      );
      console.log(`${name.padEnd(18)} ${text}`);
      if (!passed) console.error(lastWords(stage.folder));
      ok &&= passed;
    }
  } finally {
    await stage.close();
  }
}
process.exit(ok ? 0 : 1);

function stageFor(name) {
  return CASES[name].stage ?? 'pairs';
}

function fail(text) {
  console.error(text);
  process.exit(1);
}
