import type { EnvironmentType, SnapshotChange, SnapshotRecorded } from '@assurance/contracts/environments/events';
import { byKey } from '@assurance/environments/domain/runs';
import { addTo } from '@assurance/kernel';
import type { Appearance } from './deployment';
import { workloadsOf } from './workloads';

export type Names = Appearance['names'];

/** The whole artifacts that a snapshot starts and ends, by fingerprint, and the names and workloads that it tells of others. */
export interface ArtifactChanges {
  /** The changes of each artifact that starts, earliest instance first. */
  readonly started: ReadonlyMap<string, readonly SnapshotChange[]>;
  readonly departed: ReadonlyMap<string, readonly SnapshotChange[]>;
  /** The names after the snapshot of artifacts that keep running. */
  readonly renamed: ReadonlyMap<string, Names>;
}

/**
 * Sorts the changes of a snapshot by artifact.
 *
 * @param namesOf the names of a running artifact before the snapshot; undefined if it does not run
 */
export function artifactChanges(
  { type, changes, refreshed, afresh }: SnapshotRecorded['data'],
  namesOf: (fingerprint: string) => Names | undefined,
): ArtifactChanges {
  const [started, departed] = [new Map<string, SnapshotChange[]>(), new Map<string, SnapshotChange[]>()];
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
  for (const change of changes) {
    const { fingerprint, name, wholly, now, contexts } = change;
    if (wholly) addTo(now > 0 ? started : departed, fingerprint, change);
    else if (now > 0 && contexts !== undefined) {
      const names = current(fingerprint);
      if (names !== undefined) renamed.set(fingerprint, withName(names, name, workloadsOf(type, name, contexts)));
    }
  }
  // Where reports begin afresh, the same artifact may leave and start.
  for (const own of started.values()) own.sort((a, b) => a.since.deployedAt - b.since.deployedAt || byKey(a, b));
  return { started, departed: afresh === undefined ? departed : new Map(), renamed };
}

/** The names of an artifact that starts. */
export function namesOfStart(type: EnvironmentType, changes: readonly SnapshotChange[]): Names {
  return changes.map(({ name, contexts }) => [name, workloadsOf(type, name, contexts)]);
}

export function isSameNames(a: Names, b: Names): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function withName(names: Names, name: string, workloads: readonly string[]): Names {
  const place = names.findIndex(([own]) => own === name);
  return place === -1 ? [...names, [name, workloads]] : names.with(place, [name, workloads]);
}
