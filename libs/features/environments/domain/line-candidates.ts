import { type LineArtifact, templateOf } from './artifact-line';

/** Artifacts indexed by the keys of their lines, because thousands may be compared at once. What is added first has priority. */
export class LineCandidates<Candidate extends LineArtifact> {
  private readonly candidates: Candidate[] = [];
  /** The places in `candidates` by key, ascending. */
  private readonly queues = new Map<string, { readonly places: number[]; next: number }>();
  private readonly matchedPlaces = new Set<number>();

  add(candidate: Candidate): void {
    const place = this.candidates.push(candidate) - 1;
    const [repo, template] = [candidate.origin?.repo ?? null, templateOf(candidate)];
    this.put(`name\n${candidate.base}`, place);
    this.put(repo === null ? `unknown\n${candidate.base}` : `repo\n${repo}\n${candidate.base}`, place);
    if (template !== null) this.put(`template\n${template}`, place);
  }

  /** The first of the same line with the same base name that nothing took. No other call takes it again. */
  takeByName(artifact: LineArtifact): Candidate | undefined {
    return this.takeFirst(nameKeysOf(artifact));
  }

  /** The first with the same template name that nothing took. No other call takes it again. */
  takeByTemplate(artifact: LineArtifact): Candidate | undefined {
    return this.takeFirst(templateKeysOf(artifact));
  }

  /** The first of the same line, taken or not. The same base name has priority over the same template name. */
  find(artifact: LineArtifact): Candidate | undefined {
    for (const keys of [nameKeysOf(artifact), templateKeysOf(artifact)]) {
      const place = Math.min(...keys.map((key) => this.queues.get(key)?.places[0] ?? Infinity));
      if (place !== Infinity) return this.candidates[place];
    }
    return undefined;
  }

  private put(key: string, place: number): void {
    const queue = this.queues.get(key);
    if (queue === undefined) this.queues.set(key, { places: [place], next: 0 });
    else queue.places.push(place);
  }

  private takeFirst(keys: readonly string[]): Candidate | undefined {
    let first = Infinity;
    for (const key of keys) first = Math.min(first, this.headOf(key));
    if (first === Infinity) return undefined;
    this.matchedPlaces.add(first);
    return this.candidates[first];
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

function nameKeysOf({ base, origin }: LineArtifact): readonly string[] {
  if (base === '') return [];
  const repo = origin?.repo ?? null;
  return repo === null ? [`name\n${base}`] : [`repo\n${repo}\n${base}`, `unknown\n${base}`];
}

function templateKeysOf(artifact: LineArtifact): readonly string[] {
  const template = templateOf(artifact);
  return template === null ? [] : [`template\n${template}`];
}
