import type { SearchResult } from '@assurance/contracts/environments/answers/search';
import { type Collection, type StoredDocument, findPages, type Query } from '@assurance/storage-ports';

/** The most documents of a kind that are searched, and how many are read at once. */
export const LOOKED_THROUGH_MAX = 1_000;
const TOGETHER = 250;
/** The most characters of a text in a result. */
const SHOWN_MAX = 200;
/** Sorts after every other character. */
const LAST_CHARACTER = '\u{10ffff}';

/** The values of a field that begin with a text. */
export const prefixedBy = (text: string) => ({ gte: text, lte: `${text}${LAST_CHARACTER}` });

/** A text of an item, and the place where it was found. */
type SearchableText = readonly [place: SearchResult['found_in'], text: string | null | undefined];

/** Results of a kind, and whether the search covered everything of the kind. */
export interface Matches {
  readonly results: readonly SearchResult[];
  readonly complete: boolean;
}

/** The fields of a result besides the text. */
type Details = Pick<SearchResult, 'kind' | 'name'> & Partial<SearchResult>;

/** Searches the texts of items. */
export class Matcher {
  private readonly part: string;

  /** @param limit the most results of a kind */
  constructor(
    readonly text: string,
    readonly limit: number,
  ) {
    this.part = text.toLowerCase();
  }

  /** Returns the result for an item, or null if none of its places contains the text. */
  match(details: Details, ...places: readonly SearchableText[]): SearchResult | null {
    const searchableText = places.find(([, text]) => text?.toLowerCase().includes(this.part));
    if (searchableText === undefined) return null;
    const [found_in, text] = searchableText;
    return this.result({ ...details, found_in, text: text ?? '' });
  }

  result(details: Details & Pick<SearchResult, 'found_in' | 'text'>): SearchResult {
    const noPlace = { id: null, flow: null, environment: null, fingerprint: null };
    return { ...noPlace, ...details, name: details.name.slice(0, SHOWN_MAX), text: this.excerpt(details.text) };
  }

  /**
   * Returns the first results among documents, in their order. If there are more documents than are searched, an index finds the documents in which
   * the field begins with the text, as given or in lower case. These come first. Documents that another index found come last.
   *
   * @param field the field that an index has after the fields of the query; omit it if there is no such index
   * @param readIndexed reads what another index found; it is called only if there are more documents than are searched
   */
  async through<T extends object>(
    collection: Pick<Collection<T>, 'find'>,
    query: Omit<Query, 'limit'>,
    match: (doc: T) => SearchResult | null,
    field?: string,
    readIndexed: () => Promise<readonly T[]> = () => Promise.resolve([]),
  ): Promise<Matches> {
    const matches = await this.collect(docsOf(findPages(collection, query, TOGETHER)), match);
    if (matches.complete || field === undefined) return matches;
    const startsWithTerm: SearchResult[] = [];
    for (const text of new Set([this.text, this.text.toLowerCase()])) {
      const where = { ...query.where, [field]: prefixedBy(text) };
      const page = await collection.find({ ...query, where, limit: this.limit });
      startsWithTerm.push(...page.flatMap(({ doc }) => match(doc) ?? []));
    }
    const last = (await readIndexed()).flatMap((doc) => match(doc) ?? []);
    return this.merge(startsWithTerm, { ...matches, results: [...matches.results, ...last] });
  }

  /** Merges results of an index with results of a search. Results of the index come first, and each result appears once. */
  merge(indexed: readonly SearchResult[], { results, complete }: Matches): Matches {
    const all = new Map<string, SearchResult>();
    for (const result of [...indexed, ...results]) {
      const { kind, flow, id, name, fingerprint } = result;
      const key = fingerprint ?? JSON.stringify([kind, flow, id, name]);
      if (!all.has(key)) all.set(key, result);
    }
    const matches = [...all.values()].slice(0, this.limit);
    return { results: matches, complete: complete || matches.length === this.limit };
  }

  /** Orders results: first those with exactly the text as name, then those among the newest items, then others that an index found. */
  withIndexed(indexed: readonly SearchResult[], { results, complete }: Matches): Matches {
    const exact = indexed.filter(({ name }) => name.toLowerCase() === this.part);
    return this.merge(exact, { results: [...results, ...indexed], complete });
  }

  /** Returns the first results among pages of items, in their order. */
  async collect<T>(
    pages: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
    match: (doc: T) => SearchResult | null,
  ): Promise<Matches> {
    const results: SearchResult[] = [];
    let count = 0;
    for await (const page of pages) {
      for (const doc of page) {
        // One item more than the limit shows that there are more.
        if (count >= LOOKED_THROUGH_MAX) return { results, complete: false };
        count += 1;
        const result = match(doc);
        if (result !== null) results.push(result);
        if (results.length >= this.limit) return { results, complete: true };
      }
    }
    return { results, complete: true };
  }

  /** Returns the beginning of the line that contains the text, or the beginning of the whole text. */
  private excerpt(text: string): string {
    const line = text.split('\n').find((candidate) => candidate.toLowerCase().includes(this.part)) ?? text;
    return line.slice(0, SHOWN_MAX);
  }
}

async function* docsOf<T extends object>(
  pages: AsyncIterable<readonly StoredDocument<T>[]>,
): AsyncGenerator<readonly T[]> {
  for await (const some of pages) yield some.map(({ doc }) => doc);
}

/** Returns the searchable texts of tags. */
export function tagPlaces(tags: Readonly<Record<string, string>>): readonly SearchableText[] {
  return Object.entries(tags).map(([key, value]) => ['tag', tagText(key, value)] as const);
}

export function tagText(key: string, value: string): string {
  return value === '' ? key : `${key}: ${value}`;
}
