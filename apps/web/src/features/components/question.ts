import { endsOfDates } from '../../api/window';
import { momentOf, timeOf, writtenOf } from '../../parts/moment';
import type { Zone } from '../../ui/format';

/** The choices of time, by their names in the address. */
export const TIMES = [
  ['', 'Now and before'],
  ['at', 'At a time'],
  ['period', 'From … to …'],
] as const;

/** The question of the page, as in its fields and address. An empty text means an empty field. */
export interface Question {
  /** Package URL or name. */
  readonly component: string;
  /** Version or range. */
  readonly version: string;
  readonly env: string;
  readonly time: string;
  /** A date and a time of day, such as `2026-11-02T14:05`. */
  readonly at: string;
  /** Dates, such as `2026-11-02`. */
  readonly from: string;
  readonly to: string;
}

/** Reads the question from an address. Its `at` is in UTC, so that a link means the same time everywhere. */
export function questionOf(address: URLSearchParams, zone: Zone): Question {
  const text = (name: string) => address.get(name) ?? '';
  const [, at] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::\d\d)?Z$/.exec(text('at')) ?? [];
  return {
    component: text('component'),
    version: text('version'),
    env: text('env'),
    time: text('time'),
    at: at === undefined ? '' : momentOf(at, zone),
    from: text('from'),
    to: text('to'),
  };
}

/** The address of a question. Empty values, and values of another choice of time, are left out. */
export function addressOf({ component, version, env, time, at, from, to }: Question, zone: Zone): URLSearchParams {
  const moment = timeOf(at, zone);
  const times = {
    '': {},
    at: { at: Number.isNaN(moment) ? '' : `${writtenOf(moment)}Z` },
    period: { from, to },
  }[time as (typeof TIMES)[number][0]];
  const all = { component: component.trim(), version: version.trim(), env, time, ...times };
  return new URLSearchParams(Object.entries(all).filter(([, value]) => value !== ''));
}

/** Characters that only ranges contain. */
const RANGE = /[<>=|,]/;

/** The query of the API; null if no component is named. */
export function queryOf({ component, version, env, time, at, from, to }: Question, zone: Zone) {
  if (component === '') return null;
  const moment = timeOf(at, zone);
  const { start, end } = endsOfDates(from, to, zone);
  const isoOf = (seconds: number | null) => (seconds === null ? undefined : new Date(seconds * 1000).toISOString());
  return {
    ...(/^pkg:/i.test(component) ? { purl: component } : { name: component }),
    ...(version === '' ? {} : RANGE.test(version) ? { range: version } : { version }),
    environment: env || undefined,
    at: time === 'at' && !Number.isNaN(moment) ? new Date(moment).toISOString() : undefined,
    from: time === 'period' ? isoOf(start) : undefined,
    to: time === 'period' ? isoOf(end) : undefined,
  };
}
export type Query = NonNullable<ReturnType<typeof queryOf>>;
