import type { Verdict } from '@assurance/contracts/policies/events';
import { forgetOldest, no, pieces, type Result } from '@assurance/kernel';
import type { RulesCost } from '@assurance/policies/domain/cost';
import { judgeAll, sentPolicies, type SentStandards, type StoredPolicy } from './judging/judge-all';
import type { SentPolicy, ToJudge } from './judging/slice';
import type {
  Demands,
  Evaluation,
  Exceeded,
  Job,
  Problem,
  SbomSummary,
  VulnerabilityParts,
  YamlFiles,
} from './messages';
import { Pool, type PoolOptions } from './pool/pool';
import type { FileFormat } from '@assurance/vulnerabilities/domain/file';
import type { YamlErrors } from './yaml/read-yaml';

/** How many programs one job compiles or runs: a job is to be short. */
const PROGRAMS = 10;
/** The number of policies whose cost is cached. */
const COSTS = 10_000;

/** Processor time (milliseconds) and memory for a bill of materials. None gives way, because half of one is nothing. */
const SBOM_BOUNDS = { threads: 1, timeMs: 20_000, shareMs: 20_000, heapMb: 384 };

/** The stored policies that artifacts are judged by. */
export interface StandardsToJudgeBy {
  readonly policies: readonly StoredPolicy[];
  readonly requireProvenance: boolean;
}

/**
 * Runs what users bring along in threads of their own with bounds on time and memory: schemas, jq programs, YAML files, and the rules of
 * policies. Work of different organizations waits in a fair queue (see `Pool`).
 *
 * All methods throw `Flooded` when too much of the owner waits and `Busy` when too much of all does: nothing was done then.
 */
export class Evaluator {
  private readonly pool: Pool;
  /** Bills of materials are large: they wait for each other, and nothing else waits for them. */
  private readonly sboms: Pool;
  private readonly costs = new Map<string, RulesCost>();

  constructor(options: PoolOptions = {}, sbomOptions: PoolOptions = {}) {
    this.pool = new Pool(options);
    this.sboms = new Pool({ ...SBOM_BOUNDS, ...sbomOptions });
  }

  /**
   * Compiles a schema and jq programs, and runs none of them.
   *
   * @param owner whose they are: an organization's id
   */
  async check(
    owner: string,
    schema: string | null,
    programs: readonly string[],
  ): Promise<{ readonly kind: 'checked'; readonly problems: readonly Problem[] } | Exceeded> {
    const problems: Problem[] = [];
    for (const { some, from } of inGroups(programs)) {
      const job = { kind: 'check', schema: from === 0 ? schema : null, programs: some } as const;
      const said = await this.pool.run(owner, job, sizeOf(job.schema, some));
      if (said.kind === 'exceeded') return after(said, from);
      problems.push(...said.problems.map(({ what, text }) => ({ what: placed(what, from), text })));
    }
    return { kind: 'checked', problems };
  }

  /**
   * How data meets demands that were checked.
   *
   * @param data JSON text
   */
  async evaluate(owner: string, { schema, rules }: Demands, data: string): Promise<Evaluation | Exceeded> {
    const held: boolean[] = [];
    for (const { some, from } of inGroups(rules)) {
      const demands = { schema: from === 0 ? schema : null, rules: some };
      const job = { kind: 'evaluate', demands, data } as const;
      const said = await this.pool.run(owner, job, data.length + sizeOf(demands.schema, some));
      if (said.kind === 'exceeded') return after(said, from);
      if (said.evaluation.kind === 'unfit') return said.evaluation;
      held.push(...said.evaluation.held);
    }
    return { kind: 'fit', held };
  }

  /**
   * Reads a YAML file that a user sent.
   *
   * @param content UTF-8
   * @returns errors by their places in the file, `''` for the whole
   */
  async readYaml<What extends keyof YamlFiles>(
    owner: string,
    what: What,
    content: Uint8Array,
  ): Promise<Result<YamlFiles[What], YamlErrors>> {
    const said = await this.pool.run(owner, { kind: 'yaml', what, content }, content.length);
    if (said.kind === 'exceeded') return no({ '': `The ${what} takes more time or memory to read than it may` });
    return said.read as Result<YamlFiles[What], YamlErrors>;
  }

