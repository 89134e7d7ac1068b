import type { EnvironmentType, SnapshotChange, SnapshotRecorded } from '@assurance/contracts/environments/events';
import { byKey } from '@assurance/environments/domain/runs';
import { groupBy } from '@assurance/kernel';
import type { Appearance, Moment } from './deployment';
import { workloadsOf } from './workloads';

export type Names = Appearance['names'];

/** An artifact that a snapshot starts. */
export interface StartedArtifact {
  readonly fingerprint: string;
  readonly names: Names;
  /** Epoch seconds. */
  readonly deployedAt: number;
}

/** A snapshot as the rules need it. */
export interface ArtifactSnapshot extends Moment {
  /** Whether the environment's first report made it, or the first after a revival. */
  readonly isBaseline: boolean;
  /** Whether the environment has another type than before, so that nothing of what ran goes on. */
  readonly isAfresh: boolean;
  readonly started: readonly StartedArtifact[];
  /** Fingerprints. */
  readonly departed: readonly string[];
  /** The names of artifacts that keep running, after the snapshot. */
  readonly renamed: ReadonlyMap<string, Names>;
}

/**
 * The artifacts that a snapshot starts and ends, and the names and workloads that it tells of others.
 *
 * @param namesOf the names of a running artifact before the snapshot; undefined if it does not run
 */
export function artifactSnapshot(
  data: SnapshotRecorded['data'],
  { at, isBaseline }: Pick<ArtifactSnapshot, 'at' | 'isBaseline'>,
  namesOf: (fingerprint: string) => Names | undefined,
): ArtifactSnapshot {
  const { type, snapshot, changes, afresh } = data;
  const whole = changes.filter(({ wholly }) => wholly);
  const arrivals = groupBy(
    whole.filter(({ now }) => now > 0),
    ({ fingerprint }) => fingerprint,
  );
  const departures = whole.filter(({ now }) => now === 0).map(({ fingerprint }) => fingerprint);
  return {
    snapshot,
    at,
    isBaseline,
    isAfresh: afresh !== undefined,
    started: [...arrivals].map(([fingerprint, own]) => startedArtifact(type, fingerprint, own)),
    departed: afresh === undefined ? [...new Set(departures)] : [],
    renamed: renamedArtifacts(data, namesOf),
  };
}

function startedArtifact(
  type: EnvironmentType,
  fingerprint: string,
  changes: readonly SnapshotChange[],
): StartedArtifact {
  const sorted = changes.toSorted((a, b) => a.since.deployedAt - b.since.deployedAt || byKey(a, b));
  const names = sorted.map(({ name, contexts }) => [name, workloadsOf(type, name, contexts)] as const);
  return { fingerprint, names, deployedAt: sorted[0]?.since.deployedAt ?? 0 };
}

function renamedArtifacts(
  { type, refreshed, changes }: SnapshotRecorded['data'],
  namesOf: (fingerprint: string) => Names | undefined,
): ReadonlyMap<string, Names> {
  const renamed = new Map<string, Names>();
  const current = (fingerprint: string) => renamed.get(fingerprint) ?? namesOf(fingerprint);
  for (const { fingerprint, name, from = name, contexts } of refreshed?.artifacts ?? []) {
    const names = current(fingerprint);
    if (names === undefined) continue;
    const workloads = contexts && workloadsOf(type, name, contexts);
    renamed.set(fingerprint, withName(names, name, workloads ?? names.find(([own]) => own === from)?.[1] ?? []));
  }
  for (const { fingerprint, name } of refreshed?.dropped ?? []) {
    const names = current(fingerprint)?.filter(([own]) => own !== name);
    if (names !== undefined && names.length > 0) renamed.set(fingerprint, names);
  }
  for (const { fingerprint, name, wholly, now, contexts } of changes) {
    const names = current(fingerprint);
    if (wholly || now === 0 || contexts === undefined || names === undefined) continue;
    renamed.set(fingerprint, withName(names, name, workloadsOf(type, name, contexts)));
  }
  return renamed;
}

export function isSameNames(a: Names, b: Names): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function withName(names: Names, name: string, workloads: readonly string[]): Names {
  const place = names.findIndex(([own]) => own === name);
  return place === -1 ? [...names, [name, workloads]] : names.with(place, [name, workloads]);
}
