import { windowProblem } from '@assurance/contracts/http/routes/window';
import type { Environment } from '@assurance/contracts/environments/documents';
import type { Refusal } from '@assurance/http';
import type { Caller } from '@assurance/http/query-caller';
import { echo, err, ok, type Result } from '@assurance/kernel';
import type { SnapshotReference } from './snapshots/expression';
import {
  BOUND_FORMS,
  type Interval,
  INTERVAL_FORMS,
  overlap,
  readBound,
  readInterval,
  resolveInterval,
  isReversed,
  type SnapshotRange,
} from './snapshots/interval';
import type { SnapshotTimes } from './snapshots/resolve';

/** The filters of a list of snapshots. */
export interface RequestedRange {
  readonly interval?: string | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  /** Epoch seconds. */
  readonly startTs?: number | null;
  readonly endTs?: number | null;
}

/** The furthest times that can be compared, in milliseconds. */
const FURTHEST_MS = 8_640_000_000_000_000;

/**
 * The intervals of a list. It contains the snapshots that are in all of them.
 *
 * @param now integer milliseconds
 */
export function readRange(
  { interval, start, end, startTs = null, endTs = null }: RequestedRange,
  now: number,
): Result<readonly Interval[], Refusal> {
  const intervals: Interval[] = [];
  if (interval !== undefined) {
    const read = readInterval(interval, now);
    if (read === null) return err(unreadableExpression('interval', INTERVAL_FORMS, interval));
    intervals.push(read);
  }
  const from = start === undefined ? null : readBound(start, now);
  if (from === null && start !== undefined) return err(unreadableExpression('start', BOUND_FORMS, start));
  const to = end === undefined ? null : readBound(end, now);
  if (to === null && end !== undefined) return err(unreadableExpression('end', BOUND_FORMS, end));
  intervals.push({ from, to });
  if (isReversed({ from, to })) return err({ kind: 'invalid', errors: { start: 'It starts after its end' } });
  const window = { from: timeOf(startTs, Math.ceil), to: timeOf(endTs, Math.floor) };
  intervals.push(window);
  const problem = windowProblem(startTs, endTs);
  if (problem !== null) return err({ kind: 'invalid', errors: { start_ts: problem } });
  return ok(intervals.filter(({ from, to }) => from !== null || to !== null));
}

function timeOf(seconds: number | null, round: (milliseconds: number) => number): Interval['from'] {
  if (seconds === null) return null;
  const at = Math.max(-FURTHEST_MS, Math.min(FURTHEST_MS, round(seconds * 1000)));
  return { kind: 'time', text: String(seconds), at };
}

/** The snapshots that all intervals hold; `start` as in `resolveInterval`. */
export async function resolveRange(
  store: SnapshotTimes,
  environment: Environment,
  intervals: readonly Interval[],
  start: 'in-force' | 'made',
): Promise<SnapshotRange> {
  const ranges = await Promise.all(intervals.map((interval) => resolveInterval(store, environment, interval, start)));
  return ranges.reduce(overlap, { first: 1, last: environment.snapshot });
}

/** The refusal of an expression that cannot be parsed. */
export function unreadableExpression(field: string, forms: string, text: string): Refusal {
  return { kind: 'invalid', errors: { [field]: `Input should be ${forms} [input: ${echo(text)}]` } };
}

/** The refusal of a snapshot that the environment does not have: the expression, its resolved index, and the number of snapshots. */
export function unknownSnapshot(
  { org }: Caller,
  { environment, expression }: SnapshotReference,
  index: number,
  count: number,
): Refusal {
  const [requested, resolved] = [`${environment}${expression.text}`, `${environment}#${index}`];
  return { kind: 'snapshot-unknown', org: org.name, expression: requested, resolved, count };
}

/** The refusal of a snapshot whose full state was dropped by retention. */
export function droppedSnapshotRefusal({ environment, expression }: SnapshotReference, index: number): Refusal {
  return {
    kind: 'snapshot-dropped',
    expression: `${environment}${expression.text}`,
    resolved: `${environment}#${index}`,
  };
}
