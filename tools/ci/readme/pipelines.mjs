import { spawnSync } from 'node:child_process';
import { parse } from 'yaml';

/** The variables of each CI system that documented pipelines use. */
const SYSTEMS = {
  github: (run) => ({
    GITHUB_SHA: '3'.repeat(40),
    GITHUB_RUN_ID: run,
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'acme/shop',
  }),
  gitlab: (run) => ({
    CI_COMMIT_SHA: '4'.repeat(40),
    CI_PIPELINE_ID: run,
    CI_PIPELINE_URL: `https://gitlab.com/acme/shop/-/pipelines/${run}`,
  }),
  jenkins: (run) => ({
    GIT_COMMIT: '5'.repeat(40),
    BUILD_NUMBER: run,
    BUILD_URL: `https://jenkins.example.com/job/shop/${run}/`,
  }),
};

/**
 * Reads the steps of a documented pipeline.
 *
 * @param {{lang: string, text: string}} block
 * @returns {{system: string, steps: string[]} | null} null if the block is no pipeline
 */
export function pipelineOf({ lang, text }) {
  if (lang === 'groovy') {
    return { system: 'jenkins', steps: [...text.matchAll(/\bsh '([^'\n]+)'/g)].map(([, step]) => step) };
  }
  const page = lang === 'yaml' ? parse(text) : null;
  if (page?.jobs !== undefined) {
    const steps = Object.values(page.jobs).flatMap((job) => job.steps.flatMap(({ run }) => run ?? []));
    return { system: 'github', steps };
  }
  const jobs = Object.values(page ?? {}).filter((job) => Array.isArray(job?.script));
  return jobs.length === 0 ? null : { system: 'gitlab', steps: jobs.flatMap(({ script }) => script) };
}

/**
 * Runs the steps of a pipeline in order until one fails, as its CI system does.
 *
 * @param run number of the run
 * @param given variables that users set in the system
 * @param folder the checked-out repository
 * @returns {{ok: boolean, failed: string | null, out: string}} the step that failed, and its output
 */
export function runPipeline({ system, steps }, run, given, folder) {
  const env = { ...process.env, ...SYSTEMS[system](run), ...given };
  let out = '';
  for (const step of steps) {
    const ran = spawnSync('bash', ['-e', '-c', step], { cwd: folder, env, encoding: 'utf8', timeout: 60_000 });
    if (ran.error) throw ran.error;
    out += ran.stdout + ran.stderr;
    if (ran.status !== 0) return { ok: false, failed: step, out };
  }
  return { ok: true, failed: null, out };
}
