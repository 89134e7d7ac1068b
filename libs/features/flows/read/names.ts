import { type CollectionShape, index } from '@assurance/contracts/events/aggregate';
import type { Documents } from '@assurance/storage-ports';

/** A name in lower case, from the beginning of several of its words on: `word0` is the whole name. Its id is that of what has the name. */
export interface NameRow {
  readonly org: string;
  readonly [word: `word${number}`]: string;
}

/** The beginning of a name and its last words: each has an index. */
const WORDS = Array.from({ length: 10 }, (_, i) => `word${i}` as const);
/** Characters of a name that are kept from the beginning of a word on. */
const KEPT_MAX = 40;
/** Sorts after every other character. */
const LAST_CHARACTER = '\u{10ffff}';
/** Words are separated by what is neither letter nor digit, but for points in versions such as 1.12.0. */
const WORD_BEGINNING = /(?<=[^\p{L}\p{N}])(?<!\p{N}\.(?=\p{N}))[\p{L}\p{N}]/gu;
const SEPARATORS = /^[^\p{L}\p{N}]+/u;

/** @param name of the collection */
export function namesCollection(name: string): CollectionShape<NameRow> {
  const indexes = WORDS.map((word) => ({ ...index(`by_${word}`, 'org', word), only: word }));
  return { name, deferred: 'first', ids: ['org'], indexes };
}

export function nameRow(org: string, name: string): NameRow {
  const text = name.toLowerCase();
  const last = [...text.matchAll(WORD_BEGINNING)].map(({ index }) => index).slice(1 - WORDS.length);
  const words = [...new Set([0, ...last])].map((start, i) => [`word${i}`, kept(text.slice(start))]);
  return { org, ...(Object.fromEntries(words) as Omit<NameRow, 'org'>) };
}

/**
 * Ids of what has a name in which a text begins a word, in any letter case. Only the first 40 characters of the text are compared.
 *
 * @param limit the most by the beginning of a name, and by each of its last words
 */
export async function namedWith(
  documents: Documents,
  names: CollectionShape<NameRow>,
  org: string,
  text: string,
  limit: number,
): Promise<readonly string[]> {
  const words = kept(text.toLowerCase().replace(SEPARATORS, ''));
  if (words === '') return [];
  const range = { gte: words, lte: `${words}${LAST_CHARACTER}` };
  const collection = documents.collection(names);
  const results = await Promise.all(WORDS.map((word) => collection.find({ where: { org, [word]: range }, limit })));
  return [...new Set(results.flatMap((rows) => rows.map(({ id }) => id)))];
}

function kept(text: string): string {
  return text.slice(0, KEPT_MAX).toWellFormed();
}
