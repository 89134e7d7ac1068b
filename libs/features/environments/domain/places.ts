import type { Running } from '@assurance/contracts/environments/documents';
import type { ArtifactKey } from '@assurance/contracts/environments/events';
import type { Provenance } from '@assurance/contracts/flows/events';
import { groupBy } from '@assurance/kernel';
import { baseName, type Origin, type LineArtifact } from './artifact-line';
import { matchReplacements } from './replaced';
import { byKey, keyText } from './runs';

/** An artifact that leaves, and where it comes from. */
export interface Departure extends Running {
  readonly origin: Origin | null;
}

/** An artifact that starts, and where it comes from. */
export interface Arrival extends ArtifactKey {
  /** Epoch seconds. */
  readonly deployedAt: number;
  readonly origin: Origin | null;
}

/** Where an artifact comes from, by its provenance, first report first. */
export function originOf([first]: readonly Provenance[]): Origin | null {
  return first === undefined ? null : { flow: first.flow.id, template: first.template, repo: first.repo?.id ?? null };
}

/** The places that became free in a snapshot, and the artifacts that take them by the rule of `replaced.ts`. All names of a fingerprint are replaced together. */
export class FreePlaces {
  /** What each arriving fingerprint replaces, under all its names. */
  private readonly replacedByFingerprint = new Map<string, readonly Departure[]>();
  private readonly occupiedPlaces = new Set<string>();

  constructor(departures: ReplacementCandidates<Departure>, come: ReplacementCandidates<Arrival>) {
    for (const [{ names }, { fingerprint }] of matchReplacements(departures, come))
      this.replacedByFingerprint.set(fingerprint, names);
  }

  /**
   * The artifact that an arriving artifact replaces; null if it replaces none. If the replaced fingerprint had several names, an arrival
   * gets the place under its own name, then a free one under the same name without its tag, then any free one.
   */
  take({ fingerprint, name }: ArtifactKey): Departure | null {
    const names = this.replacedByFingerprint.get(fingerprint);
    if (names === undefined) return null;
    const free = names.filter((departure) => !this.occupiedPlaces.has(keyText(departure)));
    const base = baseName(name);
    const place =
      names.find((departure) => departure.name === name) ??
      free.find((departure) => baseName(departure.name) === base) ??
      free[0] ??
      names[0] ??
      null;
    if (place !== null) this.occupiedPlaces.add(keyText(place));
    return place;
  }
}

/** Artifacts with a fingerprint that no longer runs under any name. A fingerprint that still runs leaves no place. */
export function departedCandidates(departures: readonly Departure[]): ReplacementCandidates<Departure> {
  return byFingerprint(departures, ({ since }) => since);
}

/** Artifacts with a fingerprint that did not run under any name before. */
export function arrivedCandidates(arrivals: readonly Arrival[]): ReplacementCandidates<Arrival> {
  return byFingerprint(arrivals, ({ deployedAt }) => ({ snapshot: 0, deployedAt }));
}

type ReplacementCandidates<T> = readonly (LineArtifact & {
  readonly fingerprint: string;
  readonly names: readonly T[];
})[];

/** One entry for each fingerprint, under the name of its earliest instance, newest start first. */
function byFingerprint<T extends ArtifactKey & { readonly origin: Origin | null }>(
  artifacts: readonly T[],
  startOf: (artifact: T) => { readonly snapshot: number; readonly deployedAt: number },
): ReplacementCandidates<T> {
  const entries = [...groupBy(artifacts, (artifact) => artifact.fingerprint)].map(([fingerprint, names]) => {
    const [first] = names.sort((a, b) => startOf(a).deployedAt - startOf(b).deployedAt || byKey(a, b));
    return { fingerprint, names, base: baseName(first.name), origin: first.origin, start: startOf(first) };
  });
  return entries.sort(
    (a, b) =>
      b.start.snapshot - a.start.snapshot ||
      b.start.deployedAt - a.start.deployedAt ||
      (a.fingerprint < b.fingerprint ? -1 : 1),
  );
}
