import { parentPort } from 'node:worker_threads';
import type { Evaluation, Job, Problem, Said } from './messages';
import { holds, programProblem } from './programs';
import { compileSchema, firstProblem } from './schemas';

/** A thread that holds more than this beyond its heap (bytes: jq's memory only ever grows) is replaced. */
const HELD_MAX = 96 * 1024 * 1024;

/** The thread in which schemas and rules run that nobody of us wrote. Whoever started it ends it when it takes too long. */
function serveJobs(): void {
  const port = parentPort;
  if (port === null) throw new Error('the evaluator runs as a worker thread');
  // What jq calls itself, and tells its programs.
  process.argv.splice(0, process.argv.length, 'jq', 'jq');
  const tell = (said: Said) => port.postMessage(said);
  const at = (what: Problem['what']) => tell({ kind: 'at', what });
  port.on('message', (job: Job) => {
    const done = job.kind === 'check' ? check(job, at) : evaluate(job, at);
    void done.then((said) => tell({ ...said, spent: process.memoryUsage().external > HELD_MAX }));
  });
  // jq is loaded before the first job's time runs.
  void programProblem('.').then(() => tell({ kind: 'ready' }));
}

type Untold<T> = T extends unknown ? Omit<T, 'spent'> : never;

async function check(
  { schema, programs }: Extract<Job, { kind: 'check' }>,
  at: (what: Problem['what']) => void,
): Promise<Untold<Extract<Said, { kind: 'checked' }>>> {
  const problems: Problem[] = [];
  if (schema !== null) {
    at('schema');
    try {
      compileSchema(schema);
    } catch (error) {
      problems.push({ what: 'schema', text: (error instanceof Error ? error.message : String(error)).slice(0, 300) });
    }
  }
  for (const [i, program] of programs.entries()) {
    at(i);
    const text = await programProblem(program);
    if (text !== null) problems.push({ what: i, text });
  }
  return { kind: 'checked', problems };
}

async function evaluate(
  { demands: { schema, rules }, data }: Extract<Job, { kind: 'evaluate' }>,
  at: (what: Problem['what']) => void,
): Promise<Untold<Extract<Said, { kind: 'evaluated' }>>> {
  const evaluation = await evaluated(schema, rules, data, at);
  return { kind: 'evaluated', evaluation };
}

async function evaluated(
  schema: string | null,
  rules: readonly string[],
  data: string,
  at: (what: Problem['what']) => void,
): Promise<Evaluation> {
  if (schema !== null) {
    at('schema');
    const validate = compileSchema(schema);
    if (validate(JSON.parse(data)) !== true) return { kind: 'unfit', ...firstProblem(validate.errors) };
  }
  const held: boolean[] = [];
  for (const [i, rule] of rules.entries()) {
    at(i);
    held.push(await holds(rule, data));
  }
  return { kind: 'fit', held };
}

serveJobs();
