import type { EnvironmentType, SnapshotChange } from '@assurance/contracts-events';
import { accepted, type Decision, nothing, refused } from '@assurance/kernel';
import { deployedAt, keyText } from '@assurance/model-environment';
import type { Reported } from './collect';
import { differenceOf, sizeOf } from './difference';
import type { ReportFacts } from './facts';
import { flowsReader } from './flows-of';
import type { Unjudged } from './judged';
import { FreePlaces, originOf } from './places';
import { type EnvironmentState, entry, snapshotOf, type SnapshotEvent } from './snapshot-of';

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
 * Decides whether a report changes what an environment runs (specification 4.3; DECISIONS, Snapshots).
 * Nothing when it says the same as the newest snapshot; an empty report means that everything exited.
 */
export function decideReport(
  state: EnvironmentState,
  { type, artifacts }: Report,
  facts: ReportFacts,
): Decision<SnapshotEvent, ReportRefusal> {
  const { environment, running } = state;
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

  const changes: Unjudged[] = [];
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
  return accepted(...snapshotOf(state, changes, facts, flowsOf));
}