  /**
   * The costs of the rules of policies, in their order.
   *
   * @param policies in versions, which never change
   */
  async costsOf(owner: string, policies: StandardsToJudgeBy['policies']): Promise<RulesCost[] | Exceeded> {
    const missing = sentPolicies(policies.filter((one) => !this.costs.has(versionOf(one))));
    if (missing.length > 0) {
      const rules = missing.map((one) => one.rules);
      const said = await this.pool.run(owner, { kind: 'weigh', rules }, sizeOf(null, rules));
      if (said.kind === 'exceeded') return said;
      for (const [i, one] of missing.entries()) {
        const cost = said.costs[i];
        if (cost !== undefined) this.costs.set(versionOf(one), cost);
      }
    }
    const costs = policies.flatMap((one) => this.costs.get(versionOf(one)) ?? []);
    forgetOldest(this.costs, COSTS);
    return costs;
  }

  /**
   * Judges artifacts within the budget of one judging. Artifacts beyond the budget are not judged: they are non-compliant, with the
   * reason.
   *
   * @returns one verdict an artifact, in their order
   */
  async judge(owner: string, standards: StandardsToJudgeBy, artifacts: readonly ToJudge[]): Promise<Verdict[]> {
    const costs = await this.costsOf(owner, standards.policies);
    const sent: SentStandards = { ...standards, policies: sentPolicies(standards.policies) };
    const rules = sent.policies.reduce((sum, one) => sum + one.rules.length, 0);
    return judgeAll(sent, artifacts, 'kind' in costs ? [] : costs, async (slice) => {
      if ('kind' in costs) return costs;
      const said = await this.pool.run(owner, { kind: 'judge', slice }, rules);
      return said.kind === 'exceeded' ? said : said.judged;
    });
  }

  /**
   * In which texts a regular expression (RE2) is found.
   *
   * @returns one boolean a text, in their order; the problem of a regular expression that is none or takes too long
   */
  async matchNames(
    owner: string,
    pattern: string,
    texts: readonly string[],
  ): Promise<Result<readonly boolean[], string>> {
    const said = await this.pool.run(owner, { kind: 'match', pattern, texts }, sizeOf(pattern, texts));
    return said.kind === 'exceeded' ? no('This regular expression takes more time than it may') : said.matched;
  }

  /**
   * Reads a software bill of materials.
   *
   * @param load the file; called when a thread is free. Its buffer is gone afterwards
   * @returns why it cannot be read, as the end of a sentence that begins with the file
   */
  async readSbom(owner: string, load: () => Promise<Uint8Array<ArrayBuffer>>): Promise<Result<SbomSummary, string>> {
    const job = async () => ({ kind: 'sbom', content: await load() }) as const;
    const said = await this.sboms.runLoaded<Extract<Job, { kind: 'sbom' }>>(owner, 'sbom', job, 0);
    return said.kind === 'exceeded' ? no('it takes more time or memory to read than it may') : said.read;
  }

  /**
   * Reads a file of vulnerabilities. Those that cannot be read are counted.
   *
   * @param format null: the file tells
   * @param load the file; called when a thread is free. Its buffer is gone afterwards
   * @returns null where it takes more time or memory than it may
   */
  async readVulnerabilities(
    owner: string,
    format: FileFormat | null,
    load: () => Promise<Uint8Array<ArrayBuffer>>,
  ): Promise<VulnerabilityParts | null> {
    const kind = 'vulnerabilities';
    const job = async () => ({ kind, content: await load(), format }) as const;
    const said = await this.sboms.runLoaded<Extract<Job, { kind: typeof kind }>>(owner, kind, job, 0);
    return said.kind === 'exceeded' ? null : said.read;
  }

  /** Called by Nest: threads start when they are needed first, and end with the application. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  /** Ends all threads. What waits is refused. */
  async close(): Promise<void> {
    await Promise.all([this.pool.close(), this.sboms.close()]);
  }
}

const versionOf = ({ id, version }: Pick<SentPolicy, 'id' | 'version'>) => `${id}/${version}`;

/** In their order; one group where there are none. */
function inGroups(programs: readonly string[]): { readonly some: readonly string[]; readonly from: number }[] {
  if (programs.length === 0) return [{ some: [], from: 0 }];
  return pieces(programs, PROGRAMS).map((some, i) => ({ some, from: i * PROGRAMS }));
}

function placed(what: Problem['what'], from: number): Problem['what'] {
  return typeof what === 'number' ? what + from : what;
}

function after({ what }: Exceeded, from: number): Exceeded {
  return { kind: 'exceeded', what: what === null ? null : placed(what, from) };
}

function sizeOf(schema: string | null, texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, schema?.length ?? 0);
}
