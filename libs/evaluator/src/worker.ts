import { isUtf8 } from 'node:buffer';
import { platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { ListedVulnerability } from '@assurance/contracts/vulnerabilities/events';
import { beginningOf, err, ok } from '@assurance/kernel';
import type { JobResult, Evaluation, Job, Problem, VulnerabilityParts } from './messages';
import { isRuleMet, programProblem } from './programs';

/** By how much the thread gives way to others that want a processor (Linux's nice value): it gets about a quarter of one beside a busy thread. */
const NICENESS = 5;

/** A thread that holds more than this (bytes: its heap shrinks late, and jq's memory never) is replaced. */
const HELD_MAX = 48 * 1024 * 1024;

/** Loaded when a job needs them, as YAML and jq are: to replace a thread that somebody's rules ended takes a quarter of the processor time. */
const schemas = () => import('./schemas.js');
const judging = () => import('./judging/slice.js');

/** The thread that runs user code. Its owner ends it when it takes too long or sends an unexpected message. */
function serveJobs(): void {
  const port = parentPort;
  if (port === null) throw new Error('the evaluator runs as a worker thread');
  // The name by which jq calls itself in its programs.
  process.argv.splice(0, process.argv.length, 'jq', 'jq');
  port.on('message', (job: Job & { readonly id: number }) => {
    const { id } = job;
    // A failure ends the thread.
    void done(job, (what) => port.postMessage({ id, kind: 'at', what })).then((jobResult) =>
      port.postMessage({ ...jobResult, id, spent: held() > HELD_MAX }),
    );
  });
  // Linux sets it for the calling thread alone. Elsewhere it would be the whole process that gives way.
  if (platform() === 'linux') setPriority(NICENESS);
  port.postMessage('ready');
}

/** Bytes that the thread holds, of its heap and beyond it. */
function held(): number {
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external;
}

async function done(job: Job, at: (what: Problem['what']) => void): Promise<JobResult> {
  switch (job.kind) {
    case 'check':
      return { kind: 'check', problems: await check(job, at) };
    case 'evaluate':
      return { kind: 'evaluate', evaluation: await evaluate(job, at) };
    case 'yaml': {
      const { readPolicy, readTemplate } = await import('./yaml/index.js');
      return { kind: 'yaml', read: job.what === 'policy' ? readPolicy(job.content) : readTemplate(job.content) };
    }
    case 'weigh':
      return { kind: 'weigh', costs: job.rules.map((await judging()).estimateCost) };
    case 'judge':
      return { kind: 'judge', judged: (await judging()).judgeSlice(job.slice) };
    case 'sbom': {
      const { readSbom } = await import('./sbom/read-sbom.js');
      const read = readSbom(job.content);
      if (!read.ok) return { kind: 'sbom', read };
      const { components, ...sbom } = read.value;
      const { componentParts } = await import('@assurance/evidence/domain/component-parts');
      const { parts, left } = componentParts(components);
      const texts = parts.map((part) => JSON.stringify(part));
      return { kind: 'sbom', read: ok({ ...sbom, packageCount: components.length, parts: texts, left }) };
    }
    case 'deny':
      return { kind: 'deny', denied: (await import('./judging/deny.js')).denyIn(job) };
    case 'vulnerabilities':
      return { kind: 'vulnerabilities', read: await readVulnerabilities(job) };
    case 'scan': {
      const { readScans } = await import('./scan/read-scans.js');
      return { kind: 'scan', read: await readScans(job.report, job.files) };
    }
    case 'match': {
      const { patternProblem, matchesPattern } = await import('@assurance/policies/domain/expression/pattern');
      const problem = patternProblem(job.pattern);
      const matched = problem === null ? ok(job.texts.map((text) => matchesPattern(job.pattern, text))) : err(problem);
      return { kind: 'match', matched };
    }
  }
}

async function readVulnerabilities({
  content,
  format,
}: Extract<Job, { kind: 'vulnerabilities' }>): Promise<VulnerabilityParts> {
  const { partsOf, readVulnerabilityFile } = await import('@assurance/vulnerabilities/domain/file');
  const empty = { vulnerabilityParts: [], statementParts: [], vulnerabilities: 0, statements: 0 };
  if (!isUtf8(content)) {
    return { ...empty, unread: 1, refusals: [{ field: '', problem: 'Input should be UTF-8 text' }] };
  }
  const { vulnerabilities, statements, ...rest } = readVulnerabilityFile(new TextDecoder().decode(content), format);
  const { inOrder } = await import('@assurance/vulnerabilities/domain/affected-versions');
  const ordered: ListedVulnerability[] = [];
  for (const { affected, ...vulnerability } of vulnerabilities) {
    ordered.push({ ...vulnerability, affected: await Promise.all(affected.map(inOrder)) });
  }
  const texts = (parts: readonly unknown[]) => parts.map((part) => JSON.stringify(part));
  return {
    vulnerabilityParts: texts(partsOf(ordered, ({ id }) => id)),
    statementParts: texts(partsOf(statements, ({ vulnerability }) => vulnerability)),
    vulnerabilities: vulnerabilities.length,
    statements: statements.length,
    ...rest,
  };
}

async function check(
  { schema, programs }: Extract<Job, { kind: 'check' }>,
  at: (what: Problem['what']) => void,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  if (schema !== null) {
    at('schema');
    const compiled = await compiledSchema(schema);
    if (typeof compiled === 'string') problems.push({ what: 'schema', text: compiled });
  }
  for (const [i, program] of programs.entries()) {
    at(i);
    const text = await programProblem(program);
    if (text !== null) problems.push({ what: i, text });
  }
  return problems;
}

async function evaluate(
  { demands: { schema, rules }, data }: Extract<Job, { kind: 'evaluate' }>,
  at: (what: Problem['what']) => void,
): Promise<Evaluation> {
  if (schema !== null) {
    at('schema');
    const validate = await compiledSchema(schema);
    // It was stored before such schemas were refused.
    if (typeof validate === 'string') return { kind: 'unfit', at: '', text: `cannot be checked: ${validate}` };
    const fits: unknown = validate(JSON.parse(data));
    if (typeof fits !== 'boolean') throw new Error('a schema answered something else than true or false');
    if (!fits) return { kind: 'unfit', ...(await schemas()).firstProblem(validate.errors) };
  }
  const held: boolean[] = [];
  for (const [i, rule] of rules.entries()) {
    at(i);
    held.push(await isRuleMet(rule, data));
  }
  return { kind: 'fit', held };
}

/** The fault if it cannot be compiled. */
async function compiledSchema(schema: string) {
  const { compileSchema } = await schemas();
  try {
    return compileSchema(schema);
  } catch (error) {
    return beginningOf(error instanceof Error ? error.message : String(error), 300);
  }
}

serveJobs();
