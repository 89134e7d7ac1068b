import type { Environment, Outcome, Running } from '@assurance/contracts/environments/documents';
import type { ArtifactKey, Judged, SnapshotChange } from '@assurance/contracts/environments/events';
import type { Verdict } from '@assurance/contracts/policies/events';
import { interned, mapSteps, type Steps } from '@assurance/kernel';
import { ByArtifact } from './by-artifact';
import type { Judging } from './facts';
import { runningOf } from './runs';

/** The result of a verdict. */
export function outcomeOf({ compliant, policies }: Verdict): Outcome {
  return { compliant, failing: policies.filter((one) => !one.compliant).map(({ policy }) => policy) };
}

/** Whether two verdicts have the same result: the same compliance by the same policies. */
export function isSameOutcome(one: Outcome | undefined, other: Outcome | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.compliant === other.compliant && one.failing.join() === other.failing.join();
}

/** The standards by which an environment is judged. */
type Standards = Pick<Judging, 'policies' | 'requireProvenance'>;

/** Whether the newest snapshot was judged by other policies, or other versions of them, than are in force now. */
export function policiesMoved({ judged }: Pick<Environment, 'judged'>, judging: Standards | null): boolean {
  const said = (policies: Judging['policies'] = []) => policies.map(({ id, version }) => `${id}@${version}`).join();
  return said(judged?.policies) !== said(judging?.policies);
}

/** Whether the newest snapshot was judged by other standards than are in force now: then all that runs is judged again. */
export function standardsMoved(environment: Pick<Environment, 'judged'>, judging: Standards | null): boolean {
  const { judged } = environment;
  return (
    (judged === null) !== (judging === null) ||
    judged?.requireProvenance !== judging?.requireProvenance ||
    policiesMoved(environment, judging)
  );
}

/** A change before it is judged. */
export type Unjudged = Omit<SnapshotChange, 'compliant' | 'failing'>;

/** The changes of a snapshot with their verdicts. */
export interface JudgedChanges {
  readonly changes: readonly SnapshotChange[];
  /** The compliance of the snapshot; null if nothing judges it. */
  readonly judged: Judged | null;
  readonly verdicts: readonly JudgedKey[];
}

/** The verdict on an artifact. */
export type JudgedKey = ArtifactKey & { readonly verdict: Verdict };

/** The running artifacts after changes. Those that stay keep their order, and those that start come last, in the order of the changes. */
export function* runningAfter(running: readonly Running[], changes: readonly SnapshotChange[]): Steps<Running[]> {
  const places = new ByArtifact<{ at: number | null }>();
  yield* mapSteps(changes, (change) => places.set(change, { at: null }));
  const after: (Running | null)[] = yield* mapSteps(running, (artifact, at) => {
    const place = places.get(artifact);
    if (place !== undefined) place.at = at;
    return artifact;
  });
  yield* mapSteps(changes, (change) => {
    const place = places.get(change);
    if (place === undefined) return;
    if (change.now > 0) {
      place.at ??= after.length;
      // States keep it for long, and environments often run the same artifacts.
      const [fingerprint, name] = [interned(change.fingerprint), interned(change.name)];
      after[place.at] = { ...runningOf(change), fingerprint, name };
    } else if (place.at !== null) {
      after[place.at] = null;
      place.at = null;
    }
  });
  return after.filter((artifact) => artifact !== null);
}

/**
 * The changes of a snapshot with their verdicts, and what the snapshot comes to. What did not change keeps the verdict that it has,
 * unless the standards moved.
 *
 * @param changes all that changed, or that is to be judged again for another reason
 * @param others a change for each artifact that has another verdict because the standards changed
 */
export function* judgedChanges(
  running: readonly Running[],
  changes: readonly Unjudged[],
  others: readonly (Unjudged & { readonly now: number })[],
  judging: Judging | null,
): Steps<JudgedChanges> {
  const before = new ByArtifact<Outcome>();
  yield* mapSteps(running, (artifact) => {
    if (artifact.judged !== undefined) before.set(artifact, artifact.judged);
  });
  const verdicts: JudgedKey[] = [];
  const withVerdict = (change: Unjudged): SnapshotChange => {
    const { fingerprint, name, now } = change;
    if (now === 0) return { ...change, ...saidOf(before.get(change)) };
    if (judging === null) return { ...change, compliant: null };
    const verdict = judging.verdictOf({ fingerprint, name });
    verdicts.push({ fingerprint, name, verdict });
    return { ...change, ...saidOf(outcomeOf(verdict)) };
  };
  const changed = yield* mapSteps(changes, withVerdict);
  const again = yield* mapSteps(others, withVerdict);
  const moved = again.filter((change) => !isSameOutcome(runningOf(change).judged, before.get(change)));
  const all = [...changed, ...moved];
  if (judging === null) return { changes: all, judged: null, verdicts: [] };
  const { policies, requireProvenance, heads } = judging;
  const compliant = (yield* runningAfter(running, all)).every(({ judged }) => judged?.compliant === true);
  return { changes: all, judged: { compliant, policies, requireProvenance, heads }, verdicts };
}

/** Compliant where all are, unknown where one is and none is non-compliant; of nothing nothing is known. */
export function allTogether(verdicts: readonly (boolean | null)[]): boolean | null {
  if (verdicts.includes(false)) return false;
  return verdicts.includes(null) || verdicts.length === 0 ? null : true;
}

/** The verdicts on what changed in a union of environments, as its members judged it, and what the members come to together. */
export function unitedChanges(changes: readonly SnapshotChange[], compliant: boolean | null): JudgedChanges {
  const verdicts = changes.flatMap(({ fingerprint, name, now, verdict }) =>
    now === 0 || verdict === undefined ? [] : [{ fingerprint, name, verdict }],
  );
  return {
    changes: changes.map(({ verdict: _, ...change }) => change),
    judged: compliant === null ? null : { compliant, policies: [], requireProvenance: false, heads: {} },
    verdicts,
  };
}

function saidOf(outcome: Outcome | undefined): Pick<SnapshotChange, 'compliant' | 'failing'> {
  if (outcome === undefined) return { compliant: null };
  const { compliant, failing } = outcome;
  return failing.length === 0 ? { compliant } : { compliant, failing };
}
