import type { Retained } from '@assurance/contracts/audit/events';
import type { DropInfo, Hold, Retention } from './retention-state';

/** Where and when a record was made. */
export interface DropPlace {
  /** Integer milliseconds. */
  readonly at: number;
  /** Id of the flow and name of the trail. Snapshots have neither, because no hold protects them. */
  readonly flow?: string;
  readonly trail?: string;
}

type DropState = Pick<Retention, 'dropped' | 'holds'>;
type HoldState = Pick<Retention, 'holds'>;
interface Scope {
  readonly flow: string;
  readonly trail: string | null;
}

/** Returns the rule by which data was dropped, or null if the data is kept. What was recorded about the data always stays. */
export function droppedBy(state: DropState | null, kind: Retained, place: DropPlace): DropInfo | null {
  return ruleOf(state, kind, place, (now, scope) =>
    Math.min(...holdsOn(now, scope).map((hold) => hold.keptFrom[kind])),
  );
}

/**
 * Returns the rule by which data may be gone, or null if it is there. A hold protects data that is dropped and not removed yet, so of data that was
 * dropped before the hold was placed only the storage knows whether it is there.
 */
export function mayBeGone(state: DropState | null, kind: Retained, place: DropPlace): DropInfo | null {
  return ruleOf(state, kind, place, (now, scope) => keptForSureFrom(now, kind, scope));
}

/** Returns the time from which holds kept all data of a trail (integer milliseconds), or Infinity without a hold. */
export function keptForSureFrom(state: HoldState, kind: Retained, scope: Scope): number {
  return Math.min(...holdsOn(state, scope).map((hold) => hold.goneBefore[kind]));
}

/** @param keptFrom the time from which holds keep data of a trail (integer milliseconds) */
function ruleOf(
  state: DropState | null,
  kind: Retained,
  { at, flow, trail }: DropPlace,
  keptFrom: (state: HoldState, scope: Scope) => number,
): DropInfo | null {
  const rule = state?.dropped[kind].find(({ before }) => at < before) ?? null;
  if (state === null || rule === null || flow === undefined) return rule;
  return at >= keptFrom(state, { flow, trail: trail ?? null }) ? null : rule;
}

/** The holds that protect a trail. A hold on a flow protects all of its trails. */
function holdsOn({ holds }: HoldState, { flow, trail }: Scope): Hold[] {
  const keys = trail === null ? [flow] : [flow, `${flow}/${trail}`];
  return keys.flatMap((key) => (Object.hasOwn(holds, key) ? (holds[key] ?? []) : []));
}
