import type { Schemas } from '../../api/client';

type Row = Schemas['DeliveryFigures']['figures'][number];

/** The orders of the tables of figures, by their names in the address. */
export const ORDERS = [
  ['', 'Name'],
  ['deployments', 'Most deployments'],
  ['fewest', 'Fewest deployments'],
  ['slowest', 'Longest lead time'],
  ['fastest', 'Shortest lead time'],
  ['failures', 'Most rolled back'],
] as const;

/** The values that an order compares, in ascending order. Null always comes last. */
const KEYS: Readonly<Record<string, (row: Row) => number | null>> = {
  deployments: ({ deployments }) => -deployments,
  fewest: ({ deployments }) => deployments,
  slowest: ({ lead_time }) => (lead_time === null ? null : -lead_time.p50),
  fastest: ({ lead_time }) => lead_time?.p50 ?? null,
  failures: ({ change_failure_rate: rate }) => (rate === null ? null : -rate),
};

/** Sorts rows. Rows with equal values keep their order. */
export function sorted(rows: readonly Row[], order: string): readonly Row[] {
  const key = KEYS[order];
  if (key === undefined) return rows;
  return rows.toSorted((a, b) => (key(a) ?? Infinity) - (key(b) ?? Infinity) || 0);
}
