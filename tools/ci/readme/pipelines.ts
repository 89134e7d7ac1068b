import { parse } from 'yaml';
import { run } from '../../common/command.ts';

type Variables = Readonly<Record<string, string>>;

/** The variables of each CI system that documented pipelines use. */
const SYSTEMS = {
  github: (run: string): Variables => ({
    GITHUB_SHA: '3'.repeat(40),
    GITHUB_RUN_ID: run,
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'acme/shop',
  }),
  gitlab: (run: string): Variables => ({
    CI_COMMIT_SHA: '4'.repeat(40),
    CI_PIPELINE_ID: run,
    CI_PIPELINE_URL: `https://gitlab.com/acme/shop/-/pipelines/${run}`,
  }),
  jenkins: (run: string): Variables => ({
    GIT_COMMIT: '5'.repeat(40),
    BUILD_NUMBER: run,
    BUILD_URL: `https://jenkins.example.com/job/shop/${run}/`,
  }),
};

export interface Pipeline {
  readonly system: keyof typeof SYSTEMS;
  readonly steps: readonly string[];
}
interface Page {
  readonly jobs?: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>;
}

/** Reads the steps of a documented pipeline; null if the block is no pipeline. */
export function pipelineOf({ lang, text }: { readonly lang: string; readonly text: string }): Pipeline | null {
  if (lang === 'groovy') {
    return { system: 'jenkins', steps: [...text.matchAll(/\bsh '([^'\n]+)'/g)].map(([, step = '']) => step) };
  }
  const page = (lang === 'yaml' ? (parse(text) as unknown) : null) as Page | null;
  if (page?.jobs !== undefined) {
    const steps = Object.values(page.jobs).flatMap((job) => job.steps.flatMap(({ run }) => run ?? []));
    return { system: 'github', steps };
  }
  const jobs = Object.values(page ?? {}) as ({ readonly script?: readonly string[] } | null)[];
  const steps = jobs.flatMap((job) => (Array.isArray(job?.script) ? job.script : []));
  return steps.length === 0 ? null : { system: 'gitlab', steps };
}

/**
 * Runs the steps of a pipeline in order until one fails, as its CI system does.
 *
 * @param number of the run
 * @param given variables that users set in the system
 * @param folder the checked-out repository
 * @returns the step that failed, and the output
 */
export function runPipeline(
  { system, steps }: Pipeline,
  number: string,
  given: Variables,
  folder: string,
): { readonly ok: boolean; readonly failed: string | null; readonly out: string } {
  const env = { ...process.env, ...SYSTEMS[system](number), ...given };
  let out = '';
  for (const step of steps) {
    const ran = run('bash', ['-e', '-c', step], { cwd: folder, env, timeout: 60_000 });
    out += ran.out;
    if (!ran.ok) return { ok: false, failed: step, out };
  }
  return { ok: true, failed: null, out };
}
