import type { StreamPosition } from '@assurance/storage-ports';
import type { MatchedVulnerability, VulnerabilityKnowledge } from '../domain/vulnerable';

/** A port that the feature `vulnerabilities` provides: `@Inject(KNOWN_VULNERABILITIES) vulnerabilities: KnownVulnerabilities`. */
export const KNOWN_VULNERABILITIES = Symbol('known-vulnerabilities');

/** The content of the bills of materials of an artifact. */
export interface ListedArtifact {
  readonly fingerprint: string;
  /** Digests of the parts of the lists of components. */
  readonly parts: readonly string[];
  /** The commits that list them. */
  readonly places: readonly StreamPosition[];
  /** The commits with scan reports about it. */
  readonly scans: readonly StreamPosition[];
  /** Names by which VEX statements know it, from its bills of materials. */
  readonly roots: readonly string[];
}

/** The vulnerabilities of an artifact, without those that a VEX statement excludes. */
export interface ArtifactVulnerabilities {
  readonly knowledge: VulnerabilityKnowledge;
  readonly vulnerabilities: readonly MatchedVulnerability[];
}

export interface KnownVulnerabilities {
  /** Identifies the entries and statements that a result depends on. A result with another revision may differ. */
  revision(org: string): Promise<string>;

  /**
   * Whether all components are compared with the entries up to a commit of an organization's imports. It waits some time for that.
   *
   * @param seq of the commit
   */
  hasCompared(org: string, seq: number): Promise<boolean>;

  /** The vulnerabilities of artifacts, in their order. */
  of(org: string, artifacts: readonly ListedArtifact[]): Promise<readonly ArtifactVulnerabilities[]>;
}
