import type { Environment, Outcome, Running } from '@assurance/contracts/environments/documents';
import type { ArtifactKey, SnapshotJudgement, SnapshotChange } from '@assurance/contracts/environments/events';
import type { Verdict } from '@assurance/contracts/policies/events';
import { intern } from '@assurance/kernel';
import { ArtifactMap } from './by-artifact';
import type { EnvironmentStandards } from './facts';
import { runningOf } from './runs';

/** The result of a verdict. */
export function outcomeOf({ compliant, policies }: Verdict): Outcome {
  return { compliant, failing: policies.filter((policy) => !policy.compliant).map(({ policy }) => policy) };
}

/** Whether two verdicts have the same result: the same compliance by the same policies. */
export function isSameOutcome(a: Outcome | undefined, b: Outcome | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.compliant === b.compliant && a.failing.join() === b.failing.join();
}

/** The standards by which an environment is judged. */
type Standards = Pick<EnvironmentStandards, 'policies' | 'requireProvenance'>;

/** Whether the policies or their versions changed since the newest snapshot was judged. */
export function havePoliciesChanged({ judged }: Pick<Environment, 'judged'>, standards: Standards | null): boolean {
  const policiesText = (policies: EnvironmentStandards['policies'] = []) =>
    policies.map(({ id, version }) => `${id}@${version}`).join();
  return policiesText(judged?.policies) !== policiesText(standards?.policies);
}

/** Whether the standards changed since the newest snapshot was judged. Then all running artifacts are judged again. */
export function haveStandardsChanged(environment: Pick<Environment, 'judged'>, standards: Standards | null): boolean {
  const { judged } = environment;
  return (
    (judged === null) !== (standards === null) ||
    judged?.requireProvenance !== standards?.requireProvenance ||
    havePoliciesChanged(environment, standards)
  );
}

/** A change before it is judged. */
export type UnjudgedChange = Omit<SnapshotChange, 'compliant' | 'failing'>;

/** The changes of a snapshot with their verdicts. */
export interface JudgedChanges {
  readonly changes: readonly SnapshotChange[];
  /** The compliance of the snapshot; null if nothing judges it. */
  readonly judged: SnapshotJudgement | null;
  readonly verdicts: readonly JudgedKey[];
}

/** The verdict on an artifact. */
export type JudgedKey = ArtifactKey & { readonly verdict: Verdict };

/** The artifact after a change; null if it left. */
export function runningAfterChange(change: SnapshotChange): Running | null {
  if (change.now === 0) return null;
  // States stay in memory for a long time, and environments often run the same artifacts.
  return { ...runningOf(change), fingerprint: intern(change.fingerprint), name: intern(change.name) };
}

/**
 * The running artifacts after changes. Remaining artifacts keep their order. Started ones come last, in the order of the changes.
 *
 * @param changed what runs after each of the changes, if the caller has it
 */
export function runningAfter(
  running: readonly Running[],
  changes: readonly SnapshotChange[],
  changed: readonly (Running | null)[] = changes.map(runningAfterChange),
): Running[] {
  const places = new ArtifactMap<{ at: number | null }>();
  for (const change of changes) places.set(change, { at: null });
  const after: (Running | null)[] = [...running];
  for (const [at, artifact] of running.entries()) {
    const place = places.get(artifact);
    if (place !== undefined) place.at = at;
  }
  for (const [i, change] of changes.entries()) {
    const place = places.get(change);
    const runs = changed[i] ?? null;
    if (place === undefined) continue;
    if (runs !== null) {
      place.at ??= after.length;
      after[place.at] = runs;
    } else if (place.at !== null) {
      after[place.at] = null;
      place.at = null;
    }
  }
  return after.filter((artifact) => artifact !== null);
}

/**
 * Judges the changes of one snapshot. Artifacts that left keep their verdict. Unchanged artifacts also keep it, unless the standards changed.
 */
export class ChangeJudge {
  private readonly before = new ArtifactMap<Outcome>();
  private readonly verdicts: JudgedKey[] = [];

  constructor(
    private readonly runningArtifacts: readonly Running[],
    private readonly standards: EnvironmentStandards | null,
  ) {
    for (const artifact of runningArtifacts)
      if (artifact.judged !== undefined) this.before.set(artifact, artifact.judged);
  }

  judge(change: UnjudgedChange): SnapshotChange {
    const { fingerprint, name, now } = change;
    if (now === 0) return { ...change, ...verdictFieldsOf(this.before.get(change)) };
    if (this.standards === null) return { ...change, compliant: null };
    const verdict = this.standards.verdictOf({ fingerprint, name });
    this.verdicts.push({ fingerprint, name, verdict });
    return { ...change, ...verdictFieldsOf(outcomeOf(verdict)) };
  }

  /**
   * @param changed what changed
   * @param again what runs on and was judged again: left out where the result is the same
   */
  result(changed: readonly SnapshotChange[], again: readonly SnapshotChange[]): JudgedChanges {
    const changesToRecord = again.filter((change) => !isSameOutcome(runningOf(change).judged, this.before.get(change)));
    const changes = [...changed, ...changesToRecord];
    if (this.standards === null) return { changes, judged: null, verdicts: [] };
    const { policies, requireProvenance, heads } = this.standards;
    const compliant = this.isCompliantAfter(changes);
    return { changes, judged: { compliant, policies, requireProvenance, heads }, verdicts: this.verdicts };
  }

  private isCompliantAfter(changes: readonly SnapshotChange[]): boolean {
    // If an artifact has several changes, the last one counts.
    const last = new ArtifactMap<SnapshotChange>();
    for (const change of changes) last.set(change, change);
    const isMet = ({ now, compliant }: SnapshotChange) => now === 0 || compliant === true;
    return (
      this.runningArtifacts.every(
        (artifact) => last.get(artifact) !== undefined || artifact.judged?.compliant === true,
      ) && changes.every((change) => isMet(last.get(change) ?? change))
    );
  }
}

/** False if one is non-compliant. Otherwise unknown (null) if one is unknown or there are none, and true if all are compliant. */
export function combinedCompliance(verdicts: readonly (boolean | null)[]): boolean | null {
  if (verdicts.includes(false)) return false;
  return verdicts.includes(null) || verdicts.length === 0 ? null : true;
}

/** The verdicts of the members on the changes of a logical environment, and the combined compliance of the members. */
export function unionChanges(changes: readonly SnapshotChange[], compliant: boolean | null): JudgedChanges {
  const verdicts = changes.flatMap(({ fingerprint, name, now, verdict }) =>
    now === 0 || verdict === undefined ? [] : [{ fingerprint, name, verdict }],
  );
  return {
    changes: changes.map(({ verdict: _, ...change }) => change),
    judged: compliant === null ? null : { compliant, policies: [], requireProvenance: false, heads: {} },
    verdicts,
  };
}

function verdictFieldsOf(outcome: Outcome | undefined): Pick<SnapshotChange, 'compliant' | 'failing'> {
  if (outcome === undefined) return { compliant: null };
  const { compliant, failing } = outcome;
  return failing.length === 0 ? { compliant } : { compliant, failing };
}
