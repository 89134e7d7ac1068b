import type { Provenance } from '@assurance/contracts-events';
import { baseName, byKey, keyText, type Origin, type Placed, replacedBy, type Running } from '@assurance/model';

/** An artifact that leaves, and where it comes from. */
export interface Departed extends Running {
  readonly origin: Origin | null;
}

/** Where an artifact comes from, by its provenance, first report first. */
export function originOf([first]: readonly Provenance[]): Origin | null {
  return first === undefined ? null : { flow: first.flow.id, template: first.template, repo: first.repo?.id ?? null };
}

/** The places that became free in a snapshot, found by key: thousands may leave and arrive at once. */
export class FreePlaces {
  private readonly newestAs = new Map<string, Departed>();
  private readonly names = new Map<string, Departed[]>();
  private readonly taken = new Set<string>();

  /** @param departed artifacts whose fingerprint runs under no name any more: what still runs left no place */
  constructor(departed: readonly Departed[]) {
    const newestFirst = [...departed].sort((a, b) => b.since.snapshot - a.since.snapshot || byKey(a, b));
    for (const left of newestFirst) {
      for (const key of placesOf(left)) if (!this.newestAs.has(key)) this.newestAs.set(key, left);
      const names = this.names.get(left.fingerprint);
      if (names === undefined) this.names.set(left.fingerprint, [left]);
      else names.push(left);
    }
  }

  /**
   * Whose place an arriving artifact takes, by the one rule; null when it takes none. What left under several names gives each arrival
   * the place of its own name, else one that nobody has yet, before all under the same name without its tag.
   */
  take(arrived: Placed): Departed | null {
    const candidates = placesOf(arrived).flatMap((key) => this.newestAs.get(key) ?? []);
    const found = replacedBy(arrived, candidates);
    if (found === null) return null;
    const names = this.names.get(found.fingerprint) ?? [];
    const free = names.filter((left) => !this.taken.has(keyText(left)));
    const base = baseName(arrived.name);
    const place =
      names.find(({ name }) => name === arrived.name) ??
      free.find(({ name }) => baseName(name) === base) ??
      free[0] ??
      found;
    this.taken.add(keyText(place));
    return place;
  }
}

/** The values that the rule compares, as keys. */
function placesOf({ name, origin }: Placed): string[] {
  if (origin === null) return [];
  const { flow, template, repo } = origin;
  return [
    ...(template === null ? [] : [`template\n${flow}\n${template}`]),
    ...(repo === null ? [] : [`name\n${repo}\n${baseName(name)}`]),
  ];
}
