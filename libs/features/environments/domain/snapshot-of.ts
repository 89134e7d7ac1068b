import type { Environment, Running } from '@assurance/contracts/environments/documents';
import type {
  JudgementReason,
  Refreshed,
  RunningArtifact,
  SnapshotChange,
  SnapshotRecorded,
  SnapshotStateKept,
  VerdictsKept,
} from '@assurance/contracts/environments/events';
import type { Reported } from './difference';
import type { ReportFacts } from './facts';
import type { FlowsOf } from './flows-of';
import { type JudgedChanges, type JudgedKey, haveStandardsChanged, type UnjudgedChange } from './judged';
import { VerdictEncoder } from './verdict-encoding';
import { applyRefreshed } from './refreshed';
import { byKey, keyText } from './runs';
import { refreshedArtifact, runningArtifact } from './snapshot';

/** An environment and its running artifacts. */
export interface EnvironmentState {
  readonly environment: Environment;
  readonly running: readonly Running[];
}

/** When a snapshot was observed, and the details of its report; left out if no report makes it. */
export interface Observation extends Pick<ReportFacts, 'observedAt'>, Partial<Pick<ReportFacts, 'previousReportAt'>> {
  /** New details of artifacts that keep running. `changes` and `running` contain them already. */
  readonly refreshed?: Refreshed | null;
  /** Of a logical environment, the snapshots that it unites, by the member's id. */
  readonly members?: Readonly<Record<string, number>>;
}

export type SnapshotEvent = SnapshotRecorded | VerdictsKept | SnapshotStateKept;

/**
 * Whether the next snapshot should store the full state. It should if the number of changes since the last full state is twice the number of
 * running artifacts. This bounds the changes that a read of a snapshot needs, and the written data grows only with the number of changes.
 */
export function fullIsDue({ changesSinceFull, artifacts }: Environment): boolean {
  return changesSinceFull >= 64 + 2 * artifacts;
}

/** Unchanged artifacts, which are judged again because the standards changed. */
export function unchangedToJudge(
  { environment, running }: EnvironmentState,
  changes: readonly UnjudgedChange[],
  { environmentStandards }: Pick<ReportFacts, 'environmentStandards'>,
): readonly Running[] {
  if (!haveStandardsChanged(environment, environmentStandards)) return [];
  const changedKeys = new Set(changes.map(keyText));
  return running.filter((artifact) => !changedKeys.has(keyText(artifact)));
}

/** The events of an environment's next snapshot, from judged changes. */
export function eventsOf(
  environment: Environment,
  { changes, judged, verdicts }: JudgedChanges,
  facts: Pick<ReportFacts, 'recordedArtifacts'>,
  { observedAt, previousReportAt, refreshed = null, members }: Observation,
): readonly [SnapshotRecorded, ...SnapshotEvent[]] {
  const snapshot = environment.snapshot + 1;
  const { name, type, reportedAs } = environment;
  const snapshotRecorded: SnapshotRecorded = {
    type: 'SnapshotRecorded',
    version: 1,
    data: {
      snapshot,
      environment: name,
      type,
      changes,
      ...(judged === null ? {} : { judged }),
      ...(refreshed === null ? {} : { refreshed }),
      ...(members === undefined ? {} : { members }),
      observedAt,
      ...(previousReportAt === undefined ? {} : { previousReportAt }),
      ...(reportedAs === undefined ? {} : { afresh: reportedAs }),
    },
  };
  return [
    snapshotRecorded,
    ...(verdicts.length === 0 ? [] : [keepVerdicts(verdicts)]),
    ...(fullIsDue(environment) ? [keepState(snapshot, facts, { refreshed, changes }, verdicts)] : []),
  ];
}

/** The fields of a change that describe the artifact, with its present provenance. */
export function entry(
  artifact: Omit<Running, 'known' | 'judged' | 'contextsKey'>,
  flowsOf: FlowsOf,
  contexts?: Reported['contexts'],
): Omit<RunningArtifact, 'compliant' | 'failing' | 'verdict'> & Pick<SnapshotChange, 'startedAs'> {
  const { fingerprint, name, instances, since, startedAs } = artifact;
  return {
    fingerprint,
    name,
    instances,
    since,
    flows: flowsOf(artifact),
    ...(contexts === undefined ? {} : { contexts }),
    ...(startedAs === undefined ? {} : { startedAs }),
  };
}

/**
 * The change of an artifact that keeps running, with more provenance or another verdict.
 *
 * @param reason null where more of its provenance is known
 */
export function rejudgedChange(artifact: Running, flowsOf: FlowsOf, reason: JudgementReason | null): UnjudgedChange {
  const count = artifact.instances.length;
  return {
    ...entry(artifact, flowsOf),
    change: 'updated-provenance',
    was: count,
    now: count,
    wholly: false,
    replacedBy: null,
    ...(reason === null ? {} : { because: reason }),
  };
}

function keepVerdicts(verdicts: readonly JudgedKey[]): VerdictsKept {
  const packer = new VerdictEncoder();
  const sorted = [...verdicts].sort(byKey);
  const artifacts = sorted.map(({ verdict, ...key }) => ({ ...key, verdict: packer.encode(verdict) }));
  return { type: 'VerdictsKept', version: 2, data: { policies: packer.policies, artifacts } };
}

function keepState(
  snapshot: number,
  { recordedArtifacts }: Pick<ReportFacts, 'recordedArtifacts'>,
  { refreshed, changes }: { readonly refreshed: Refreshed | null; readonly changes: readonly SnapshotChange[] },
  verdicts: readonly JudgedKey[],
): SnapshotStateKept {
  if (recordedArtifacts === null) throw new Error('a full state is due and the facts do not hold what was recorded');
  const artifacts = new Map(recordedArtifacts.map((artifact) => [keyText(artifact), artifact]));
  if (refreshed !== null) applyRefreshed(artifacts, refreshed, refreshedArtifact);
  for (const change of changes) {
    const key = keyText(change);
    if (change.now === 0) artifacts.delete(key);
    else artifacts.set(key, runningArtifact(change, artifacts.get(key)));
  }
  for (const { verdict, ...key } of verdicts) {
    const artifact = artifacts.get(keyText(key));
    if (artifact !== undefined) artifacts.set(keyText(key), { ...artifact, verdict });
  }
  const packer = new VerdictEncoder();
  const sorted = [...artifacts.values()].sort(byKey);
  const encodedArtifacts = sorted.map(({ verdict, ...artifact }) =>
    verdict === undefined ? artifact : { ...artifact, verdict: packer.encode(verdict) },
  );
  const policies = packer.policies.length === 0 ? {} : { policies: packer.policies };
  return { type: 'SnapshotStateKept', version: 2, data: { snapshot, ...policies, artifacts: encodedArtifacts } };
}
