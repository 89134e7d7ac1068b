import type { StreamPosition } from '@assurance/storage-ports';
import type { MatchedVulnerability, VulnerabilityKnowledge } from '../domain/vulnerable';

/** What tells the vulnerabilities of components: `@Inject(KNOWN_VULNERABILITIES) vulnerabilities: KnownVulnerabilities`. Vulnerabilities provide it. */
export const KNOWN_VULNERABILITIES = Symbol('known-vulnerabilities');

/** What bills of materials of an artifact list. */
export interface ListedArtifact {
  readonly fingerprint: string;
  /** Digests of the parts of the lists of components. */
  readonly parts: readonly string[];
  /** The commits that list them. */
  readonly places: readonly StreamPosition[];
  /** The commits with reports of scanners on it. */
  readonly scans: readonly StreamPosition[];
}

/** The vulnerabilities of an artifact, without those that a VEX statement takes out. */
export interface ArtifactVulnerabilities {
  readonly knowledge: VulnerabilityKnowledge;
  readonly vulnerabilities: readonly MatchedVulnerability[];
}

export interface KnownVulnerabilities {
  /** Which entries and statements an answer is made of: what is made of others may differ. */
  revision(org: string): Promise<string>;

  /**
   * Whether all components are compared with the entries up to a commit of an organization's imports. Waits some time until they are.
   *
   * @param seq of the commit
   */
  hasCompared(org: string, seq: number): Promise<boolean>;

  /** The vulnerabilities of artifacts, in their order. */
  of(org: string, artifacts: readonly ListedArtifact[]): Promise<readonly ArtifactVulnerabilities[]>;
}
