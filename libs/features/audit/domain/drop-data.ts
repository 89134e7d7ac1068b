import { type DropRule, type EvidenceDropped, RETAINED, type Retained } from '@assurance/contracts/audit/events';
import { droppedUntil, isInForce } from '@assurance/evidence/domain/retention';
import type { Retention } from '@assurance/evidence/domain/retention-state';
import { accepted, type Decision, noChange } from '@assurance/kernel';

const DAY_MS = 86_400_000;

/**
 * Decides which data is due to be dropped, in whole days (UTC), so that an organization gets at most one event a day.
 *
 * @param now integer milliseconds
 */
export function decideDrop(
  state: Retention | null,
  { now }: { readonly now: number },
): Decision<EvidenceDropped, never> {
  if (state === null) return noChange;
  const rules = RETAINED.flatMap((what) => dueOf(state, what, now) ?? []);
  const [first, ...more] = rules;
  if (first === undefined) return noChange;
  return accepted({ type: 'EvidenceDropped', version: 1, data: { rules: [first, ...more] } });
}

function dueOf(state: Retention, kind: Retained, now: number): DropRule | null {
  const days = state.days[kind];
  if (days === null) return null;
  const before = (Math.floor(now / DAY_MS) - days) * DAY_MS;
  const until = droppedUntil(state, kind);
  const released = Object.values(state.holds).some(
    (hold) => !isInForce(state, hold) && hold.keptFrom[kind] < Math.min(until, before),
  );
  if (released) return { what: kind, days, before, from: 0 };
  return before > until ? { what: kind, days, before, from: until } : null;
}
