import type { Environment } from '@assurance/contracts/environments/documents';
import { readExpression, type SnapshotExpression } from './expression';
import { parseTime } from '@assurance/kernel';
import { parseTimeAgo } from './time-ago';
import { resolveExpression, snapshotAt, type SnapshotTimes } from './resolve';

/** One end of a range of snapshots. */
export type Bound = SnapshotExpression;

/** Snapshots from one to another, both included; null where that side is open. */
export interface Interval {
  readonly from: Bound | null;
  readonly to: Bound | null;
}

/** Indexes of snapshots, both included; empty when the first is after the last. */
export interface SnapshotRange {
  readonly first: number;
  readonly last: number;
}

/** The forms of an interval, for error texts. */
export const INTERVAL_FORMS = "such as '3..NOW', '~3..NOW', '1..2', '2.weeks.ago..NOW', '3' or 'NOW'";
export const BOUND_FORMS = "such as '3', '~3', 'NOW', '1hour' or '2.weeks.ago'";

/**
 * Reads `3..NOW`, `~3..NOW`, `1..2`, `2.weeks.ago..NOW`; one bound alone means that snapshot.
 *
 * @param now integer milliseconds
 * @returns null for anything else, and for an interval that ends before it starts
 */
export function readInterval(text: string, now: number): Interval | null {
  const parts = text.split(/\.\.(?!\.)/);
  if (parts.length > 2) return null;
  const [from, to = from] = parts.map((part) => readBound(part, now));
  if (from === null || from === undefined || to === null || to === undefined) return null;
  const interval = { from, to };
  return isReversed(interval) ? null : interval;
}

/**
 * Reads one end: what an expression may be, `NOW`, `1hour`, `2.weeks.ago`, `2023-10-02T12:00:00`.
 *
 * @param now integer milliseconds
 * @returns null for anything else
 */
export function readBound(text: string, now: number): Bound | null {
  if (text === 'NOW' || text === 'now') return { kind: 'behind', text, behind: 0 };
  const at = parseTime(text) ?? parseTimeAgo(text, now, true);
  return at === null ? readExpression(text, now) : { kind: 'time', text, at };
}

/** Whether an interval ends before it starts in every environment. */
export function isReversed({ from, to }: Interval): boolean {
  if (from?.kind === 'index' && to?.kind === 'index') return from.index > to.index;
  if (from?.kind === 'behind' && to?.kind === 'behind') return from.behind < to.behind;
  return from?.kind === 'time' && to?.kind === 'time' && from.at > to.at;
}

/**
 * The snapshots of an environment that an interval holds.
 *
 * @param start what a time at its start means: the snapshot `in-force` then, or the first one `made` at that time or after
 */
export async function resolveInterval(
  store: SnapshotTimes,
  environment: Pick<Environment, 'id' | 'snapshot'>,
  { from, to }: Interval,
  start: 'in-force' | 'made',
): Promise<SnapshotRange> {
  const last = to === null ? environment.snapshot : await resolveExpression(store, environment, to);
  const first = from === null ? 1 : await firstOf(from);
  return { first: Math.max(1, first), last: Math.min(last, environment.snapshot) };

  async function firstOf(bound: Bound): Promise<number> {
    // One bound alone is one snapshot.
    if (bound === to) return last;
    if (bound.kind !== 'time' || start === 'in-force') return resolveExpression(store, environment, bound);
    return (await snapshotAt(store, environment, bound.at - 1)) + 1;
  }
}

/** The intersection of two ranges. */
export function overlap(a: SnapshotRange, b: SnapshotRange): SnapshotRange {
  return { first: Math.max(a.first, b.first), last: Math.min(a.last, b.last) };
}
