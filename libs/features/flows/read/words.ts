import { type CollectionShape, index } from '@assurance/contracts/events/aggregate';
import { pieces } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';

/**
 * Texts of an item in lower case, from the beginning of several of their words on. An item has one document for every ten words. The id of a document
 * is the id of the item, `#` and a digit.
 */
export interface WordRow {
  /** The organization. Words of tags have the kind of stream and `/` before it. */
  readonly org: string;
  readonly [word: `word${number}`]: string;
}

/** The words of a document. Each has an index. */
const WORDS = Array.from({ length: 10 }, (_, i) => `word${i}` as const);
/** The most words of a name, of the first line of a commit message, of an author, and of a tag. */
const NAME_WORDS_MAX = 10;
const MESSAGE_WORDS_MAX = 20;
const AUTHOR_WORDS_MAX = 10;
const TAG_WORDS_MAX = WORDS.length;
/** How many characters are kept from the beginning of a word on. */
const KEPT_MAX = 40;
/** The most characters of a text in which words are counted. */
const READ_MAX = 1_000;
/** Sorts after every other character. */
const LAST_CHARACTER = '\u{10ffff}';
/** Words are separated by characters that are neither letters nor digits. A point in a version such as 1.12.0 does not separate. */
const WORD_BEGINNING = /(?<![\p{L}\p{N}])(?<!\p{N}\.(?=\p{N}))[\p{L}\p{N}]/gu;
const SEPARATORS = /^[^\p{L}\p{N}]+/u;

/** @param name the name of the collection */
export function wordsCollection(name: string): CollectionShape<WordRow> {
  const indexes = WORDS.map((word) => ({ ...index(`by_${word}`, 'org', word), only: word }));
  return { name, deferred: 'first', ids: ['org'], indexes };
}

/** Returns the first word of a name, and its last nine words: what tells names apart is at their end. */
export function wordsOfName(name: string): readonly string[] {
  const [first, ...others] = wordsOf(name);
  return first === undefined ? [] : [first, ...others.slice(1 - NAME_WORDS_MAX)];
}

/** Returns the first 20 words of the first line of a commit message, and the first ten words of the author. */
export function wordsOfCommit(commit: { readonly message: string | null; readonly author: string | null } | null) {
  const line = firstLine(commit?.message ?? '');
  const author = (commit?.author ?? '').slice(0, READ_MAX);
  return [...wordsOf(line).slice(0, MESSAGE_WORDS_MAX), ...wordsOf(author).slice(0, AUTHOR_WORDS_MAX)];
}

/** Returns the first line of a commit message, at most 1,000 characters. */
export function firstLine(message: string): string {
  return message.slice(0, READ_MAX).trimStart().split('\n', 1)[0] ?? '';
}

/** Returns the first ten words of a tag, so that it has one document. */
export function wordsOfTag(tag: string): readonly string[] {
  return wordsOf(tag).slice(0, TAG_WORDS_MAX);
}

/** Returns the documents of an item by id. Equal words count once. */
export function wordRows(org: string, item: string, words: readonly string[]): ReadonlyMap<string, WordRow> {
  const rows = pieces([...new Set(words)], WORDS.length).map((some, i) => {
    const fields = Object.fromEntries(some.map((word, j) => [`word${j}`, word])) as Omit<WordRow, 'org'>;
    return [`${item}#${i}`, { org, ...fields }] as const;
  });
  return new Map(rows);
}

/**
 * Finds the ids of items by a text that begins one of their words, in any letter case. Only the first 40 characters of the text are compared.
 *
 * @param limit the most results for each word of a document
 */
export async function itemsWith(
  documents: Documents,
  words: CollectionShape<WordRow>,
  org: string,
  text: string,
  limit: number,
): Promise<readonly string[]> {
  const firstCharacters = truncate(text.toLowerCase().replace(SEPARATORS, ''));
  if (firstCharacters === '') return [];
  const range = { gte: firstCharacters, lte: `${firstCharacters}${LAST_CHARACTER}` };
  const collection = documents.collection(words);
  const results = await Promise.all(WORDS.map((word) => collection.find({ where: { org, [word]: range }, limit })));
  return [...new Set(results.flatMap((rows) => rows.map(({ id }) => id.slice(0, id.lastIndexOf('#')))))];
}

function wordsOf(text: string): string[] {
  const lower = text.toLowerCase();
  return [...lower.matchAll(WORD_BEGINNING)].map(({ index }) => truncate(lower.slice(index)));
}

function truncate(text: string): string {
  return text.slice(0, KEPT_MAX).toWellFormed();
}
