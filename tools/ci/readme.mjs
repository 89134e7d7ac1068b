// Runs what README.md tells a newcomer to run, on a service that `npm start` brings up on a free port and an empty data folder, and compares
// every answer with the one shown. Also checks that scripts, files and settings that it names exist, and that its bootstrap file works.
//   npm run check:readme               exit code 1 on any difference
//   npm run check:readme -- --update   writes the answers that came into README.md
// Of the commands only `export HOST=…` and `export KEY=…` are replaced, by the service's own.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInBash, sameAnswer } from './readme/commands.mjs';
import { wrongNames } from './readme/names.mjs';
import { blocksBelow, steps } from './readme/parse.mjs';
import { npmStart } from './readme/service.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const file = join(root, 'README.md');
const page = readFileSync(file, 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'assurance-readme-'));
let differences = 0;

function tell(same, what, ...details) {
  console.log([`${same ? 'ok     ' : 'DIFFERS'}  ${what}`, ...(same ? [] : details)].join('\n'));
  if (!same) differences += 1;
}

async function firstFiveMinutes() {
  const env = { ASSURANCE_PORT: '0', ASSURANCE_DATA_DIR: join(folder, 'data') };
  const all = steps(blocksBelow(page, '## The first five minutes'));
  const service = await npmStart(root, env);
  const { key } = service;
  let ran;
  try {
    if (key === null) throw new Error('the first start printed no key');
    const host = service.host.replace('127.0.0.1', 'localhost');
    ran = runInBash(
      all.map(({ command }) => command.text),
      { HOST: host, KEY: key },
      folder,
    );
  } finally {
    await service.stop();
  }
  const again = await npmStart(root, env);
  try {
    tell(again.key === null, 'a second start prints no key');
    tell((await statusOf(again, 'admin', key)) === 200, 'the first key and what was recorded outlive a restart');
  } finally {
    await again.stop();
  }
  return all.map((step, i) => ({ ...step, ...ran[i] }));
}

function compareAnswers(ran) {
  for (const { command, answer, out, code } of ran) {
    const same = code === 0 && (answer === null ? out === '' : sameAnswer(answer.text, out));
    const title = command.text.split('\n').find((line) => line.includes('curl')) ?? 'variables';
    const details = [`  shown: ${answer?.text ?? ''}`, `  got:   ${out} (exit code ${code})`];
    tell(same, `line ${command.line}: ${title}`, ...details);
  }
}

async function statusOf({ host }, organization, key) {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(`${host}/api/v2/environments/${organization}/production`, { headers })).status;
}

async function bootstrapFile() {
  const [declared] = blocksBelow(page, '### The bootstrap file').filter(({ lang }) => lang === 'yaml');
  const path = join(folder, 'bootstrap.yaml');
  writeFileSync(path, declared.text);
  const env = { ASSURANCE_PORT: '0', ASSURANCE_DATA_DIR: join(folder, 'declared'), ASSURANCE_BOOTSTRAP_FILE: path };
  const service = await npmStart(root, env);
  try {
    const organization = /organizations:\n +- name: (\S+)/.exec(declared.text)[1];
    for (const [, key] of declared.text.matchAll(/\bkey: ([^\s,}]+)/g)) {
      // No such environment, but who asks may know.
      tell((await statusOf(service, organization, key)) === 404, `the declared key ${key} opens ${organization}`);
    }
    tell((await statusOf(service, organization, 'another')) === 401, 'a key that was not declared opens nothing');
    tell(service.key === null, 'with a bootstrap file no key is printed');
  } finally {
    await service.stop();
  }
}

async function update(ran) {
  const { format } = await import('prettier');
  let updated = page;
  for (const { answer, out } of ran.toReversed()) {
    if (answer === null) continue;
    const text = await format(out.replace(/localhost:\d+/g, 'localhost:8001'), { parser: 'json', printWidth: 120 });
    updated = updated.slice(0, answer.start) + text + updated.slice(answer.end);
  }
  writeFileSync(file, updated);
}

try {
  for (const sentence of wrongNames(page, root)) tell(false, sentence);
  tell(true, 'scripts, files and settings were looked up');
  const ran = await firstFiveMinutes();
  if (process.argv.includes('--update')) await update(ran);
  else compareAnswers(ran);
  await bootstrapFile();
  console.log(`\n${differences} differ`);
  process.exitCode = differences === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
