// Runs the commands of README.md, the tutorial and the guide of clients on a service that `npm start` starts with a free port and an empty data folder.
// Compares every answer with the documented one. Also checks that each documented pipeline succeeds with passing tests and fails with a failing one.
//   npm run check:readme               exit code 1 on any difference
//   npm run check:readme -- --update   writes the received answers into the documents
// It replaces only the values of `export HOST=…` and `export KEY=…`.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, keyOf, npmStart, startGroup } from '../common/child.ts';
import { read, root, temporaryFolder } from '../common/root.ts';
import { blocksBelow, runInBash, sameAnswer, steps } from './readme/commands.ts';
import { pipelineOf, runPipeline } from './readme/pipelines.ts';
import { conclude, tell } from './report.ts';

/** Documents whose commands run in one shell, in this order, with the heading above the commands. */
const WALKTHROUGH = [
  { file: 'README.md', heading: '## The first five minutes' },
  { file: 'docs/using/tutorial.md', heading: '# Tutorial' },
  { file: 'docs/using/clients.md', heading: '# Clients' },
];
/** The first command starts the demo, which prints the variables of the others. */
const STORY = { file: 'README.md', heading: '## Where does this component run?' };
const FREE = { ASSURANCE_PORT: '0' };
const folder = temporaryFolder('readme');

/** Runs the service while something is done with it. */
async function during<T>(starts: Promise<Child>, does: (service: Child) => T): Promise<T> {
  await using service = await starts;
  return does(service);
}

const stepsOf = ({ file, heading }: typeof STORY) =>
  steps(blocksBelow(read(file), heading)).map((step) => ({ ...step, file }));

async function firstFiveMinutes() {
  const all = WALKTHROUGH.flatMap(stepsOf);
  const env = { ...FREE, ASSURANCE_DATA_DIR: join(folder, 'data') };
  const ran = await during(npmStart({ cwd: root, env }), (service) => {
    const key = keyOf(service) ?? '';
    tell(key !== '', 'the first start prints a key');
    const given = { HOST: service.url.replace('127.0.0.1', 'localhost'), KEY: key };
    const commands = all.map(({ command }) => command.text);
    const outcomes = runInBash(commands, given, folder);
    pipelines({ ...given, ORG: 'admin' });
    return outcomes;
  });
  return all.map((step, i) => ({ ...step, out: '', code: 1, ...ran[i] }));
}

/** The README's story with the demo's data. */
async function story(): Promise<Ran> {
  const [start, ...told] = stepsOf(STORY);
  const [command = '', ...args] = start?.command.text.trim().split(' ') ?? [];
  const ran = await during(startGroup(command, args, { cwd: root, env: FREE }), ({ greeting }) => {
    const variables = /^ *API=.*$/m.exec(greeting)?.[0] ?? '';
    tell(variables !== '', 'the demo prints variables for curl');
    return runInBash([variables, ...told.map((step) => step.command.text)], {}, mkdtempSync(join(folder, 'story-')));
  });
  return told.map((step, i) => ({ ...step, out: '', code: 1, ...ran[i + 1] }));
}

/** A pipeline runs in the folder in which the commands before it ran, as if it had checked that out. */
function pipelines(given: Readonly<Record<string, string>>): void {
  const systems = new Set<string>();
  for (const { file, heading } of WALKTHROUGH) {
    for (const block of blocksBelow(read(file), heading)) {
      const pipeline = pipelineOf(block);
      if (pipeline === null) continue;
      systems.add(pipeline.system);
      const place = `${file}:${block.line}`;
      const failing = runPipeline(pipeline, '1', { ...given, FAILURES: '1' }, folder);
      tell(
        failing.failed === pipeline.steps.at(-1),
        `${place}: a failing test fails the build at its gate`,
        failing.out,
      );
      const passing = runPipeline(pipeline, '2', given, folder);
      tell(passing.ok, `${place}: with passing tests the build goes on`, passing.out);
    }
  }
  tell(systems.size === 3, 'the documents have pipelines for three CI systems', [...systems].join());
}

type Ran = Awaited<ReturnType<typeof firstFiveMinutes>>;

function compareAnswers(ran: Ran): void {
  tell(!sameAnswer('{"a": 1, "b": null}', '{"a": 1}'), 'an answer without a field is another one');
  for (const { file, command, answer, out, code } of ran) {
    const same = code === 0 && (answer === null ? out === '' : sameAnswer(answer.text, out));
    const title = command.text.split('\n').find((line) => line.includes('curl')) ?? 'variables';
    const details = `  shown: ${answer?.text ?? ''}\n  got:   ${out} (exit code ${code})`;
    tell(same, `${file}:${command.line}: ${title}`, details);
  }
}

async function update(ran: Ran): Promise<void> {
  const { format } = await import('prettier');
  for (const { file } of WALKTHROUGH) {
    let updated = read(file);
    for (const { answer, out } of ran.filter((step) => step.file === file)) {
      if (answer === null) continue;
      const text = await format(out.replace(/localhost:\d+/g, 'localhost:8001'), { parser: 'json', printWidth: 120 });
      updated = updated.replace(answer.raw, () => answer.raw.replace(answer.text, () => text));
    }
    writeFileSync(join(root, file), updated);
  }
}

const ran = [...(await firstFiveMinutes()), ...(await story())];
if (process.argv.includes('--update')) await update(ran);
else compareAnswers(ran);
conclude();
