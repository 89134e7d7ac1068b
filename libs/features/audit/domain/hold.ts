import type { HoldPlaced, HoldReleased, HoldScope } from '@assurance/contracts/audit/events';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { holdKey } from '@assurance/evidence/domain/retention';
import type { Hold, Retention } from '@assurance/evidence/domain/retention-state';
import { accepted, type Decision, noChange, refused } from '@assurance/kernel';

/** The most holds of an organization, including released ones until the next drop. */
export const HOLDS_MAX = 1_000;

/** Protects a flow or a trail from retention. Repeating it with the same reason changes nothing. */
export function decidePlaceHold(
  state: Retention | null,
  input: HoldScope & { readonly reason: string },
): Decision<HoldPlaced, FeatureRefusal<'too-many-holds'>> {
  const before = holdOf(state, input);
  if (before?.released === false && before.reason === input.reason) return noChange;
  if (before === undefined && Object.keys(state?.holds ?? {}).length >= HOLDS_MAX)
    return refused({ kind: 'too-many-holds', limit: HOLDS_MAX });
  const { flow, trail, reason } = input;
  return accepted({ type: 'HoldPlaced', version: 1, data: { flow, trail, reason } });
}

/** @param scope.shown the name that the caller used */
export function decideReleaseHold(
  state: Retention | null,
  { flow, trail, shown }: HoldScope & { readonly shown: string },
): Decision<HoldReleased, FeatureRefusal<'hold-unknown'>> {
  const before = holdOf(state, { flow, trail });
  if (before === undefined) return refused({ kind: 'hold-unknown', scope: shown });
  return before.released ? noChange : accepted({ type: 'HoldReleased', version: 1, data: { flow, trail } });
}

function holdOf(state: Retention | null, scope: HoldScope): Hold | undefined {
  const key = holdKey(scope);
  return state !== null && Object.hasOwn(state.holds, key) ? state.holds[key] : undefined;
}
