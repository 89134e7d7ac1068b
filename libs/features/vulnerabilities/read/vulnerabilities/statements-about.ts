import type { VexStatement } from '@assurance/contracts/vulnerabilities/events';
import { canonicalJson, compareTexts, getOrInsert, sha256 } from '@assurance/kernel';
import type { VexStates } from './vex-states';

/** A VEX statement about a vulnerability of an artifact. */
export interface ArtifactStatement {
  readonly fingerprint: string;
  /** The preferred name of the vulnerability, and its other names. */
  readonly id: string;
  readonly aliases: readonly string[];
  readonly statement: VexStatement;
  /** SHA-256 of the canonical JSON of the statement. */
  readonly digest: string;
  /** The newest commit of imports that contains it. */
  readonly seq: number;
  /** Package URLs of the components of the artifact that the statement is about, ascending. */
  readonly components: readonly string[];
  /** The components for which a later statement replaces this one, with the same or another status. */
  readonly replaced: readonly string[];
}

/** Statements about vulnerabilities of artifacts, sorted by artifact, then by vulnerability, then latest first. */
export interface ArtifactStatements {
  /** Whether the list is complete. Artifacts that are not compared yet are left out, and statements beyond the limit. */
  readonly isComplete: boolean;
  readonly statements: readonly ArtifactStatement[];
}

type CollectedStatement = Omit<ArtifactStatement, 'components' | 'replaced'> & {
  readonly components: Set<string>;
  readonly replaced: Set<string>;
};

/** Collects the statements about vulnerabilities of artifacts. */
export class StatementsAbout {
  private readonly byArtifact = new Map<string, Map<string, CollectedStatement>>();
  private readonly digests = new WeakMap<VexStatement, string>();
  private isComplete = true;

  /** @param left for how many components statements are listed; a component counts once for each statement */
  constructor(private left: number) {}

  /** Records that something is left out. */
  leaveOut(): void {
    this.isComplete = false;
  }

  /** Adds the statements about a vulnerability of a component of an artifact. */
  add(
    fingerprint: string,
    purl: string,
    { id, aliases, states }: { readonly id: string; readonly aliases: readonly string[]; readonly states: VexStates },
  ): void {
    if (states.isEmpty) return;
    const latest = states.of(fingerprint, purl);
    if (latest === null) return;
    const holding = this.digestOf(latest);
    const own = getOrInsert(this.byArtifact, fingerprint, () => new Map<string, CollectedStatement>());
    for (const { statement, seq } of states.about(fingerprint, purl)) {
      const digest = this.digestOf(statement);
      const key = `${id} ${digest}`;
      let collected = own.get(key);
      if (collected?.components.has(purl) === true) continue;
      if (this.left === 0) return this.leaveOut();
      this.left -= 1;
      if (collected === undefined) {
        collected = { fingerprint, id, aliases, statement, digest, seq, components: new Set(), replaced: new Set() };
        own.set(key, collected);
      }
      collected.components.add(purl);
      if (digest !== holding) collected.replaced.add(purl);
    }
  }

  get answer(): ArtifactStatements {
    const statements = [...this.byArtifact.values()].flatMap((own) =>
      [...own.values()].sort(inOrder).map((one) => ({
        ...one,
        components: [...one.components].sort(),
        replaced: [...one.replaced].sort(),
      })),
    );
    return { isComplete: this.isComplete, statements };
  }

  private digestOf(statement: VexStatement): string {
    return getOrInsert(this.digests, statement, () => sha256(canonicalJson(statement)));
  }
}

function inOrder(a: CollectedStatement, b: CollectedStatement): number {
  const later = (b.statement.at ?? 0) - (a.statement.at ?? 0) || b.seq - a.seq;
  return compareTexts(a.id, b.id) || later || compareTexts(a.digest, b.digest);
}
