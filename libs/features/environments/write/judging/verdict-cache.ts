import { createHash } from 'node:crypto';
import type { Verdict } from '@assurance/contracts/policies/events';
import type { Evidence } from '@assurance/flows/lookups/evidence';
import { BytesCache, roughBytes } from '@assurance/kernel';
import type { JudgedArtifact } from '@assurance/policies/domain/judge';
import type { StandardsInForce } from './standards-in-force';

const BYTES_MAX = 64 * 1024 * 1024;

/** An artifact with all facts, other than the standards, that determine its verdict. */
export interface VerdictInput {
  readonly artifact: JudgedArtifact;
  /** First report first. */
  readonly evidence: readonly Evidence[];
  /** Whether it is on the allow-list. */
  readonly allowed: boolean;
}

/** The cache key of an artifact's verdict. */
type VerdictCacheKey = Omit<VerdictInput, 'evidence'> & {
  readonly evidence: readonly Pick<Evidence, 'flow' | 'stream' | 'seq'>[];
};

/** The verdicts under some standards. */
export interface StandardsVerdicts {
  get(key: VerdictCacheKey): Verdict | undefined;
  set(key: VerdictCacheKey, verdict: Verdict): void;
}

/** Caches verdicts by policy versions, by which exceptions of these have ended, by the commits of the evidence, and by the entries of databases of vulnerabilities, so that a cached verdict is never outdated. */
export class VerdictCache {
  private readonly cache: BytesCache<Verdict>;
  /** Results of policies that many verdicts share. The first one counts for all and is dropped first. */
  private readonly countedPolicies = new WeakSet<Verdict['policies']>();

  /** @param maxBytes how many bytes are cached; the oldest are dropped first */
  constructor(maxBytes = BYTES_MAX) {
    this.cache = new BytesCache(maxBytes, (verdict, key) => roughBytes(key) + this.bytesOf(verdict));
  }

  /** @param revision of the vulnerabilities that policies ask for; null where none does */
  forStandards({ policies, requireProvenance }: StandardsInForce, revision: string | null): StandardsVerdicts {
    const keyParts = [
      requireProvenance,
      revision,
      policies.map(({ id, name, version, ended }) => [id, name, version, ended]),
    ];
    const standards = createHash('sha256').update(JSON.stringify(keyParts)).digest('base64');
    const keyOf = ({ artifact: { fingerprint, name }, evidence, allowed }: VerdictCacheKey) =>
      JSON.stringify([
        standards,
        fingerprint,
        name,
        allowed,
        evidence.map(({ flow, stream, seq }) => [flow.seq, stream, seq]),
      ]);
    return {
      get: (key) => this.cache.peek(keyOf(key)),
      set: (key, verdict) => this.cache.set(keyOf(key), verdict),
    };
  }

  private bytesOf({ reasons, contexts, policies }: Verdict): number {
    const ownBytes = roughBytes([reasons, contexts]);
    if (this.countedPolicies.has(policies)) return ownBytes;
    this.countedPolicies.add(policies);
    return ownBytes + roughBytes(policies);
  }
}
