import type { PolicyRules, PolicyVerdict, Verdict } from '@assurance/contracts/policies/events';
import { JUDGING_STEPS_MAX, type RulesCost, stepsFor, sum } from '@assurance/policies/domain/cost';
import { unjudgedVerdict } from '@assurance/policies/domain/judge';
import type { LimitExceeded } from '../messages';
import type { JudgedSlice, JudgeSlice, SentPolicy, ArtifactToJudge } from './slice';

/** The largest size of one job: steps, artifacts, and their flows and trails. A thread needs about 30 ms for it. */
const SLICE_STEPS = 1_000_000;
const SLICE_ARTIFACTS = 200;
const SLICE_TRAILS = 2_000;
/** How many characters of policy outcomes and reasons one judging keeps at most. */
const CHARACTERS_MAX = 4 * 1024 * 1024;
/** How long one judging may take in threads (milliseconds). */
const TIME_MS = 10_000;

const STEPS = `judging this artifact and those before it takes more steps than the limit of ${JUDGING_STEPS_MAX}`;
const TIME = `judging takes more time than it may; simpler rules take less`;
const CHARACTERS = `what the policies come to is longer than the limit of ${CHARACTERS_MAX} characters`;

/** The policies and requirements by which artifacts are judged. */
export interface SentStandards {
  readonly policies: readonly SentPolicy[];
  readonly requireProvenance: boolean;
}

/** A stored version of a policy. */
export type StoredPolicy = Omit<SentPolicy, 'rules'> & { readonly rules: PolicyRules };

/** Converts policies to the form that is sent to threads. */
export function sentPolicies(policies: readonly StoredPolicy[]): SentPolicy[] {
  return policies.map(({ id, name, version, rules }) => ({ id, name, version, rules: textOf(rules) }));
}

const texts = new WeakMap<PolicyRules, string>();

function textOf(rules: PolicyRules): string {
  const cached = texts.get(rules);
  if (cached !== undefined) return cached;
  const text = JSON.stringify(rules);
  texts.set(rules, text);
  return text;
}

/**
 * Judges artifacts slice by slice within the budget of one judging. Artifacts beyond the budget are not judged. Their verdict names
 * the reason and is never compliant.
 *
 * @param costs the costs of the policies
 * @param run judges one slice in a thread
 * @returns one verdict for each artifact, in order; verdicts with equal policy outcomes share one array of them
 */
export async function judgeAll(
  { policies, requireProvenance }: SentStandards,
  artifacts: readonly ArtifactToJudge[],
  costs: readonly RulesCost[],
  run: (slice: JudgeSlice) => Promise<JudgedSlice | LimitExceeded>,
): Promise<Verdict[]> {
  const cost = sum(costs);
  const outcomes = new Map<string, readonly PolicyVerdict[]>();
  const verdicts: Verdict[] = [];
  const leave = (some: readonly ArtifactToJudge[], why: string) => {
    for (const item of some) verdicts.push(unjudgedVerdictOf(policies, item, why));
  };
  let [steps, characters, time] = [0, CHARACTERS_MAX, 0];
  for (let from = 0; from < artifacts.length;) {
    const { slice, taken: stepsOfSlice } = nextSlice(artifacts, from, cost);
    steps += stepsOfSlice;
    if (steps > JUDGING_STEPS_MAX) return (leave(artifacts.slice(from), STEPS), verdicts);
    from += slice.length;
    const judgedSlice = await run({ policies, requireProvenance, artifacts: slice, charactersMax: characters });
    if ('kind' in judgedSlice) return (leave([...slice, ...artifacts.slice(from)], TIME), verdicts);
    time += judgedSlice.ms;
    for (const [i, item] of slice.entries()) {
      const verdict = judgedSlice.verdicts[i];
      const text = verdict === null || verdict === undefined ? undefined : judgedSlice.outcomes[verdict.policies];
      const cachedVerdicts = text === undefined ? undefined : outcomes.get(text);
      const length = (cachedVerdicts === undefined ? (text?.length ?? 0) : 0) + lengthOf(verdict?.reasons ?? []);
      if (verdict == null || text === undefined || length > characters) {
        leave([item], CHARACTERS);
        continue;
      }
      characters -= length;
      const came = cachedVerdicts ?? (JSON.parse(text) as readonly PolicyVerdict[]);
      outcomes.set(text, came);
      verdicts.push({ ...verdict, policies: came });
    }
    if (time > TIME_MS) return (leave(artifacts.slice(from), TIME), verdicts);
  }
  return verdicts;
}

function nextSlice(artifacts: readonly ArtifactToJudge[], from: number, cost: RulesCost) {
  const slice: ArtifactToJudge[] = [];
  let [count, trails] = [0, 0];
  for (const artifact of artifacts.slice(from, from + SLICE_ARTIFACTS)) {
    const steps = stepsFor(cost, artifact.artifact.name, artifact.evidence.length);
    if (slice.length > 0 && (count + steps > SLICE_STEPS || trails + artifact.evidence.length > SLICE_TRAILS)) break;
    slice.push(artifact);
    count += steps;
    trails += artifact.evidence.length;
  }
  return { slice, taken: count };
}

function unjudgedVerdictOf(
  policies: readonly SentPolicy[],
  { allowed, evidence }: ArtifactToJudge,
  why: string,
): Verdict {
  const contexts = evidence.map(({ flow, first, artifactStatus: status }) => ({
    flow: flow.name,
    trail: first.trail,
    status,
  }));
  return unjudgedVerdict(policies, allowed, contexts, why);
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}
