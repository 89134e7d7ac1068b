import { allowed, allowedId, type Environment } from '@assurance/contracts/environments/documents';
import type { PolicyRules, Verdict } from '@assurance/contracts/policies/events';
import { isInForce } from '@assurance/environments/domain/allow-list';
import type { Evaluator, StandardsToJudgeBy } from '@assurance/evaluator';
import type { Clock } from '@assurance/event-sourcing/tokens';
import { judgeable, readEvidence } from '@assurance/flows/lookups/evidence';
import { grouped, pieces, Slices } from '@assurance/kernel';
import type { PoliciesInForce } from '@assurance/policies/lookups/policy-rules';
import { type Documents, getAll } from '@assurance/storage-ports';
import type { Candidate } from './judged-artifacts';

/** How many artifacts are judged in one step, and for how many evidence is read at once. */
const STEP = 200;
const LOOKUPS = 50;
/** How many flows and trails of artifacts are judged. */
const TRAILS_MAX = 50_000;
/** How long judging may take (milliseconds). A step that began before that is finished. */
const TIME_MS = 10_000;

/** A version of a policy that is not stored. */
export interface Draft {
  /** Id of the organization. */
  readonly org: string;
  /** Id of the policy. */
  readonly policy: string;
  /** Its own. */
  readonly id: string;
  readonly version: number;
  readonly rules: PolicyRules;
}

/** An artifact with both verdicts; null where it was not judged. */
export interface JudgedTwice extends Candidate {
  readonly verdicts: { readonly current: Verdict; readonly draft: Verdict } | null;
}

interface Judging {
  readonly documents: Documents;
  readonly evaluator: Evaluator;
  readonly policies: PoliciesInForce;
  readonly clock: Clock;
}

/**
 * Judges artifacts as their environments do, once with the current version of a policy and once with a draft in its place. Where the policy is not
 * attached, both are judged as if it were. Beyond the bounds the rest is not judged.
 *
 * @throws Flooded, Busy when too much waits to be judged
 */
export async function judgeByBoth(
  judging: Judging,
  draft: Draft,
  candidates: readonly Candidate[],
): Promise<JudgedTwice[]> {
  const judged: JudgedTwice[] = [];
  const began = judging.clock.steady();
  const slices = new Slices();
  let trails = 0;
  // What runs is judged before what ran, in each group one environment after the other.
  const groups = grouped(candidates, ({ environment, running }) => `${running ? 'running' : 'ran'}/${environment.id}`);
  for (const group of groups.values()) {
    const [{ environment }] = group;
    const standards = await standardsOf(judging, draft, environment);
    for (const step of pieces(group, STEP)) {
      await slices.pause();
      const isOver = trails >= TRAILS_MAX || judging.clock.steady() - began >= TIME_MS;
      const sent = isOver ? [] : await judgeableOf(judging, draft.org, environment, step);
      trails += sent.reduce((sum, { known }) => sum + known.length, 0);
      const current = isOver ? [] : await judging.evaluator.judge(draft.org, standards.current, sent);
      const proposed = isOver ? [] : await judging.evaluator.judge(draft.org, standards.draft, sent);
      for (const [i, one] of step.entries()) {
        const [before, after] = [current[i], proposed[i]];
        const verdicts = before === undefined || after === undefined ? null : { current: before, draft: after };
        judged.push({ ...one, verdicts });
      }
    }
  }
  return judged;
}

async function standardsOf(
  { policies }: Judging,
  { policy, id, version, rules }: Draft,
  environment: Environment,
): Promise<{ readonly current: StandardsToJudgeBy; readonly draft: StandardsToJudgeBy }> {
  const ids = environment.policies.includes(policy) ? environment.policies : [...environment.policies, policy];
  const current = await policies.of(ids);
  const { requireProvenance } = environment;
  const proposed = current.map((one) => (one.id === policy ? { id, name: one.name, version, rules } : one));
  return { current: { policies: current, requireProvenance }, draft: { policies: proposed, requireProvenance } };
}

async function judgeableOf(
  { documents, clock }: Judging,
  org: string,
  { id: environment }: Environment,
  candidates: readonly Candidate[],
) {
  const fingerprints = candidates.map(({ artifact }) => artifact.fingerprint).filter((one) => one !== '');
  const entries = await getAll(
    documents.collection(allowed),
    fingerprints.map((one) => allowedId(environment, one)),
  );
  const evidence = new Map<string, ReturnType<typeof judgeable>[]>();
  const slices = new Slices();
  for (const some of pieces(fingerprints, LOOKUPS)) {
    await slices.pause();
    for (const [one, known] of await readEvidence(documents, org, some)) evidence.set(one, known.map(judgeable));
  }
  const now = clock.now();
  return candidates.map(({ artifact }) => {
    const entry = entries.get(allowedId(environment, artifact.fingerprint));
    return {
      artifact,
      known: evidence.get(artifact.fingerprint) ?? [],
      allowed: entry !== undefined && isInForce(entry, now),
    };
  });
}
