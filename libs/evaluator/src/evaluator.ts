import type { Verdict } from '@assurance/contracts/policies/events';
import { forgetOldest, err, pieces, type Result } from '@assurance/kernel';
import type { DeniedComponents } from '@assurance/policies/domain/bill';
import type { RulesCost } from '@assurance/policies/domain/cost';
import { judgeAll, sentPolicies, type SentStandards, type StoredPolicy } from './judging/judge-all';
import type { SentPolicy, ArtifactToJudge } from './judging/slice';
import type {
  PayloadRules,
  Evaluation,
  LimitExceeded,
  Job,
  Problem,
  SbomSummary,
  ScanSummary,
  VulnerabilityParts,
  YamlFiles,
} from './messages';
import { Pool, type PoolOptions } from './pool/pool';
import type { AttachedFile } from './scan/attached';
import type { FileFormat } from '@assurance/vulnerabilities/domain/file';
import type { YamlErrors } from './yaml/read-yaml';

/** How many programs one job compiles or runs, so that jobs are short. */
const PROGRAMS = 10;
/** The number of policies whose cost is cached. */
const COSTS = 10_000;

/** Processor time (milliseconds) and memory (MiB) for a bill of materials. Such a job never gives way, because it would have to start again. */
const SBOM_BOUNDS = { threads: 1, timeMs: 20_000, shareMs: 20_000, heapMb: 384 };

/** The stored policies by which artifacts are judged. */
export interface JudgingStandards {
  readonly policies: readonly StoredPolicy[];
  readonly requireProvenance: boolean;
}

/**
 * Runs the schemas, jq programs, files and policy rules of users in separate threads, with limits on time and memory. Work of different
 * organizations waits in a fair queue (see `Pool`).
 *
 * All methods throw `OrganizationBusy` if too much work of the owner waits, and `Busy` if too much work of all owners waits. Nothing was
 * done then.
 */
export class Evaluator {
  private readonly pool: Pool;
  /** Large files, such as bills of materials, have their own pool, so that other work does not wait for them. */
  private readonly sboms: Pool;
  private readonly costs = new Map<string, RulesCost>();

  constructor(options: PoolOptions = {}, sbomOptions: PoolOptions = {}) {
    this.pool = new Pool(options);
    this.sboms = new Pool({ ...SBOM_BOUNDS, ...sbomOptions });
  }

  /**
   * Compiles a schema and jq programs, and runs none of them.
   *
   * @param owner the id of the organization that owns them
   */
  async check(
    owner: string,
    schema: string | null,
    programs: readonly string[],
  ): Promise<{ readonly kind: 'checked'; readonly problems: readonly Problem[] } | LimitExceeded> {
    const problems: Problem[] = [];
    for (const { some, from } of inGroups(programs)) {
      const job = { kind: 'check', schema: from === 0 ? schema : null, programs: some } as const;
      const result = await this.pool.run(owner, job, sizeOf(job.schema, some));
      if (result.kind === 'exceeded') return after(result, from);
      problems.push(...result.problems.map(({ what, text }) => ({ what: shiftIndex(what, from), text })));
    }
    return { kind: 'checked', problems };
  }

  /**
   * Checks data by a schema and rules that `check` has accepted.
   *
   * @param data JSON text
   */
  async evaluate(owner: string, { schema, rules }: PayloadRules, data: string): Promise<Evaluation | LimitExceeded> {
    const verdicts: boolean[] = [];
    for (const { some, from } of inGroups(rules)) {
      const demands = { schema: from === 0 ? schema : null, rules: some };
      const job = { kind: 'evaluate', demands, data } as const;
      const result = await this.pool.run(owner, job, data.length + sizeOf(demands.schema, some));
      if (result.kind === 'exceeded') return after(result, from);
      if (result.evaluation.kind === 'unfit') return result.evaluation;
      verdicts.push(...result.evaluation.verdicts);
    }
    return { kind: 'fit', verdicts };
  }

  /**
   * Reads a YAML file that a user sent.
   *
   * @param content UTF-8
   * @returns errors by their paths in the file, `''` for the whole file
   */
  async readYaml<What extends keyof YamlFiles>(
    owner: string,
    what: What,
    content: Uint8Array,
  ): Promise<Result<YamlFiles[What], YamlErrors>> {
    const result = await this.pool.run(owner, { kind: 'yaml', what, content }, content.length);
    if (result.kind === 'exceeded') return err({ '': `The ${what} takes more time or memory to read than it may` });
    return result.read as Result<YamlFiles[What], YamlErrors>;
  }

  /**
   * The costs of the rules of policies, in order.
   *
   * @param policies versions of policies; a version never changes, so its cost is cached
   */
  async costsOf(owner: string, policies: JudgingStandards['policies']): Promise<RulesCost[] | LimitExceeded> {
    const missingPolicies = sentPolicies(policies.filter((policy) => !this.costs.has(versionOf(policy))));
    if (missingPolicies.length > 0) {
      const rules = missingPolicies.map((policy) => policy.rules);
      const result = await this.pool.run(owner, { kind: 'weigh', rules }, sizeOf(null, rules));
      if (result.kind === 'exceeded') return result;
      for (const [i, policy] of missingPolicies.entries()) {
        const cost = result.costs[i];
        if (cost !== undefined) this.costs.set(versionOf(policy), cost);
      }
    }
    const costs = policies.flatMap((policy) => this.costs.get(versionOf(policy)) ?? []);
    forgetOldest(this.costs, COSTS);
    return costs;
  }

