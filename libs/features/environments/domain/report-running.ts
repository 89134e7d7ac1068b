import type { Running } from '@assurance/contracts/environments/documents';
import type { EnvironmentType, Refreshed, SnapshotChange } from '@assurance/contracts/environments/events';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { type Decision, noChange, refused } from '@assurance/kernel';
import { type Difference, type Reported, type ScaledArtifact, sizeOf } from './difference';
import type { ReportFacts } from './facts';
import { type FlowsOf, flowsReader } from './flows-of';
import type { UnjudgedChange } from './judged';
import { kindOf } from './kinds';
import { type Arrival, type Departure, type FreePlaces, originOf } from './places';
import { keyText } from './runs';
import { entry, type EnvironmentState, type Observation } from './snapshot-of';
import { startOf } from './start';

/** A report: everything that an environment runs now. */
export interface Report {
  readonly type: EnvironmentType;
  readonly artifacts: readonly Reported[];
}

export type ReportRefusal = FeatureRefusal<'environment-wrong-kind'>;

/** The decision on a report that makes no snapshot; null if it makes one. */
export function decideWithoutChange(
  { environment }: EnvironmentState,
  { type }: Report,
  difference: Difference,
): Decision<never, ReportRefusal> | null {
  if (environment.type !== type)
    return refused({ kind: 'environment-wrong-kind', expected: environment.type, actual: type });
  return sizeOf(difference) === 0 ? noChange : null;
}

/** The changes of the snapshot that a report makes, one by one. Started artifacts come first, because they take the places of exited ones. */
export class ReportDraft {
  readonly flowsOf: FlowsOf;
  readonly observation: Observation;
  private readonly snapshot: number;
  private readonly isAfresh: boolean;
  private readonly renewedArtifacts: ReadonlyMap<string, Running>;
  private readonly replacements = new Map<string, SnapshotChange['replacedBy']>();

  /**
   * @param refreshed the details that the report changes for artifacts that keep running
   * @param renewed these artifacts after the change
   * @param places that became free
   */
  constructor(
    { environment }: EnvironmentState,
    private readonly facts: ReportFacts,
    difference: Difference,
    refreshed: Refreshed | null,
    renewed: readonly Running[],
    private readonly places: FreePlaces,
  ) {
    this.snapshot = environment.snapshot + 1;
    this.isAfresh = environment.reportedAs !== undefined;
    this.observation = { observedAt: facts.observedAt, previousReportAt: facts.previousReportAt, refreshed };
    this.flowsOf = flowsReader(facts, difference.exited);
    this.renewedArtifacts = new Map(renewed.map((running) => [keyText(running), running]));
  }

  startedChange(artifact: Reported): UnjudgedChange {
    const { fingerprint, name, instances } = artifact;
    const since = { snapshot: this.snapshot, at: this.facts.observedAt, deployedAt: this.deployedAt(artifact) };
    const place = this.places.take(artifact);
    const kind = kindOf(artifact, this.snapshot, this.facts);
    if (place !== null && !this.replacements.has(keyText(place)))
      this.replacements.set(keyText(place), { fingerprint, name });
    return {
      ...entry({ ...artifact, since }, this.flowsOf, artifact.contexts),
      change: place === null ? 'started' : 'changed',
      was: place?.instances.length ?? 0,
      now: instances.length,
      wholly: fingerprint !== '',
      ...(kind === undefined ? {} : { kind }),
      replacedBy: null,
    };
  }

  scaledChange({ before, now, previousCount, count }: ScaledArtifact): UnjudgedChange {
    const runs = this.renewedArtifacts.get(keyText(before)) ?? before;
    return {
      ...entry({ ...runs, instances: now.instances }, this.flowsOf, now.contexts),
      change: 'scaled',
      was: previousCount,
      now: count,
      wholly: false,
      replacedBy: null,
    };
  }

  exitedChange(artifact: Running): UnjudgedChange {
    return {
      ...entry(artifact, this.flowsOf),
      change: 'exited',
      was: artifact.instances.length,
      now: 0,
      wholly: artifact.fingerprint !== '',
      replacedBy: this.replacements.get(keyText(artifact)) ?? null,
    };
  }

  /** All changes. After a change of the environment's type, the same artifact may leave and start again. */
  orderChanges(
    started: readonly UnjudgedChange[],
    scaled: readonly UnjudgedChange[],
    exited: readonly UnjudgedChange[],
  ): UnjudgedChange[] {
    return this.isAfresh ? [...exited, ...started] : [...started, ...scaled, ...exited];
  }

  private deployedAt(artifact: Reported): number {
    return deployedAtOf(artifact, this.facts);
  }
}

function deployedAtOf({ fingerprint, instances }: Reported, facts: ReportFacts): number {
  const { observedAt, previousReportAt } = facts;
  const seen = { previous: previousReportAt === null ? null : previousReportAt / 1000, observed: observedAt / 1000 };
  return startOf(instances, seen, facts.provenanceOf(fingerprint)[0]?.commit?.timestamp ?? null);
}

/** The artifacts that leave places and those that may take them. After a change of the environment's type, there are none. */
export function exchangesOf(
  { reportedAs }: Pick<EnvironmentState['environment'], 'reportedAs'>,
  { exited, started }: Difference,
): Pick<Difference, 'exited' | 'started'> {
  return reportedAs === undefined ? { exited, started } : { exited: [], started: [] };
}

/** The place that an exited artifact leaves; none for an unknown digest. */
export function departuresOf(artifact: Running, facts: ReportFacts): readonly Departure[] {
  const { fingerprint } = artifact;
  return fingerprint === '' ? [] : [{ ...artifact, origin: originOf(facts.provenanceOf(fingerprint)) }];
}

/** A started artifact that may take a place; none for an unknown digest. */
export function arrivalsOf(artifact: Reported, facts: ReportFacts): readonly Arrival[] {
  const { fingerprint, name } = artifact;
  if (fingerprint === '') return [];
  const origin = originOf(facts.provenanceOf(fingerprint));
  return [{ fingerprint, name, deployedAt: deployedAtOf(artifact, facts), origin }];
}
