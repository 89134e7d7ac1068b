import { momentOf, timeOf, writtenOf } from '../../parts/moment';
import type { Zone } from '../../ui/format';

/** One side of a comparison. */
export interface Side {
  /** The name of an environment, or an expression such as `production#3`. */
  readonly name: string;
  /** A date and time of day, such as `2026-11-02T14:05`; empty: now. */
  readonly time: string;
}

const AT_TIME = /^(.+)@\{(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::\d\d)?\}$/;

/** Reads a side from an expression of the API. */
export function sideOf(expression: string, zone: Zone): Side {
  const [, name, time] = AT_TIME.exec(expression) ?? [];
  if (name === undefined || time === undefined) return { name: expression, time: '' };
  return { name, time: momentOf(time, zone) };
}

/** The expression of the API for a side. Its times are UTC. */
export function expressionOf({ name, time }: Side, zone: Zone): string {
  const at = timeOf(time, zone);
  return Number.isNaN(at) ? name : `${name}@{${writtenOf(at)}}`;
}
