import type { AggregateState } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import type { Policy } from '@assurance/contracts/policies/documents';
import type { PolicyRules } from '@assurance/contracts/policies/events';
import type { Clock } from '@assurance/event-sourcing/tokens';
import { BytesCache } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import { endsOf, rulesAt } from '../domain/exceptions';
import { policy, policyVersionId, policyVersions } from '../domain/policy';

/** A stored version of a policy. The judging thread parses its rules. */
interface PolicyVersion {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly rules: PolicyRules;
}

/** The newest version of a policy, with the seq of the commit that made it. Its rules leave out exceptions that have ended. */
export interface PolicyInForce extends PolicyVersion {
  readonly seq: number;
  /** The number of distinct times at which exceptions have ended. */
  readonly ended: number;
}

/** How many bytes of versions are cached. The least recently used are dropped first. */
const BYTES_MAX = 16 * 1024 * 1024;

/** Reads policies in their newest versions, from aggregate states. */
export class PoliciesInForce {
  /** Versions never change, so cached ones stay valid. */
  private readonly cache: BytesCache<PolicyVersion>;
  private readonly currentRules = new WeakMap<PolicyRules, Pick<PolicyInForce, 'rules' | 'ended'>>();

  constructor(
    private readonly documents: Documents,
    private readonly clock: Pick<Clock, 'now'>,
    maxBytes = BYTES_MAX,
  ) {
    this.cache = new BytesCache(maxBytes);
  }

  /**
   * @param ids at most 1,000; unknown ids are skipped
   * @returns in the order of the ids
   */
  async of(ids: readonly string[]): Promise<PolicyInForce[]> {
    if (ids.length === 0) return [];
    const states = await this.documents.collection(policy.states).getMany(ids.map(streams.policy));
    const results = ids.flatMap((id) => states.get(streams.policy(id)) ?? []);
    const read = await this.versions(results);
    const now = this.clock.now();
    return results.flatMap((state) => {
      const judgingVersion = read.get(policyVersionId(state.id, state.version));
      if (judgingVersion === undefined) return [];
      return { ...judgingVersion, name: state.name, seq: state.seq, ...this.current(judgingVersion.rules, now) };
    });
  }

  /** Equal times give the same object, because other caches use it as their key. */
  private current(rules: PolicyRules, now: number): Pick<PolicyInForce, 'rules' | 'ended'> {
    const endedCount = endsOf(rules).filter((end) => end <= now).length;
    if (endedCount === 0) return { rules, ended: endedCount };
    const last = this.currentRules.get(rules);
    if (last?.ended === endedCount) return last;
    const current = { rules: rulesAt(rules, now), ended: endedCount };
    this.currentRules.set(rules, current);
    return current;
  }

  private async versions(states: readonly AggregateState<Policy>[]): Promise<ReadonlyMap<string, PolicyVersion>> {
    const results = new Map<string, PolicyVersion>();
    const missingPolicies = new Map<string, AggregateState<Policy>>();
    for (const state of states) {
      const id = policyVersionId(state.id, state.version);
      const version = this.cache.get(id);
      if (version === undefined) missingPolicies.set(id, state);
      else results.set(id, version);
    }
    if (missingPolicies.size === 0) return results;
    for (const [id, { policy: of, version, rules }] of await this.documents
      .collection(policyVersions)
      .getMany([...missingPolicies.keys()])) {
      const judgingPolicy = { id: of, name: missingPolicies.get(id)?.name ?? '', version, rules };
      this.cache.set(id, judgingPolicy);
      results.set(id, judgingPolicy);
    }
    return results;
  }
}
