import { compareTexts } from '@assurance/kernel';
import type { LineArtifact } from './artifact-line';
import { LineCandidates } from './line-candidates';

/** How two sides differ in an artifact, in the order in which pairs are listed. */
export const PAIR_KINDS = ['changed', 'only_from', 'only_to', 'scaled', 'same'] as const;
export type PairKind = (typeof PAIR_KINDS)[number];

/** An artifact on one side of a comparison. */
export interface ComparedArtifact extends LineArtifact {
  /** The same text on both sides is the same artifact. */
  readonly key: string;
  readonly name: string;
  readonly instanceCount: number;
  /** Epoch seconds. */
  readonly startedAt: number;
}

/** An artifact of each side; null if the side runs nothing of its line. */
export interface Pair<Artifact> {
  readonly kind: PairKind;
  readonly from: Artifact | null;
  readonly to: Artifact | null;
}

/** One pass of a comparison: a step for each of some artifacts. Each step takes microseconds. */
interface Pass<Artifact> {
  readonly artifacts: () => readonly Artifact[];
  readonly step: (artifact: Artifact) => void;
}

/**
 * Compares all that runs on two sides. Each artifact is given once.
 *
 * - The same artifact on both sides is `same`, or `scaled` if it has other numbers of instances.
 * - Of the others, two of one line are `changed`: another version. Pairs are made best first over all artifacts: the same base name before
 *   the same template name, newer starts before older ones. Where a side has more versions of a line than the other, the rest is paired
 *   with the best of the other side once more, because it is another version too.
 * - An artifact is only on one side if nothing of its line runs on the other.
 */
export class SidePairing<Artifact extends ComparedArtifact> {
  private readonly pairs: Readonly<Record<PairKind, Pair<Artifact>[]>> = {
    changed: [],
    only_from: [],
    only_to: [],
    scaled: [],
    same: [],
  };
  /** What runs only in `from`, by key. */
  private readonly departures = new Map<string, Artifact>();
  private readonly arrivals: Artifact[] = [];
  private departed: readonly Artifact[] = [];
  private arrived: readonly Artifact[] = [];
  private readonly free = new LineCandidates<Artifact>();
  private readonly inFrom = new LineCandidates<Artifact>();
  private readonly inTo = new LineCandidates<Artifact>();
  private readonly matched = new Set<Artifact>();

  constructor(
    private readonly from: readonly Artifact[],
    private readonly to: readonly Artifact[],
  ) {}

  /** The work in order. Between two passes, and between two artifacts of a pass, others may use the thread. */
  readonly passes: readonly Pass<Artifact>[] = [
    { artifacts: () => this.from, step: (artifact) => this.departures.set(artifact.key, artifact) },
    { artifacts: () => this.to, step: (artifact) => this.recognize(artifact) },
    { artifacts: () => (this.arrived = this.arrivals.sort(byStart)), step: (artifact) => this.free.add(artifact) },
    {
      artifacts: () => (this.departed = [...this.departures.values()].sort(byStart)),
      step: (left) => this.match(left, this.free.takeByName(left)),
    },
    {
      artifacts: () => this.unmatched(this.departed),
      step: (left) => this.match(left, this.free.takeByTemplate(left)),
    },
    { artifacts: () => this.candidatesFor(this.departed, this.to), step: (artifact) => this.inTo.add(artifact) },
    { artifacts: () => this.candidatesFor(this.arrived, this.from), step: (artifact) => this.inFrom.add(artifact) },
    {
      artifacts: () => this.unmatched(this.departed),
      step: (left) => this.addRest('only_from', left, this.inTo.find(left)),
    },
    {
      artifacts: () => this.unmatched(this.arrived),
      step: (right) => this.addRest('only_to', this.inFrom.find(right), right),
    },
  ];

  /** How many pairs there are of each kind, after all passes. */
  counts(): Readonly<Record<PairKind, number>> {
    const { changed, only_from, only_to, scaled, same } = this.pairs;
    return {
      changed: changed.length,
      only_from: only_from.length,
      only_to: only_to.length,
      scaled: scaled.length,
      same: same.length,
    };
  }

  /** The pairs of a kind after all passes, by name. */
  pairsOf(kind: PairKind): readonly Pair<Artifact>[] {
    return this.pairs[kind].sort(byName);
  }

  private recognize(right: Artifact): void {
    const left = this.departures.get(right.key);
    if (left === undefined) this.arrivals.push(right);
    else this.add(left.instanceCount === right.instanceCount ? 'same' : 'scaled', left, right);
    this.departures.delete(right.key);
  }

  private match(left: Artifact, right: Artifact | undefined): void {
    if (right === undefined) return;
    this.matched.add(left).add(right);
    this.add('changed', left, right);
  }

  private addRest(kind: PairKind, left: Artifact | undefined, right: Artifact | undefined): void {
    this.add(left === undefined || right === undefined ? kind : 'changed', left, right);
  }

  private add(kind: PairKind, from: Artifact | undefined, to: Artifact | undefined): void {
    this.pairs[kind].push({ kind, from: from ?? null, to: to ?? null });
  }

  /** What is left is paired with the newest first. If nothing is left, nothing is sorted. */
  private candidatesFor(artifacts: readonly Artifact[], otherSide: readonly Artifact[]): readonly Artifact[] {
    return this.unmatched(artifacts).length === 0 ? [] : [...otherSide].sort(byStart);
  }

  private unmatched(artifacts: readonly Artifact[]): readonly Artifact[] {
    return artifacts.filter((artifact) => !this.matched.has(artifact));
  }
}

/** All pairs of two sides, in the order of kinds, then of names. */
export function pairSides<Artifact extends ComparedArtifact>(
  from: readonly Artifact[],
  to: readonly Artifact[],
): readonly Pair<Artifact>[] {
  const pairing = new SidePairing(from, to);
  for (const { artifacts, step } of pairing.passes) artifacts().forEach(step);
  return PAIR_KINDS.flatMap((kind) => pairing.pairsOf(kind));
}

/** Newest first. */
function byStart(a: ComparedArtifact, b: ComparedArtifact): number {
  return b.startedAt - a.startedAt || compareTexts(a.name, b.name) || compareTexts(a.key, b.key);
}

function byName({ from, to }: Pair<ComparedArtifact>, other: Pair<ComparedArtifact>): number {
  const [a, b] = [to ?? from, other.to ?? other.from];
  if (a === null || b === null) return 0;
  return (
    compareTexts(a.name, b.name) || compareTexts(a.key, b.key) || compareTexts(from?.key ?? '', other.from?.key ?? '')
  );
}
