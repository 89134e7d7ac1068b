import type { Retained } from '@assurance/contracts/audit/events';
import type { DropInfo, Retention } from './retention-state';

/** Where and when a record was made. */
export interface DropPlace {
  /** Integer milliseconds. */
  readonly at: number;
  /** Id of the flow and name of the trail. Snapshots have neither, because no hold protects them. */
  readonly flow?: string;
  readonly trail?: string;
}

/** Returns the rule by which data was dropped, or null if the data is kept. What was recorded about the data always stays. */
export function droppedBy(
  state: Pick<Retention, 'dropped' | 'holds'> | null,
  kind: Retained,
  { at, flow, trail }: DropPlace,
): DropInfo | null {
  if (state === null) return null;
  const rule = state.dropped[kind].find(({ before }) => at < before) ?? null;
  if (rule === null || flow === undefined) return rule;
  return at >= protectedFrom(state, kind, { flow, trail: trail ?? null }) ? null : rule;
}

/**
 * Returns the time from which holds protect a trail (integer milliseconds), or Infinity if none does. A hold on a flow protects all of its trails.
 */
export function protectedFrom(
  { holds }: Pick<Retention, 'holds'>,
  kind: Retained,
  { flow, trail }: { readonly flow: string; readonly trail: string | null },
): number {
  const keys = trail === null ? [flow] : [flow, `${flow}/${trail}`];
  const all = keys.flatMap((key) => (Object.hasOwn(holds, key) ? (holds[key]?.keptFrom[kind] ?? []) : []));
  return Math.min(...all);
}
