import type { Environment, Running } from '@assurance/contracts/environments/documents';
import type { JudgementReason } from '@assurance/contracts/environments/events';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { accepted, type Decision, noChange, refused } from '@assurance/kernel';
import type { Judging, ReportFacts } from './facts';
import { type FlowsOf, flowsReader } from './flows-of';
import { isSameOutcome, outcomeOf, policiesMoved, standardsMoved, type Unjudged } from './judged';
import { byKey } from './runs';
import { type EnvironmentState, rejudgedChange, type SnapshotEvent, snapshotOf } from './snapshot-of';

/** Asks whether evidence about some fingerprints, or new standards, change verdicts of the newest snapshot. */
export interface JudgeAgain {
  readonly fingerprints: ReadonlySet<string>;
}

export type JudgeAgainRefusal = FeatureRefusal<'environment-archived'>;

/**
 * Decides whether changes in other streams make a new snapshot: other policies in force always do, and more provenance of a running
 * artifact does. Other changes do only if a verdict differs. The snapshot records changed artifacts as they are now; the others stay as
 * recorded. It decides nothing without a change, or without a report of the environment's type. A logical environment judges nothing
 * itself. An archived environment takes no snapshot; it is judged again when it is revived.
 */
export function decideJudgeAgain(
  state: EnvironmentState,
  ask: JudgeAgain,
  facts: JudgeAgainFacts,
): Decision<SnapshotEvent, JudgeAgainRefusal> {
  const moved = artifactsToRejudge(state, ask, facts);
  const without = decideWithoutJudging(state, moved, facts);
  if (without !== null) return without;
  const flowsOf = flowsReader(facts, []);
  const changeOf = rejudgedChanges(state.environment, facts, flowsOf);
  const changes = [...moved].sort(byKey).map(changeOf);
  return accepted(...snapshotOf(state, changes, facts, flowsOf, { observedAt: facts.observedAt }));
}

export type JudgeAgainFacts = Omit<ReportFacts, 'previousReportAt' | 'firstStart'>;

/**
 * The decision where no snapshot is made; null where one is.
 *
 * @param moved the artifacts of `artifactsToRejudge`
 */
export function decideWithoutJudging(
  { environment }: EnvironmentState,
  moved: readonly Running[],
  { judging }: Pick<ReportFacts, 'judging'>,
): Decision<never, JudgeAgainRefusal> | null {
  if (environment.archived) return refused({ kind: 'environment-archived', name: environment.name });
  const isEmpty = environment.snapshot === 0 || environment.reportedAs !== undefined;
  if (isEmpty || environment.type === 'logical') return noChange;
  // If nothing runs, only the environment has another verdict.
  const isOther = policiesMoved(environment, judging) || (environment.judged === null) !== (judging === null);
  return moved.length === 0 && !isOther ? noChange : null;
}

/** Makes the change of an artifact that moved. */
export function rejudgedChanges(
  environment: Environment,
  facts: Pick<ReportFacts, 'provenanceOf' | 'judging'>,
  flowsOf: FlowsOf,
): (artifact: Running) => Unjudged {
  const isByStandards = facts.judging === null || standardsMoved(environment, facts.judging);
  return (artifact) => rejudgedChange(artifact, flowsOf, reasonOf(artifact, isByStandards, facts));
}

/** The running artifacts to judge for some fingerprints; all of them for null, or if the standards changed. */
export function scopeOf(
  { environment, running }: EnvironmentState,
  fingerprints: ReadonlySet<string> | null,
  standards: Pick<Judging, 'policies' | 'requireProvenance'> | null,
): readonly Running[] {
  if (fingerprints === null || standardsMoved(environment, standards)) return running;
  return running.filter(({ fingerprint }) => fingerprints.has(fingerprint));
}

/** The artifacts of which more is known than was recorded, or on which the verdict is another. */
export function artifactsToRejudge(
  { running }: Pick<EnvironmentState, 'running'>,
  { fingerprints }: JudgeAgain,
  { provenanceOf, judging }: Pick<ReportFacts, 'provenanceOf' | 'judging'>,
): readonly Running[] {
  return running.filter((artifact) => {
    const { fingerprint, name, known, judged } = artifact;
    if (!fingerprints.has(fingerprint)) return false;
    if (provenanceOf(fingerprint).length > known) return true;
    const verdict = judging?.verdictOf({ fingerprint, name });
    return !isSameOutcome(judged, verdict === undefined ? undefined : outcomeOf(verdict));
  });
}

/** Why an artifact that moved did; null: more of its provenance is known. */
function reasonOf(
  { fingerprint, name, known, judged }: Running,
  isByStandards: boolean,
  { provenanceOf, judging }: Pick<ReportFacts, 'provenanceOf' | 'judging'>,
): JudgementReason | null {
  if (provenanceOf(fingerprint).length > known) return null;
  if (judging === null || isByStandards) return 'policy';
  const { allowed } = judging.verdictOf({ fingerprint, name });
  // An artifact that was on the allow-list was compliant, whatever failed.
  const wasAllowed =
    judged?.compliant === true && (judged.failing.length > 0 || (judging.requireProvenance && known === 0));
  return (judged?.compliant !== true && allowed) || (wasAllowed && !allowed) ? 'allow-list' : 'evidence';
}
