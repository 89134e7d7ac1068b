import { setTimeout as sleep } from 'node:timers/promises';

/** Whom requests are sent to, and by whom: `org` replaces `{org}` in paths. */
export interface Service {
  readonly url: string;
  readonly key: string;
  readonly org: string;
}

type Form = readonly [field: string, name: string, content: string | Uint8Array<ArrayBuffer>];

/**
 * Sends a request that must succeed to the API, and returns the JSON of the answer.
 *
 * @param body a form, or what becomes JSON
 * @throws Error with the answer if it is no success
 */
export async function need<T>({ url, key, org }: Service, method: string, path: string, body?: unknown): Promise<T> {
  const json = body !== undefined && !(body instanceof FormData);
  const answer = await fetch(`${url.replace(/\/+$/, '')}/api/v2${path.replace('{org}', encodeURIComponent(org))}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(json ? { 'content-type': 'application/json' } : {}),
    },
    body: json ? JSON.stringify(body) : ((body ?? null) as FormData | null),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}

/** A form with JSON and, where there is one, a file. */
export function form(data: object, { file }: { file?: Form } = {}): FormData {
  const made = new FormData();
  made.set('data_json', JSON.stringify(data));
  if (file !== undefined) made.set(file[0], new Blob([file[2]], { type: 'application/octet-stream' }), file[1]);
  return made;
}

/** Does so for each of the items, `atOnce` of them at the same time. */
export async function each<T>(items: readonly T[], does: (item: T) => Promise<unknown>, atOnce = 8): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) await does(items[next++] as T);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}

/** The numbers from 0 to `count - 1`. */
export const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/**
 * Waits until something holds. Looks at least once.
 *
 * @param patience how long (milliseconds)
 * @returns whether it came to hold in that time
 */
export async function until(
  holds: () => Promise<boolean> | boolean,
  patience = Infinity,
  pause = 50,
): Promise<boolean> {
  for (const end = performance.now() + patience; ; await sleep(pause)) {
    if (await holds()) return true;
    if (performance.now() >= end) return false;
  }
}

/** @throws Error if there is none */
export function first<T>(items: readonly T[], what = 'item'): T {
  const [one] = items;
  if (one === undefined) throw new Error(`there is no ${what}`);
  return one;
}
