import type { Policy } from '@assurance/contracts/policies/documents';
import type { PolicyExceptionsEnded, PolicyRules } from '@assurance/contracts/policies/events';
import { accepted, type Decision, noChange } from '@assurance/kernel';
import { endsOf } from './exceptions';

/** What is known when exceptions of a policy may have ended. */
export interface EndFacts {
  /** The rules of the newest version. */
  readonly rules: PolicyRules;
  /** The end for which it waits (integer milliseconds); null where nothing waits. */
  readonly due: number | null;
  /** Integer milliseconds. */
  readonly at: number;
}

/** Records that exceptions have ended, once for all whose end has come. */
export function decideEndExceptions(
  state: Policy | null,
  { rules, due, at }: EndFacts,
): Decision<PolicyExceptionsEnded, never> {
  if (state === null || due === null || due > at) return noChange;
  const ends = endsOf(rules);
  const data = {
    version: state.version,
    until: ends.findLast((end) => end <= at) ?? due,
    next: ends.find((end) => end > at) ?? null,
  };
  return accepted({ type: 'PolicyExceptionsEnded', version: 1, data });
}
