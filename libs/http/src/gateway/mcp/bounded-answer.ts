import { isRawNumber, mapInSlices } from '@assurance/kernel';

/** The limit of an answer to an assistant (bytes). */
export const ANSWER_BYTES = 96 * 1024;
/** The most notes about omitted entries. */
const CUTS_MAX = 20;
/** How much of lists, objects and texts is shown. The steps are tried in this order until the answer fits. */
const SHOWN = [100, 40, 15, 5, 2, 1].map((items) => ({ items, characters: 40 * items }));

/** Where something was left out. */
export interface Truncation {
  /** Such as `artifacts.3.annotations`; empty for the whole. */
  readonly path: string;
  /** Entries of a list or an object, or characters of a text. */
  readonly shown: number;
  readonly of: number;
}

export interface BoundedAnswer {
  readonly data: unknown;
  readonly cut: readonly Truncation[];
}

/**
 * Shortens an answer until it fits: lists, objects and texts keep their beginnings. It notes where something was left out.
 *
 * @param value of JSON
 */
export function boundAnswer(value: unknown): BoundedAnswer {
  for (const limits of SHOWN) {
    const truncations: Truncation[] = [];
    const data = shorten(value, limits, '', truncations);
    if (Buffer.byteLength(JSON.stringify(data)) <= ANSWER_BYTES) return { data, cut: truncations.slice(0, CUTS_MAX) };
  }
  return { data: null, cut: [{ path: '', shown: 0, of: 1 }] };
}

type Shown = (typeof SHOWN)[number];

function shorten(value: unknown, limits: Shown, path: string, truncations: Truncation[]): unknown {
  if (typeof value === 'string') {
    if (value.length <= limits.characters) return value;
    truncations.push({ path, shown: limits.characters, of: value.length });
    return value.slice(0, limits.characters).toWellFormed();
  }
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value;
  const entries = Object.entries(value);
  const some = entries.slice(0, limits.items);
  if (some.length < entries.length) truncations.push({ path, shown: some.length, of: entries.length });
  const within = (key: string) => (path === '' ? key : `${path}.${key}`);
  const short = some.map(([key, item]) => [key, shorten(item, limits, within(key), truncations)] as const);
  return Array.isArray(value) ? short.map(([, item]) => item) : Object.fromEntries(short);
}

/** Filters an answer that is a list, or has lists as fields: keeps entries that contain a text in any field and letter case. */
export async function filterByText(value: unknown, text: string): Promise<unknown> {
  if (Array.isArray(value)) return filterList(value, text);
  if (typeof value !== 'object' || value === null) return value;
  const fields: [string, unknown][] = [];
  for (const [key, field] of Object.entries(value)) {
    fields.push([key, Array.isArray(field) ? await filterList(field, text) : field]);
  }
  return Object.fromEntries(fields);
}

async function filterList(list: readonly unknown[], text: string): Promise<unknown[]> {
  const needle = JSON.stringify(text).slice(1, -1).toLowerCase();
  const results = await mapInSlices(list, (item) =>
    JSON.stringify(item).toLowerCase().includes(needle) ? [item] : [],
  );
  return results.flat();
}
