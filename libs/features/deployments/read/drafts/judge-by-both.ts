import { allowed, allowedId, type Environment } from '@assurance/contracts/environments/documents';
import type { PolicyRules, Verdict } from '@assurance/contracts/policies/events';
import { isInForce } from '@assurance/environments/domain/allow-list';
import type { Evaluator, JudgingStandards, ToJudge } from '@assurance/evaluator';
import type { Clock } from '@assurance/event-sourcing/tokens';
import { type Evidence, judgeable, readEvidence } from '@assurance/flows/lookups/evidence';
import { groupBy, pieces, Slices } from '@assurance/kernel';
import { rulesAt } from '@assurance/policies/domain/exceptions';
import type { Bills } from '@assurance/policies/lookups/bills';
import type { PoliciesInForce } from '@assurance/policies/lookups/policy-rules';
import { type Documents, getAll } from '@assurance/storage-ports';
import type { Candidate } from './judged-artifacts';

/** How many artifacts are judged in one step, and for how many the evidence is read at once. */
const STEP = 200;
const LOOKUPS = 20;
/** The most flows and trails of artifacts that are judged. */
const TRAILS_MAX = 50_000;
/** How long judging may take (milliseconds). Only artifacts that are read by then are judged. */
const TIME_MS = 10_000;

/** A version of a policy that is not stored. */
export interface Draft {
  /** Id of the organization. */
  readonly org: string;
  /** Id of the policy. */
  readonly policy: string;
  /** The id of the draft itself. */
  readonly id: string;
  readonly version: number;
  readonly rules: PolicyRules;
}

/** An artifact with both verdicts. They are null if the artifact was not judged. */
export interface ComparedCandidate extends Candidate {
  readonly verdicts: { readonly current: Verdict; readonly draft: Verdict } | null;
}

interface JudgingServices {
  readonly documents: Documents;
  readonly evaluator: Evaluator;
  readonly policies: PoliciesInForce;
  readonly bills: Bills;
  readonly clock: Clock;
}

/**
 * Judges artifacts as their environments do, once with the current version of a policy and once with a draft in its place. If the policy is not
 * attached to an environment, both are judged as if it were. Artifacts beyond the limits are not judged.
 *
 * @throws OrganizationBusy, Busy if too much work waits to be judged
 */
export async function judgeWithDraft(
  judgingServices: JudgingServices,
  draft: Draft,
  candidates: readonly Candidate[],
): Promise<ComparedCandidate[]> {
  const comparedCandidates: ComparedCandidate[] = [];
  const slices = new Slices();
  const budget = new Budget(judgingServices.clock);
  // Running artifacts are judged before others, and in each group one environment after the other.
  const groups = groupBy(candidates, ({ environment, running }) => `${running ? 'running' : 'ran'}/${environment.id}`);
  for (const group of groups.values()) {
    const [{ environment }] = group;
    const standards = await standardsOf(judgingServices, draft, environment);
    for (const step of pieces(group, STEP)) {
      await slices.pause();
      const { sent, evidence } = await judgeableOf(judgingServices, draft.org, environment, step, budget);
      const queries = sent.map(({ artifact: { fingerprint } }, i) => ({ fingerprint, evidence: evidence[i] ?? [] }));
      const judgeBy = async (by: JudgingStandards) => {
        const bills = await judgingServices.bills.of(draft.org, by.policies, queries);
        const artifactsWithBill = sent.map((one, i) => ({
          ...one,
          ...(bills[i] === undefined ? {} : { bill: bills[i] }),
        }));
        return judgingServices.evaluator.judge(draft.org, by, artifactsWithBill);
      };
      const current = await judgeBy(standards.current);
      const draftVerdicts = await judgeBy(standards.draft);
      for (const [i, one] of step.entries()) {
        const [before, after] = [current[i], draftVerdicts[i]];
        const verdicts = before === undefined || after === undefined ? null : { current: before, draft: after };
        comparedCandidates.push({ ...one, verdicts });
      }
    }
  }
  return comparedCandidates;
}

async function standardsOf(
  { policies, clock }: JudgingServices,
  { policy, id, version, rules }: Draft,
  environment: Environment,
): Promise<{ readonly current: JudgingStandards; readonly draft: JudgingStandards }> {
  const ids = environment.policies.includes(policy) ? environment.policies : [...environment.policies, policy];
  const current = await policies.of(ids);
  const { requireProvenance } = environment;
  const draft = { id, version, rules: rulesAt(rules, clock.now()) };
  const proposed = current.map((policyInForce) =>
    policyInForce.id === policy ? { ...draft, name: policyInForce.name } : policyInForce,
  );
  return { current: { policies: current, requireProvenance }, draft: { policies: proposed, requireProvenance } };
}

/** The limits of one query. */
class Budget {
  trails = 0;
  private readonly began: number;

  constructor(private readonly clock: Clock) {
    this.began = clock.steady();
  }

  isSpent(): boolean {
    return this.trails >= TRAILS_MAX || this.clock.steady() - this.began >= TIME_MS;
  }
}

/** Returns as many of these artifacts as the budget allows, with their evidence. */
async function judgeableOf(
  { documents, clock }: JudgingServices,
  org: string,
  { id: environment }: Environment,
  all: readonly Candidate[],
  budget: Budget,
): Promise<{ readonly sent: readonly ToJudge[]; readonly evidence: readonly (readonly Evidence[])[] }> {
  const artifactsToJudge: ToJudge[] = [];
  const evidenceOf: (readonly Evidence[])[] = [];
  const slices = new Slices();
  for (const candidates of pieces(all, LOOKUPS)) {
    await slices.pause();
    if (budget.isSpent()) break;
    const fingerprints = candidates
      .map(({ artifact }) => artifact.fingerprint)
      .filter((fingerprint) => fingerprint !== '');
    const ids = fingerprints.map((fingerprint) => allowedId(environment, fingerprint));
    const entries = await getAll(documents.collection(allowed), ids);
    const evidence = await readEvidence(documents, org, fingerprints);
    const now = clock.now();
    for (const { artifact } of candidates) {
      const entry = entries.get(allowedId(environment, artifact.fingerprint));
      const own = evidence.get(artifact.fingerprint) ?? [];
      const existing = own.map(judgeable);
      artifactsToJudge.push({ artifact, evidence: existing, allowed: entry !== undefined && isInForce(entry, now) });
      evidenceOf.push(own);
      budget.trails += existing.length;
    }
  }
  return { sent: artifactsToJudge, evidence: evidenceOf };
}
