import type { Running } from '@assurance/contracts/environments/documents';
import type { ArtifactKey } from '@assurance/contracts/environments/events';
import type { Provenance } from '@assurance/contracts/flows/events';
import { grouped } from '@assurance/kernel';
import { baseName, type Origin, type Placed } from './line';
import { replacementsIn } from './replaced';
import { byKey, keyText } from './runs';

/** An artifact that leaves, and where it comes from. */
export interface Departed extends Running {
  readonly origin: Origin | null;
}

/** An artifact that starts, and where it comes from. */
export interface Arrived extends ArtifactKey {
  /** Epoch seconds. */
  readonly deployedAt: number;
  readonly origin: Origin | null;
}

/** Where an artifact comes from, by its provenance, first report first. */
export function originOf([first]: readonly Provenance[]): Origin | null {
  return first === undefined ? null : { flow: first.flow.id, template: first.template, repo: first.repo?.id ?? null };
}

/** The places that became free in a snapshot, and who takes them by the one rule. A fingerprint comes and goes under all its names at once. */
export class FreePlaces {
  /** What each arriving fingerprint replaces, under all its names. */
  private readonly replaced = new Map<string, readonly Departed[]>();
  private readonly taken = new Set<string>();

  constructor(left: Placing<Departed>, come: Placing<Arrived>) {
    for (const [{ names }, { fingerprint }] of replacementsIn(left, come)) this.replaced.set(fingerprint, names);
  }

  /**
   * Whose place an arriving artifact takes; null when it takes none. What left under several names gives each arrival the place of its own name, else
   * one that nobody has yet, before all under the same name without its tag.
   */
  take({ fingerprint, name }: ArtifactKey): Departed | null {
    const names = this.replaced.get(fingerprint);
    if (names === undefined) return null;
    const free = names.filter((left) => !this.taken.has(keyText(left)));
    const base = baseName(name);
    const place =
      names.find((left) => left.name === name) ??
      free.find((left) => baseName(left.name) === base) ??
      free[0] ??
      names[0] ??
      null;
    if (place !== null) this.taken.add(keyText(place));
    return place;
  }
}

/** Artifacts whose fingerprint runs under no name any more: what still runs left no place. */
export function placesLeft(departed: readonly Departed[]): Placing<Departed> {
  return byFingerprint(departed, ({ since }) => since);
}

/** Artifacts whose fingerprint ran under no name before. */
export function placesSought(arrived: readonly Arrived[]): Placing<Arrived> {
  return byFingerprint(arrived, ({ deployedAt }) => ({ snapshot: 0, deployedAt }));
}

type Placing<T> = readonly (Placed & { readonly fingerprint: string; readonly names: readonly T[] })[];

/** One entry a fingerprint, under the name of its earliest instance: newest start first. */
function byFingerprint<T extends ArtifactKey & { readonly origin: Origin | null }>(
  artifacts: readonly T[],
  startOf: (artifact: T) => { readonly snapshot: number; readonly deployedAt: number },
): Placing<T> {
  const entries = [...grouped(artifacts, (artifact) => artifact.fingerprint)].map(([fingerprint, names]) => {
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
