// Runs the commands of README.md, the tutorial and the guide of clients on a service that `npm start` starts with a free port and an empty data folder.
// Compares every answer with the documented one. Also checks that the documented bootstrap file works, and that each documented pipeline succeeds with
// passing tests and fails with a failing one.
//   npm run check:readme               exit code 1 on any difference
//   npm run check:readme -- --update   writes the received answers into the documents
// It replaces only the values of `export HOST=…` and `export KEY=…`.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInBash, sameAnswer } from './readme/commands.mjs';
import { blocksBelow, steps } from './readme/parse.mjs';
import { pipelineOf, runPipeline } from './readme/pipelines.mjs';
import { npmStart } from './readme/service.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const CONFIGURATION = 'docs/operating/configuration.md';
/** Documents whose commands run in one shell, in this order, with the heading above the commands. */
const WALKTHROUGH = [
  { file: 'README.md', heading: '## The first five minutes' },
  { file: 'docs/using/tutorial.md', heading: '# Tutorial' },
  { file: 'docs/using/clients.md', heading: '# Clients' },
];
const read = (file) => readFileSync(join(root, file), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'assurance-readme-'));
let differences = 0;

function tell(same, what, ...details) {
  console.log([`${same ? 'ok     ' : 'DIFFERS'}  ${what}`, ...(same ? [] : details)].join('\n'));
  if (!same) differences += 1;
}

async function firstFiveMinutes() {
  const env = { ASSURANCE_PORT: '0', ASSURANCE_DATA_DIR: join(folder, 'data') };
  const all = WALKTHROUGH.flatMap(({ file, heading }) =>
    steps(blocksBelow(read(file), heading)).map((step) => ({ ...step, file })),
  );
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
    pipelines({ HOST: host, KEY: key, ORG: 'admin' });
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

/** A pipeline runs in the folder in which the commands before it ran, as if it had checked that out. */
function pipelines(given) {
  const all = WALKTHROUGH.flatMap(({ file, heading }) =>
    blocksBelow(read(file), heading).map((block) => ({ file, line: block.line, pipeline: pipelineOf(block) })),
  ).filter(({ pipeline }) => pipeline !== null);
  for (const { file, line, pipeline } of all) {
    const gate = pipeline.steps.at(-1);
    const failing = runPipeline(pipeline, '1', { ...given, FAILURES: '1' }, folder);
    tell(failing.failed === gate, `${file}:${line}: a failing test fails the build at its gate`, failing.out);
    const passing = runPipeline(pipeline, '2', given, folder);
    tell(passing.ok, `${file}:${line}: with passing tests the build goes on`, passing.out);
  }
}

function compareAnswers(ran) {
  for (const { file, command, answer, out, code } of ran) {
    const same = code === 0 && (answer === null ? out === '' : sameAnswer(answer.text, out));
    const title = command.text.split('\n').find((line) => line.includes('curl')) ?? 'variables';
    const details = [`  shown: ${answer?.text ?? ''}`, `  got:   ${out} (exit code ${code})`];
    tell(same, `${file}:${command.line}: ${title}`, ...details);
  }
}

async function statusOf({ host }, organization, key) {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(`${host}/api/v2/environments/${organization}/production`, { headers })).status;
}

async function bootstrapFile() {
  const [declared] = blocksBelow(read(CONFIGURATION), '## The bootstrap file').filter(({ lang }) => lang === 'yaml');
  const path = join(folder, 'bootstrap.yaml');
  writeFileSync(path, declared.text);
  const env = { ASSURANCE_PORT: '0', ASSURANCE_DATA_DIR: join(folder, 'declared'), ASSURANCE_BOOTSTRAP_FILE: path };
  const service = await npmStart(root, env);
  try {
    const organization = /organizations:\n +- name: (\S+)/.exec(declared.text)[1];
    for (const [, key] of declared.text.matchAll(/\bkey: ([^\s,}]+)/g)) {
      // There is no such environment, and the caller may know that.
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
  for (const { file } of WALKTHROUGH) {
    let updated = read(file);
    for (const { answer, out } of ran.filter((step) => step.file === file).toReversed()) {
      if (answer === null) continue;
      const text = await format(out.replace(/localhost:\d+/g, 'localhost:8001'), { parser: 'json', printWidth: 120 });
      updated = updated.slice(0, answer.start) + text + updated.slice(answer.end);
    }
    writeFileSync(join(root, file), updated);
  }
}

try {
  const ran = await firstFiveMinutes();
  if (process.argv.includes('--update')) await update(ran);
  else compareAnswers(ran);
  await bootstrapFile();
  console.log(`\n${differences} differ`);
  process.exitCode = differences === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
