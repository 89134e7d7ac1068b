import type { EnvironmentType, SnapshotChange, SnapshotRecorded } from '@assurance/contracts/environments/events';
import { byKey } from '@assurance/environments/domain/runs';
import { addTo } from '@assurance/kernel';
import type { Appearance, Moment } from './deployment';
import { workloadsOf } from './workloads';

/** The most names of one artifact that are kept. */
const NAMES_MAX = 100;

export type Names = Appearance['names'];

/** Makes the names of a running artifact of those before. */
export type NameChange = (names: Names) => Names;

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
  /** Each is made when it is applied. */
  readonly started: readonly (() => StartedArtifact)[];
  /** Fingerprints. */
  readonly departed: readonly string[];
  /** The changes of names and workloads, by fingerprint. */
  readonly renamed: ReadonlyMap<string, NameChange>;
}

/** The artifacts that a snapshot starts and ends, and the names and workloads that it tells of others. */
export function artifactSnapshot(
  data: SnapshotRecorded['data'],
  { at, isBaseline }: Pick<ArtifactSnapshot, 'at' | 'isBaseline'>,
): ArtifactSnapshot {
  const { type, snapshot, changes, refreshed, afresh } = data;
  const arrivals = new Map<string, SnapshotChange[]>();
  const departed = new Set<string>();
  const nameChanges = new Map<string, NameChange[]>();
  for (const { fingerprint, name, from = name, contexts } of refreshed?.artifacts ?? [])
    addTo(nameChanges, fingerprint, (names) => {
      const workloads = contexts && workloadsOf(type, name, contexts);
      return withName(names, name, workloads ?? names.find(([own]) => own === from)?.[1] ?? []);
    });
  for (const { fingerprint, name } of refreshed?.dropped ?? [])
    addTo(nameChanges, fingerprint, (names) => {
      const others = names.filter(([own]) => own !== name);
      return others.length > 0 ? others : names;
    });
  for (const change of changes) {
    const { fingerprint, name, wholly, now, contexts } = change;
    if (wholly && now > 0) addTo(arrivals, fingerprint, change);
    else if (wholly) departed.add(fingerprint);
    else if (now > 0 && contexts !== undefined)
      addTo(nameChanges, fingerprint, (names) => withName(names, name, workloadsOf(type, name, contexts)));
  }
  const renamed = [...nameChanges].map(([fingerprint, own]): [string, NameChange] => [
    fingerprint,
    (names) => own.reduce((current, change) => change(current), names),
  ]);
  return {
    snapshot,
    at,
    isBaseline,
    isAfresh: afresh !== undefined,
    started: [...arrivals].map(
      ([fingerprint, own]) =>
        () =>
          startedArtifact(type, fingerprint, own),
    ),
    departed: afresh === undefined ? [...departed] : [],
    renamed: new Map(renamed),
  };
}

function startedArtifact(
  type: EnvironmentType,
  fingerprint: string,
  changes: readonly SnapshotChange[],
): StartedArtifact {
  const sorted = changes.toSorted((a, b) => a.since.deployedAt - b.since.deployedAt || byKey(a, b));
  const names = sorted
    .slice(0, NAMES_MAX)
    .map(({ name, contexts }) => [name, workloadsOf(type, name, contexts)] as const);
  return { fingerprint, names, deployedAt: sorted[0]?.since.deployedAt ?? 0 };
}

export function isSameNames(a: Names, b: Names): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function withName(names: Names, name: string, workloads: readonly string[]): Names {
  const place = names.findIndex(([own]) => own === name);
  if (place === -1 && names.length >= NAMES_MAX) return names;
  return place === -1 ? [...names, [name, workloads]] : names.with(place, [name, workloads]);
}
