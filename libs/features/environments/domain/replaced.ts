import { type LineArtifact, templateOf } from './artifact-line';

/**
 * The rule for replacements in a snapshot: an artifact of the same line replaces an artifact that left in the same snapshot. Each artifact
 * is replaced by at most one and replaces at most one. The same base name has priority over the same template name, and newer artifacts
 * have priority over older ones.
 *
 * @param departed newest start first
 * @param arrived newest start first
 * @returns the replacement of each artifact that left and was replaced
 */
export function matchReplacements<Departed extends LineArtifact, Arrived extends LineArtifact>(
  departed: readonly Departed[],
  arrived: readonly Arrived[],
): ReadonlyMap<Departed, Arrived> {
  if (departed.length === 0) return new Map();
  const free = new UnmatchedArrivals(arrived);
  const replacements = new Map<Departed, Arrived>();
  for (const take of [free.byName, free.byTemplate]) {
    for (const departure of departed) {
      const next = replacements.has(departure) ? undefined : take.call(free, departure);
      if (next !== undefined) replacements.set(departure, next);
    }
  }
  return replacements;
}

/** Arrivals that have not replaced an artifact yet, indexed by key, because thousands may leave and arrive at once. */
class UnmatchedArrivals<Arrived extends LineArtifact> {
  private readonly queues = new Map<string, { readonly items: [place: number, arrived: Arrived][]; next: number }>();
  private readonly matched = new Set<Arrived>();

  constructor(arrived: readonly Arrived[]) {
    for (const [place, candidate] of arrived.entries()) {
      const [repo, template] = [candidate.origin?.repo ?? null, templateOf(candidate)];
      this.put(`name\n${candidate.base}`, place, candidate);
      this.put(repo === null ? `unknown\n${candidate.base}` : `repo\n${repo}\n${candidate.base}`, place, candidate);
      if (template !== null) this.put(`template\n${template}`, place, candidate);
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

  private put(key: string, place: number, arrived: Arrived): void {
    const queue = this.queues.get(key) ?? { items: [], next: 0 };
    this.queues.set(key, queue);
    queue.items.push([place, arrived]);
  }

  private takeFirst(...keys: readonly string[]): Arrived | undefined {
    const firsts = keys.flatMap((key) => this.headOf(key) ?? []);
    if (firsts.length === 0) return undefined;
    const [, first] = firsts.reduce((least, head) => (head[0] < least[0] ? head : least));
    this.matched.add(first);
    return first;
  }

  private headOf(key: string): [[place: number, arrived: Arrived]] | undefined {
    const queue = this.queues.get(key);
    if (queue === undefined) return undefined;
    for (; queue.next < queue.items.length; queue.next += 1) {
      const head = queue.items[queue.next];
      if (head !== undefined && !this.matched.has(head[1])) return [head];
    }
    return undefined;
  }
}
