import { type LineArtifact, templateOf } from './artifact-line';

/**
 * The rule for replacements in a snapshot: an artifact of the same line replaces an artifact that left in the same snapshot. Each artifact
 * is replaced by at most one and replaces at most one. The same base name has priority over the same template name, and newer artifacts
 * have priority over older ones.
 *
 * @param departures newest start first
 * @param arrivals newest start first
 * @returns the replacement of each artifact that left and was replaced
 */
export function matchReplacements<Departed extends LineArtifact, Arrived extends LineArtifact>(
  departures: readonly Departed[],
  arrivals: readonly Arrived[],
): ReadonlyMap<Departed, Arrived> {
  if (departures.length === 0) return new Map();
  const free = new UnmatchedArrivals(arrivals);
  const replacements = new Map<Departed, Arrived>();
  for (const take of [free.byName, free.byTemplate]) {
    for (const departure of departures) {
      const next = replacements.has(departure) ? undefined : take.call(free, departure);
      if (next !== undefined) replacements.set(departure, next);
    }
  }
  return replacements;
}

/** Arrivals that have not replaced an artifact yet, indexed by key, because thousands may leave and arrive at once. */
class UnmatchedArrivals<Arrived extends LineArtifact> {
  /** The places in `arrivals` by key, ascending. */
  private readonly queues = new Map<string, { readonly places: number[]; next: number }>();
  private readonly matchedPlaces = new Set<number>();

  constructor(private readonly arrivals: readonly Arrived[]) {
    for (const [place, candidate] of arrivals.entries()) {
      const [repo, template] = [candidate.origin?.repo ?? null, templateOf(candidate)];
      this.put(`name\n${candidate.base}`, place);
      this.put(repo === null ? `unknown\n${candidate.base}` : `repo\n${repo}\n${candidate.base}`, place);
      if (template !== null) this.put(`template\n${template}`, place);
    }
  }

  /** The newest of the same line with the same base name. */
  byName({ base, origin }: LineArtifact): Arrived | undefined {
    if (base === '') return undefined;
    const repo = origin?.repo ?? null;
    if (repo === null) return this.takeFirst(`name\n${base}`);
    return this.takeFirst(`repo\n${repo}\n${base}`, `unknown\n${base}`);
  }

  /** The newest with the same template name. */
  byTemplate(lineArtifact: LineArtifact): Arrived | undefined {
    const template = templateOf(lineArtifact);
    return template === null ? undefined : this.takeFirst(`template\n${template}`);
  }

  private put(key: string, place: number): void {
    const queue = this.queues.get(key);
    if (queue === undefined) this.queues.set(key, { places: [place], next: 0 });
    else queue.places.push(place);
  }

  private takeFirst(...keys: readonly string[]): Arrived | undefined {
    let first = Infinity;
    for (const key of keys) first = Math.min(first, this.headOf(key));
    if (first === Infinity) return undefined;
    this.matchedPlaces.add(first);
    return this.arrivals[first];
  }

  /** Infinity where none is left. */
  private headOf(key: string): number {
    const queue = this.queues.get(key);
    if (queue === undefined) return Infinity;
    for (; queue.next < queue.places.length; queue.next += 1) {
      const place = queue.places[queue.next] ?? Infinity;
      if (!this.matchedPlaces.has(place)) return place;
    }
    return Infinity;
  }
}