  /**
   * Judges artifacts within the budget of one judging. Artifacts beyond the budget are not judged: they are non-compliant, with the
   * reason.
   *
   * @returns one verdict for each artifact, in order
   */
  async judge(owner: string, standards: JudgingStandards, artifacts: readonly ArtifactToJudge[]): Promise<Verdict[]> {
    const costs = await this.costsOf(owner, standards.policies);
    const sentStandards: SentStandards = { ...standards, policies: sentPolicies(standards.policies) };
    const rules = sentStandards.policies.reduce((sum, policy) => sum + policy.rules.length, 0);
    return judgeAll(sentStandards, artifacts, 'kind' in costs ? [] : costs, async (slice) => {
      if ('kind' in costs) return costs;
      const result = await this.pool.run(owner, { kind: 'judge', slice }, rules);
      return result.kind === 'exceeded' ? result : result.judged;
    });
  }

  /**
   * Finds the components that rules deny in parts of bills of materials.
   *
   * @param rules JSON texts of `ComponentsRule`
   * @param parts JSON texts of the data of `ComponentsListed`
   * @returns by part, then by rule
   */
  async deniedIn(
    owner: string,
    rules: readonly string[],
    parts: readonly string[],
  ): Promise<readonly (readonly (readonly DeniedComponents[])[])[] | LimitExceeded> {
    const outcome = await this.pool.run(owner, { kind: 'deny', rules, parts }, sizeOf(null, [...rules, ...parts]));
    return outcome.kind === 'exceeded' ? outcome : outcome.denied;
  }

  /**
   * Finds the texts that match a regular expression (RE2).
   *
   * @returns one boolean for each text, in order; a refusal if the regular expression is not valid or takes too long
   */
  async matchNames(
    owner: string,
    pattern: string,
    texts: readonly string[],
  ): Promise<Result<readonly boolean[], string>> {
    const result = await this.pool.run(owner, { kind: 'match', pattern, texts }, sizeOf(pattern, texts));
    return result.kind === 'exceeded' ? err('This regular expression takes more time than it may') : result.matched;
  }

  /**
   * Reads a software bill of materials.
   *
   * @param load returns the file; called when a thread is free. The buffer of the file cannot be used afterwards
   * @returns a refusal is the second half of a sentence that begins with the file
   */
  async readSbom(owner: string, load: () => Promise<Uint8Array<ArrayBuffer>>): Promise<Result<SbomSummary, string>> {
    const job = async () => ({ kind: 'sbom', content: await load() }) as const;
    const result = await this.sboms.runLoaded<Extract<Job, { kind: 'sbom' }>>(owner, 'sbom', job, 0);
    return result.kind === 'exceeded' ? err('it takes more time or memory to read than it may') : result.read;
  }

  /**
   * Reads a file of vulnerabilities, and counts the entries that cannot be read.
   *
   * @param format null: the format is detected from the file
   * @param load returns the file; called when a thread is free. The buffer of the file cannot be used afterwards
   * @returns null if it takes more time or memory than it may
   */
  async readVulnerabilities(
    owner: string,
    format: FileFormat | null,
    load: () => Promise<Uint8Array<ArrayBuffer>>,
  ): Promise<VulnerabilityParts | null> {
    const kind = 'vulnerabilities';
    const job = async () => ({ kind, content: await load(), format }) as const;
    const outcome = await this.sboms.runLoaded<Extract<Job, { kind: typeof kind }>>(owner, kind, job, 0);
    return outcome.kind === 'exceeded' ? null : outcome.read;
  }

  /**
   * Reads scanner reports, and counts the reports and findings that cannot be read.
   *
   * @param report JSON text; null if there is none
   * @param load returns files that may be reports, at most `SCAN_BYTES_MAX` together; called when a thread is free. Their buffers cannot be
   *   used afterwards
   * @returns null if there is no report at all
   */
  async readScans(
    owner: string,
    report: string | null,
    load: () => Promise<readonly AttachedFile[]>,
  ): Promise<ScanSummary | LimitExceeded | null> {
    const job = async () => ({ kind: 'scan', report, files: await load() }) as const;
    const outcome = await this.sboms.runLoaded<Extract<Job, { kind: 'scan' }>>(owner, 'scan', job, report?.length ?? 0);
    return outcome.kind === 'exceeded' ? outcome : outcome.read;
  }

  /** Nest calls this when the application ends. Threads start only when they are needed. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  /** Ends all threads. Waiting and running work is refused. */
  async close(): Promise<void> {
    await Promise.all([this.pool.close(), this.sboms.close()]);
  }
}

const versionOf = ({ id, version }: Pick<SentPolicy, 'id' | 'version'>) => `${id}/${version}`;

/** Divides programs into groups of `PROGRAMS`, in order. Without programs, it returns one empty group. */
function inGroups(programs: readonly string[]): { readonly some: readonly string[]; readonly from: number }[] {
  if (programs.length === 0) return [{ some: [], from: 0 }];
  return pieces(programs, PROGRAMS).map((some, i) => ({ some, from: i * PROGRAMS }));
}

function shiftIndex(what: Problem['what'], from: number): Problem['what'] {
  return typeof what === 'number' ? what + from : what;
}

function after({ what }: LimitExceeded, from: number): LimitExceeded {
  return { kind: 'exceeded', what: what === null ? null : shiftIndex(what, from) };
}

function sizeOf(schema: string | null, texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, schema?.length ?? 0);
}
