import type { EnvironmentType, SnapshotChange } from '@assurance/contracts/environments/events';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { accepted, atOnce, type Decision, mapSteps, nothing, refused, type Steps } from '@assurance/kernel';
import { type Difference, differenceIn, type Reported, sizeOf } from './difference';
import type { ReportFacts } from './facts';
import { flowsReader } from './flows-of';
import type { Unjudged } from './judged';
import { kindOf } from './kinds';
import { FreePlaces, originOf } from './places';
import { refresh, refreshedRunning } from './refresh';
import { keyText, runningAs } from './runs';
import { entry, type EnvironmentState, type SnapshotEvent, snapshotOf } from './snapshot-of';
import { startOf } from './start';

/** A report: all that an environment runs now. */
export interface Report {
  readonly type: EnvironmentType;
  readonly artifacts: readonly Reported[];
}

export type ReportRefusal = FeatureRefusal<'environment-wrong-kind'>;

/**
 * Decides whether a report changes what an environment runs (specification 4.3). Nothing when it says the same as the newest snapshot; an
 * empty report means that everything exited.
 *
 * @param difference between the report and the running artifacts, if the caller computed it for the facts
 */
export function* decideReport(
  state: EnvironmentState,
  { type, artifacts }: Report,
  facts: ReportFacts,
  difference: Difference = atOnce(differenceIn(state.environment, state.running, artifacts)),
): Steps<Decision<SnapshotEvent, ReportRefusal>> {
  const { environment, running } = state;
  if (environment.type !== type)
    return refused({ kind: 'environment-wrong-kind', expected: environment.type, given: type });
  if (sizeOf(difference) === 0) return nothing;

  const snapshot = environment.snapshot + 1;
  const isAfresh = environment.reportedAs !== undefined;
  const { observedAt, previousReportAt } = facts;
  const seen = { previous: previousReportAt === null ? null : previousReportAt / 1000, observed: observedAt / 1000 };
  const deployedAt = ({ fingerprint, instances }: Reported) =>
    startOf(instances, seen, facts.provenanceOf(fingerprint)[0]?.commit?.timestamp ?? null);
  const places = new FreePlaces(
    (isAfresh ? [] : difference.exited)
      .filter(({ fingerprint }) => fingerprint !== '')
      .map((artifact) => ({ ...artifact, origin: originOf(facts.provenanceOf(artifact.fingerprint)) })),
    (isAfresh ? [] : difference.started)
      .filter(({ fingerprint }) => fingerprint !== '')
      .map((artifact) => ({
        ...{ fingerprint: artifact.fingerprint, name: artifact.name, deployedAt: deployedAt(artifact) },
        origin: originOf(facts.provenanceOf(artifact.fingerprint)),
      })),
  );
  const flowsOf = flowsReader(facts, difference.exited);

  const refreshed = yield* refresh(difference);
  const renewed = new Map(refreshed?.artifacts.map((one) => [keyText(one), runningAs(one)]));

  yield;
  const replacements = new Map<string, SnapshotChange['replacedBy']>();
  const started = yield* mapSteps(difference.started, (artifact): Unjudged => {
    const { fingerprint, name, instances } = artifact;
    const since = { snapshot, at: observedAt, deployedAt: deployedAt(artifact) };
    const place = places.take(artifact);
    const kind = kindOf(artifact, snapshot, facts);
    if (place !== null && !replacements.has(keyText(place))) replacements.set(keyText(place), { fingerprint, name });
    return {
      ...entry({ ...artifact, since }, flowsOf, artifact.contexts),
      change: place === null ? 'started' : 'changed',
      was: place?.instances.length ?? 0,
      now: instances.length,
      wholly: fingerprint !== '',
      ...(kind === undefined ? {} : { kind }),
      replacedBy: null,
    };
  });
  const scaled = yield* mapSteps(difference.scaled, ({ before, now, was, count }): Unjudged => ({
    ...entry({ ...(renewed.get(keyText(before)) ?? before), instances: now.instances }, flowsOf, now.contexts),
    ...{ change: 'scaled', was, now: count },
    wholly: false,
    replacedBy: null,
  }));
  const exited = yield* mapSteps(difference.exited, (artifact): Unjudged => ({
    ...entry(artifact, flowsOf),
    change: 'exited',
    was: artifact.instances.length,
    now: 0,
    wholly: artifact.fingerprint !== '',
    replacedBy: replacements.get(keyText(artifact)) ?? null,
  }));
  // Where all starts from nothing, the same artifact may leave and start again.
  const changes = isAfresh ? [...exited, ...started] : [...started, ...scaled, ...exited];
  const current = refreshed === null ? running : yield* refreshedRunning(running, refreshed);
  const made = { observedAt, previousReportAt, refreshed };
  return accepted(...(yield* snapshotOf({ environment, running: current }, changes, facts, flowsOf, made)));
}
