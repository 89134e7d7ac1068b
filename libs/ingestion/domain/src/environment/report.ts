import type {
  EnvironmentType,
  RunningArtifact,
  SnapshotChange,
  SnapshotRecorded,
  SnapshotStateKept,
} from '@assurance/contracts-events';
import { accepted, type Decision, nothing, refused } from '@assurance/kernel';
import {
  byKey,
  deployedAt,
  type Environment,
  keyText,
  type Running,
  runningArtifact,
} from '@assurance/model-environment';
import type { Reported } from './collect';
import { differenceOf, sizeOf } from './difference';
import type { ReportFacts } from './facts';
import { type FlowsOf, flowsReader } from './flows-of';
import { FreePlaces, originOf } from './places';

export interface ReportState {
  readonly environment: Environment;
  readonly running: readonly Running[];
}

/** A report: all that an environment runs now. */
export interface Report {
  readonly type: EnvironmentType;
  readonly artifacts: readonly Reported[];
}

export type ReportRefusal = {
  readonly kind: 'environment-wrong-kind';
  readonly expected: EnvironmentType;
  readonly given: EnvironmentType;
};

/**
 * Whether the next snapshot should keep the full state: when twice what runs has changed since the last one. A snapshot is
 * then read from at most that many changes, and what is written grows with change, not with size times snapshots.
 */
export function fullIsDue({ changesSinceFull, artifacts }: Environment): boolean {
  return changesSinceFull >= 64 + 2 * artifacts;
}

/**
 * Decides whether a report changes what an environment runs (specification 4.3; DECISIONS, Snapshots).
 * Nothing when it says the same as the newest snapshot; an empty report means that everything exited.
 */
export function decideReport(
  { environment, running }: ReportState,
  { type, artifacts }: Report,
  facts: ReportFacts,
): Decision<SnapshotRecorded | SnapshotStateKept, ReportRefusal> {
  if (environment.type !== type)
    return refused({ kind: 'environment-wrong-kind', expected: environment.type, given: type });
  const difference = differenceOf(running, artifacts, environment.includeScaling);
  if (sizeOf(difference) === 0) return nothing;

  const snapshot = environment.snapshot + 1;
  const ranBefore = new Set(running.map(({ fingerprint }) => fingerprint));
  const runsNow = new Set(artifacts.map(({ fingerprint }) => fingerprint));
  const places = new FreePlaces(
    difference.exited
      .filter(({ fingerprint }) => !runsNow.has(fingerprint))
      .map((artifact) => ({ ...artifact, origin: originOf(facts.provenanceOf(artifact.fingerprint)) })),
  );
  const flowsOf = flowsReader(facts, difference.exited);

  const changes: SnapshotChange[] = [];
  const replacements = new Map<string, SnapshotChange['replacedBy']>();
  for (const artifact of difference.started) {
    const { fingerprint, name, instances } = artifact;
    const since = { snapshot, at: facts.at, deployedAt: deployedAt(instances, facts.at) };
    const place = places.take({ name, origin: originOf(facts.provenanceOf(fingerprint)) });
    if (place !== null && !replacements.has(keyText(place))) replacements.set(keyText(place), { fingerprint, name });
    changes.push({
      ...entry({ ...artifact, since }, flowsOf, artifact.contexts),
      change: place === null ? 'started' : 'changed',
      was: place?.instances.length ?? 0,
      now: instances.length,
      wholly: fingerprint !== '' && !ranBefore.has(fingerprint),
      replacedBy: null,
    });
  }
  for (const { before, now } of difference.scaled) {
    changes.push({
      ...entry({ ...before, instances: now.instances }, flowsOf, now.contexts),
      change: 'scaled',
      was: before.instances.length,
      now: now.instances.length,
      wholly: false,
      replacedBy: null,
    });
  }
  for (const artifact of difference.exited) {
    changes.push({
      ...entry(artifact, flowsOf),
      change: 'exited',
      was: artifact.instances.length,
      now: 0,
      wholly: artifact.fingerprint !== '' && !runsNow.has(artifact.fingerprint),
      replacedBy: replacements.get(keyText(artifact)) ?? null,
    });
  }
  const recorded: SnapshotRecorded = {
    type: 'SnapshotRecorded',
    version: 1,
    data: { snapshot, environment: environment.name, type, changes },
  };
  return fullIsDue(environment) ? accepted(recorded, keepState(snapshot, facts, changes)) : accepted(recorded);
}

/** What runs after a snapshot was recorded. */
export function runningAfter(running: readonly Running[], changes: readonly SnapshotChange[]): Running[] {
  const after = new Map(running.map((artifact) => [keyText(artifact), artifact]));
  for (const change of changes) {
    const { fingerprint, name, instances, since } = change;
    if (change.now === 0) after.delete(keyText(change));
    else after.set(keyText(change), { fingerprint, name, instances, since });
  }
  return [...after.values()];
}

function entry(artifact: Running, flowsOf: FlowsOf, contexts?: Reported['contexts']): RunningArtifact {
  const { fingerprint, name, instances, since } = artifact;
  const said = { fingerprint, name, instances, since, flows: flowsOf(artifact), compliant: null };
  return contexts === undefined ? said : { ...said, contexts };
}

function keepState(snapshot: number, { recorded }: ReportFacts, changes: readonly SnapshotChange[]): SnapshotStateKept {
  if (recorded === null) throw new Error('a full state is due and the facts do not hold what was recorded');
  const artifacts = new Map(recorded.map((artifact) => [keyText(artifact), artifact]));
  for (const change of changes) {
    const key = keyText(change);
    if (change.now === 0) artifacts.delete(key);
    else artifacts.set(key, runningArtifact(change, artifacts.get(key)));
  }
  return { type: 'SnapshotStateKept', version: 1, data: { snapshot, artifacts: [...artifacts.values()].sort(byKey) } };
}
