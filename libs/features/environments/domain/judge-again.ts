import type { Environment, Outcome, Running } from '@assurance/contracts/environments/documents';
import type { JudgementReason } from '@assurance/contracts/environments/events';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { type Decision, noChange, refused } from '@assurance/kernel';
import type { EnvironmentStandards, ReportFacts } from './facts';
import type { FlowsOf } from './flows-of';
import { isSameOutcome, outcomeOf, havePoliciesChanged, haveStandardsChanged, type UnjudgedChange } from './judged';
import { type EnvironmentState, rejudgedChange } from './snapshot-of';

/** Judges the newest snapshot again, after new evidence about some fingerprints or after a change of the standards. */
export interface JudgeAgain {
  readonly fingerprints: ReadonlySet<string>;
}

export type JudgeAgainRefusal = FeatureRefusal<'environment-archived'>;

export type JudgeAgainFacts = Omit<ReportFacts, 'previousReportAt' | 'firstStart'>;

/**
 * The decision if no snapshot is made; null if one is made.
 *
 * @param moved the artifacts of `artifactsToRejudge`
 */
export function decideWithoutJudging(
  { environment }: EnvironmentState,
  moved: readonly Running[],
  { environmentStandards }: Pick<ReportFacts, 'environmentStandards'>,
): Decision<never, JudgeAgainRefusal> | null {
  if (environment.archived) return refused({ kind: 'environment-archived', name: environment.name });
  const isEmpty = environment.snapshot === 0 || environment.reportedAs !== undefined;
  if (isEmpty || environment.type === 'logical') return noChange;
  // If nothing runs, only the environment has another verdict.
  const isOther =
    havePoliciesChanged(environment, environmentStandards) ||
    (environment.judged === null) !== (environmentStandards === null);
  return moved.length === 0 && !isOther ? noChange : null;
}

/** Makes the change of an artifact with new provenance or another verdict. */
export function rejudgedChanges(
  environment: Environment,
  facts: Pick<ReportFacts, 'provenanceOf' | 'environmentStandards'>,
  flowsOf: FlowsOf,
): (artifact: Running) => UnjudgedChange {
  const isByStandards =
    facts.environmentStandards === null || haveStandardsChanged(environment, facts.environmentStandards);
  return (artifact) => rejudgedChange(artifact, flowsOf, reasonOf(artifact, isByStandards, facts));
}

/** The running artifacts to judge for some fingerprints; all of them for null, or if the standards changed. */
export function scopeOf(
  { environment, running }: EnvironmentState,
  fingerprints: ReadonlySet<string> | null,
  standards: Pick<EnvironmentStandards, 'policies' | 'requireProvenance'> | null,
): readonly Running[] {
  if (fingerprints === null || haveStandardsChanged(environment, standards)) return running;
  return running.filter(({ fingerprint }) => fingerprints.has(fingerprint));
}

/** The artifacts with more provenance than recorded, or with another verdict. */
export function artifactsToRejudge(
  { running }: Pick<EnvironmentState, 'running'>,
  { fingerprints }: JudgeAgain,
  { provenanceOf, environmentStandards }: Pick<ReportFacts, 'provenanceOf' | 'environmentStandards'>,
): readonly Running[] {
  return running.filter((artifact) => {
    const { fingerprint, name, known, judged } = artifact;
    if (!fingerprints.has(fingerprint)) return false;
    if (provenanceOf(fingerprint).length > known) return true;
    const verdict = environmentStandards?.verdictOf({ fingerprint, name });
    return !isSameOutcome(judged, verdict === undefined ? undefined : outcomeOf(verdict));
  });
}

/** Why the verdict on an artifact changed; null if only its provenance changed. */
function reasonOf(
  { fingerprint, name, known, judged }: Running,
  isByStandards: boolean,
  { provenanceOf, environmentStandards }: Pick<ReportFacts, 'provenanceOf' | 'environmentStandards'>,
): JudgementReason | null {
  if (provenanceOf(fingerprint).length > known) return null;
  if (environmentStandards === null || isByStandards) return 'policy';
  const { requireProvenance } = environmentStandards;
  const verdict = environmentStandards.verdictOf({ fingerprint, name });
  // An artifact on the allow-list is compliant, even if policies fail.
  const failsStandards = ({ failing }: Outcome) => failing.length > 0 || (requireProvenance && known === 0);
  const wasCompliant = judged?.compliant === true;
  const isByAllowList = verdict.allowed
    ? !wasCompliant || failsStandards(outcomeOf(verdict))
    : wasCompliant && failsStandards(judged);
  return isByAllowList ? 'allow-list' : 'evidence';
}
