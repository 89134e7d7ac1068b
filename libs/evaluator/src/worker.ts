import { constants, getPriority, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { ListedVulnerability } from '@assurance/contracts/vulnerabilities/events';
import { beginningOf, err, ok } from '@assurance/kernel';
import type { JobResult, Evaluation, Job, Problem, VulnerabilityParts } from './messages';
import { isRuleMet, programProblem } from './programs';

/** By how much the nice value of the thread on Linux is higher than that of the process. Next to another busy thread, it gets about a quarter of a processor. */
const NICENESS = 5;

/** A thread is replaced if it holds more memory than this (bytes). Its heap shrinks late, and the memory of jq never shrinks. */
const HELD_MAX = 48 * 1024 * 1024;
/** The most bytes of a file of vulnerabilities, also of a compressed one. */
const VULNERABILITY_BYTES_MAX = 32 * 1024 * 1024;

/** These modules, YAML and jq are loaded when a job needs them. A new thread then starts in a quarter of the processor time. */
const schemas = () => import('./schemas.js');
const importJudging = () => import('./judging/slice.js');

/** Runs user code in this thread. The pool ends the thread if it takes too long or sends an unexpected message. */
function serveJobs(): void {
  const port = parentPort;
  if (port === null) throw new Error('the evaluator runs as a worker thread');
  // jq takes its program name from here, and jq programs can read it.
  process.argv.splice(0, process.argv.length, 'jq', 'jq');
  port.on('message', (job: Job & { readonly id: number }) => {
    const { id } = job;
    // A failure ends the thread.
    void runJob(job, (what) => port.postMessage({ id, kind: 'at', what })).then((jobResult) =>
      port.postMessage({ ...jobResult, id, spent: memoryInUse() > HELD_MAX }),
    );
  });
  // Linux sets the priority of the calling thread only. Other systems would change the whole process. Only root may lower a nice value.
  if (platform() === 'linux') setPriority(Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW));
  port.postMessage('ready');
}

/** The memory that the thread holds, on its heap and outside of it (bytes). */
function memoryInUse(): number {
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external;
}

async function runJob(job: Job, at: (what: Problem['what']) => void): Promise<JobResult> {
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
      return { kind: 'weigh', costs: job.rules.map((await importJudging()).estimateCost) };
    case 'judge':
      return { kind: 'judge', judged: (await importJudging()).judgeSlice(job.slice) };
    case 'sbom': {
      const { readSbom } = await import('./sbom/read-sbom.js');
      const read = readSbom(job.content);
      if (!read.ok) return { kind: 'sbom', read };
      const { components, ...sbom } = read.value;
      const { componentParts } = await import('@assurance/evidence/domain/component-parts');
      const { parts, left, unmatched } = componentParts(components);
      const texts = parts.map((part) => JSON.stringify(part));
      return { kind: 'sbom', read: ok({ ...sbom, packageCount: components.length, parts: texts, left, unmatched }) };
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
  const empty = {
    vulnerabilityParts: [],
    statementParts: [],
    vulnerabilities: 0,
    statements: 0,
    unknownEcosystems: [],
  };
  const { decoded } = await import('./decoded.js');
  const text = decoded(Buffer.from(content.buffer, content.byteOffset, content.byteLength), VULNERABILITY_BYTES_MAX);
  if (!text.ok)
    return { ...empty, unread: 1, refusals: [{ field: '', problem: `Input should be text: ${text.refusal}` }] };
  const { vulnerabilities, statements, ...rest } = readVulnerabilityFile(new TextDecoder().decode(text.value), format);
  const { inOrder } = await import('@assurance/vulnerabilities/domain/affected-versions');
  const orderedVulnerabilities: ListedVulnerability[] = [];
  for (const { affected, ...vulnerability } of vulnerabilities) {
    orderedVulnerabilities.push({ ...vulnerability, affected: await Promise.all(affected.map(inOrder)) });
  }
  const texts = (parts: readonly unknown[]) => parts.map((part) => JSON.stringify(part));
  return {
    vulnerabilityParts: texts(partsOf(orderedVulnerabilities, ({ id }) => id)),
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
    // The schema was stored before such schemas were refused.
    if (typeof validate === 'string') return { kind: 'unfit', at: '', text: `cannot be checked: ${validate}` };
    const fits: unknown = validate(JSON.parse(data));
    if (typeof fits !== 'boolean') throw new Error('a schema answered something else than true or false');
    if (!fits) return { kind: 'unfit', ...(await schemas()).firstProblem(validate.errors) };
  }
  const verdicts: boolean[] = [];
  for (const [i, rule] of rules.entries()) {
    at(i);
    verdicts.push(await isRuleMet(rule, data));
  }
  return { kind: 'fit', verdicts };
}

/** Compiles a schema. If that fails, it returns the error message. */
async function compiledSchema(schema: string) {
  const { compileSchema } = await schemas();
  try {
    return compileSchema(schema);
  } catch (error) {
    return beginningOf(error instanceof Error ? error.message : String(error), 300);
  }
}

serveJobs();
