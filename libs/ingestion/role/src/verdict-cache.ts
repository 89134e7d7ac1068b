import type { Verdict } from '@assurance/contracts-events';
import { forgetOldest } from '@assurance/kernel';
import type { JudgedArtifact } from '@assurance/model-policy';
import type { Evidence } from '@assurance/readers-evidence';
import type { StandardsInForce } from './judging';

/**
 * Verdicts by all that they follow from: versions of policies, and the commits that evidence reflects. So a verdict is never out of date, and
 * what did not move is not judged again, in whichever environment it runs.
 */
export class VerdictCache {
  private readonly known = new Map<string, Verdict>();

  /** @param most how many are remembered: those that were made last */
  constructor(private readonly most = 20_000) {}

  of(
    { policies, requireProvenance }: StandardsInForce,
    { fingerprint, name }: JudgedArtifact,
    known: readonly Pick<Evidence, 'flow' | 'stream' | 'seq'>[],
    isAllowed: boolean,
    make: () => Verdict,
  ): Verdict {
    const key = JSON.stringify([
      ...[fingerprint, name, isAllowed, requireProvenance],
      policies.map(({ id, name: called, version }) => [id, called, version]),
      known.map(({ flow, stream, seq }) => [flow.seq, stream, seq]),
    ]);
    const found = this.known.get(key);
    if (found !== undefined) return found;
    const made = make();
    this.known.set(key, made);
    forgetOldest(this.known, this.most);
    return made;
  }
}
