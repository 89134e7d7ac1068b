import type { EncodedPolicies } from '@assurance/contracts/environments/events';
import type { EncodedVerdict, PolicyVerdict, Verdict } from '@assurance/contracts/policies/events';

/** Encodes the verdicts of one event. Many artifacts share large policy results, so each distinct result is stored once. */
export class VerdictEncoder {
  private readonly places = new Map<string, number>();
  /** Indexes by list object. Artifacts that were judged together share these objects, so their JSON text is made only once. */
  private readonly indexes = new Map<readonly PolicyVerdict[], number>();
  /** The distinct results of policies, in the order in which they were first seen. */
  readonly policies: (readonly PolicyVerdict[])[] = [];

  encode({ policies, ...verdict }: Verdict): EncodedVerdict {
    const cachedIndex = this.indexes.get(policies);
    if (cachedIndex !== undefined) return { ...verdict, policies: cachedIndex };
    const text = JSON.stringify(policies);
    const place = this.places.get(text) ?? this.policies.push(policies) - 1;
    this.places.set(text, place);
    this.indexes.set(policies, place);
    return { ...verdict, policies: place };
  }
}

/** Decodes a verdict of any version of its event. */
export function decodeVerdict({ policies }: EncodedPolicies, encoded: EncodedVerdict): Verdict {
  const verdicts = typeof encoded.policies === 'number' ? policies?.[encoded.policies] : encoded.policies;
  if (verdicts === undefined) throw new Error('an event names what policies came to and does not keep it');
  return { ...encoded, policies: verdicts };
}
