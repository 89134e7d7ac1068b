import type { Retained } from '@assurance/contracts/audit/events';
import type { Retention } from './retention';

/** By which rule something was dropped. */
export interface DropInfo {
  readonly what: Retained;
  /** The rule: data older than this number of days is dropped. */
  readonly days: number;
  /** Integer milliseconds: what was recorded earlier, unless it was held. */
  readonly before: number;
  /** When the rule was last applied: integer milliseconds. */
  readonly at: number;
  /** Position of that event in the stream of the retention. */
  readonly seq: number;
}

/** Where and when something was recorded. */
export interface DropPlace {
  /** Integer milliseconds. */
  readonly at: number;
  /** Id of the flow and name of the trail; left out for snapshots, which no hold protects. */
  readonly flow?: string;
  readonly trail?: string;
}

/** By which rule something was dropped, null when it is kept. What was recorded of it stays in any case. */
export function droppedBy(
  state: Pick<Retention, 'dropped' | 'holds'> | null,
  what: Retained,
  { at, flow, trail }: DropPlace,
): DropInfo | null {
  if (state === null) return null;
  const rule = state.dropped[what].find(({ before }) => at < before) ?? null;
  if (rule === null || flow === undefined) return rule;
  return at >= protectedFrom(state, what, { flow, trail: trail ?? null }) ? null : rule;
}

/** From when on holds protect a trail (integer milliseconds); Infinity where none does. A flow's holds protect all of its trails. */
export function protectedFrom(
  { holds }: Pick<Retention, 'holds'>,
  what: Retained,
  { flow, trail }: { readonly flow: string; readonly trail: string | null },
): number {
  const keys = trail === null ? [flow] : [flow, `${flow}/${trail}`];
  const all = keys.flatMap((key) => (Object.hasOwn(holds, key) ? (holds[key]?.keptFrom[what] ?? []) : []));
  return Math.min(...all);
}
