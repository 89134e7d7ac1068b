import type { RunningArtifact, SnapshotChange, SnapshotRecorded, SnapshotStateKept } from '@assurance/contracts-events';
import { byKey, type Environment, keyText, type Running, runningArtifact } from '@assurance/model-environment';
import type { Reported } from './collect';
import type { ReportFacts } from './facts';
import type { FlowsOf } from './flows-of';

/** An environment and what it runs. */
export interface EnvironmentState {
  readonly environment: Environment;
  readonly running: readonly Running[];
}

export type SnapshotEvent = SnapshotRecorded | SnapshotStateKept;

/**
 * Whether the next snapshot should keep the full state: when twice what runs has changed since the last one. A snapshot is
 * then read from at most that many changes, and what is written grows with change, not with size times snapshots.
 */
export function fullIsDue({ changesSinceFull, artifacts }: Environment): boolean {
  return changesSinceFull >= 64 + 2 * artifacts;
}

/** The events of an environment's next snapshot. */
export function snapshotOf(
  environment: Environment,
  changes: readonly SnapshotChange[],
  facts: Pick<ReportFacts, 'recorded'>,
): readonly [SnapshotRecorded, ...SnapshotStateKept[]] {
  const snapshot = environment.snapshot + 1;
  const { name, type } = environment;
  const recorded: SnapshotRecorded = {
    type: 'SnapshotRecorded',
    version: 1,
    data: { snapshot, environment: name, type, changes },
  };
  return fullIsDue(environment) ? [recorded, keepState(snapshot, facts, changes)] : [recorded];
}

/** What runs after a snapshot was recorded. */
export function runningAfter(running: readonly Running[], changes: readonly SnapshotChange[]): Running[] {
  const after = new Map(running.map((artifact) => [keyText(artifact), artifact]));
  for (const change of changes) {
    const { fingerprint, name, instances, since, flows } = change;
    if (change.now === 0) after.delete(keyText(change));
    else after.set(keyText(change), { fingerprint, name, instances, since, known: flows.length });
  }
  return [...after.values()];
}

/** What a change says of the artifact itself, with its provenance as known now. */
export function entry(
  artifact: Omit<Running, 'known'>,
  flowsOf: FlowsOf,
  contexts?: Reported['contexts'],
): RunningArtifact {
  const { fingerprint, name, instances, since } = artifact;
  const said = { fingerprint, name, instances, since, flows: flowsOf(artifact), compliant: null };
  return contexts === undefined ? said : { ...said, contexts };
}

function keepState(
  snapshot: number,
  { recorded }: Pick<ReportFacts, 'recorded'>,
  changes: readonly SnapshotChange[],
): SnapshotStateKept {
  if (recorded === null) throw new Error('a full state is due and the facts do not hold what was recorded');
  const artifacts = new Map(recorded.map((artifact) => [keyText(artifact), artifact]));
  for (const change of changes) {
    const key = keyText(change);
    if (change.now === 0) artifacts.delete(key);
    else artifacts.set(key, runningArtifact(change, artifacts.get(key)));
  }
  return { type: 'SnapshotStateKept', version: 1, data: { snapshot, artifacts: [...artifacts.values()].sort(byKey) } };
}
