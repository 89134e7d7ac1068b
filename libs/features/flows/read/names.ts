import { type CollectionShape, index } from '@assurance/contracts/events/aggregate';
import type { Documents } from '@assurance/storage-ports';

/** A name in lower case, from the beginning of several of its words on. `word0` is the whole name. The document has the id of the named item. */
export interface NameRow {
  readonly org: string;
  readonly [word: `word${number}`]: string;
}

/** The whole name and its last words. Each has an index. */
const WORDS = Array.from({ length: 10 }, (_, i) => `word${i}` as const);
/** How many characters are kept from the beginning of a word on. */
const KEPT_MAX = 40;
/** Sorts after every other character. */
const LAST_CHARACTER = '\u{10ffff}';
/** Words are separated by characters that are neither letters nor digits. A point in a version such as 1.12.0 does not separate. */
const WORD_BEGINNING = /(?<=[^\p{L}\p{N}])(?<!\p{N}\.(?=\p{N}))[\p{L}\p{N}]/gu;
const SEPARATORS = /^[^\p{L}\p{N}]+/u;

/** @param name the name of the collection */
export function namesCollection(name: string): CollectionShape<NameRow> {
  const indexes = WORDS.map((word) => ({ ...index(`by_${word}`, 'org', word), only: word }));
  return { name, deferred: 'first', ids: ['org'], indexes };
}

export function nameRow(org: string, name: string): NameRow {
  const text = name.toLowerCase();
  const last = [...text.matchAll(WORD_BEGINNING)].map(({ index }) => index).slice(1 - WORDS.length);
  const words = [...new Set([0, ...last])].map((start, i) => [`word${i}`, shorten(text.slice(start))]);
  return { org, ...(Object.fromEntries(words) as Omit<NameRow, 'org'>) };
}

/**
 * Finds the ids of items by a text that begins a word of their name, in any letter case. Only the first 40 characters of the text are compared.
 *
 * @param limit the most results for the whole name, and for each of its last words
 */
export async function namedWith(
  documents: Documents,
  names: CollectionShape<NameRow>,
  org: string,
  text: string,
  limit: number,
): Promise<readonly string[]> {
  const words = shorten(text.toLowerCase().replace(SEPARATORS, ''));
  if (words === '') return [];
  const range = { gte: words, lte: `${words}${LAST_CHARACTER}` };
  const collection = documents.collection(names);
  const results = await Promise.all(WORDS.map((word) => collection.find({ where: { org, [word]: range }, limit })));
  return [...new Set(results.flatMap((rows) => rows.map(({ id }) => id)))];
}

function shorten(text: string): string {
  return text.slice(0, KEPT_MAX).toWellFormed();
}
