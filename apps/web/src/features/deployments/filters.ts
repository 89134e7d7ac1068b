import type { Schemas } from '../../api/client';
import { hoursAgo, lastBuckets, lastFourWeeks, type Period, periodOfDates } from '../../api/window';
import type { Zone } from '../../ui/format';

type Kind = Schemas['DetailedDeployment']['kind'];

/** The choices of time, by their names in the address. */
export const TIMES = [
  ['1h', 'Last hour'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['4w', 'Last 4 weeks'],
  ['12w', 'Last 12 weeks'],
  ['12m', 'Last 12 months'],
  ['own', 'From … to …'],
] as const;
const DEFAULT_TIME = '4w';

/** The kinds of deployments that figures count. */
const COUNTED_KINDS: readonly Kind[] = ['first', 'rollback', 'redeployment'];

/** The choices of kinds, by their names in the address. */
export const KINDS = [
  ['', 'Deployments'],
  ['rollback', 'Rollbacks'],
  ['all', 'All, with restarts and what ran before'],
] as const;

/** The filter of the list, its charts and its export. */
export interface Filters {
  readonly environment: string;
  readonly repository: string;
  readonly kind: string;
  readonly time: string;
  /** Dates of a custom range. */
  readonly from: string;
  readonly to: string;
}

export function filtersOf(address: URLSearchParams): Filters {
  const at = (name: string) => address.get(name) ?? '';
  return {
    environment: at('env'),
    repository: at('repo'),
    kind: at('kind'),
    time: at('time') || DEFAULT_TIME,
    from: at('from'),
    to: at('to'),
  };
}

/** The time of a filter: whole buckets of figures or, for less than a day, the time since a moment. */
export type Span = { readonly period: Period } | { readonly since: number };

/** @param now epoch seconds */
export function spanOf({ time, from, to }: Filters, now: number, zone: Zone): Span {
  if (time === 'own') return { period: periodOfDates(from, to, zone) ?? lastFourWeeks(now, zone) };
  if (time === DEFAULT_TIME) return { period: lastFourWeeks(now, zone) };
  const count = Number.parseInt(time, 10) || 4;
  if (time.endsWith('h')) return { since: hoursAgo(count) };
  const bucket = time.endsWith('d') ? 'day' : time.endsWith('m') ? 'month' : 'week';
  return { period: lastBuckets(now, zone, bucket, count - 1) };
}

/** The query of the API for a filter. */
export function queryOf({ environment, repository, kind }: Filters, span: Span) {
  const { start, end } = 'since' in span ? { start: span.since, end: null } : span.period;
  const kinds = kind === 'all' ? undefined : kind === '' ? COUNTED_KINDS : [kind as Kind];
  return {
    start_ts: start,
    end_ts: end === null ? undefined : end - 1,
    env_name: environment === '' ? undefined : [environment],
    repo_name: repository || undefined,
    kind: kinds && [...kinds],
  };
}

export type Query = ReturnType<typeof queryOf>;
