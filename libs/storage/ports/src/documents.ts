/**
 * What an index can hold and a query can compare. A field that is missing counts as null, which comes before all else. Strings
 * compare by their UTF-8 bytes, false comes before true, values of different types are never equal (1 is not true) and have no
 * promised order.
 */
export type Scalar = string | number | boolean | null;

/** A document is a JSON object; what an engine keeps beside it (id, revision, seq) is not part of it. */
export type Document = object;

/** An index: the path of each field (`commit.sha1` for nested ones) with the direction in which it is sorted. */
export interface IndexDefinition {
  readonly name: string;
  readonly fields: readonly (readonly [path: string, direction: 'asc' | 'desc'])[];
  /** One of the fields: the index holds only documents where it is not null, and serves only queries that compare it with values that are not null. */
  readonly only?: string;
}

/** A collection and all its indexes. Engines create both when the collection is first used. */
export interface CollectionDefinition<T extends Document> {
  /** Lower-case letters, digits and underscores. */
  readonly name: string;
  readonly indexes: readonly IndexDefinition[];
  /**
   * Set where the event store can restore the documents and a consumer of the feed does. Then what is written is visible at once, but may be lost
   * with the process, together with the feed's position, unless `persist` came after it. An engine writes many such changes together; `last`: those
   * that tell what the others hold (heads, progress), never before what was changed earlier in collections that are `first`.
   */
  readonly deferred?: 'first' | 'last';
  /**
   * Fields of indexes that hold ids (UUIDs) or digests, for collections of many small documents. They are compared with whole values, never by range.
   * They sort as strings among values of one form (UUIDs, digests, all others), and the forms in an order of the engine's own. An engine that is told
   * may keep the fields of all indexes beside the document, and these in a short form.
   */
  readonly ids?: readonly string[];
  /** Never set: carries the document's type. */
  readonly type?: T;
}

/** One value, several values, or a range with both ends included, which holds only values of its bounds' type. */
export type Condition =
  Scalar | { readonly in: readonly Scalar[] } | { readonly gte?: number | string; readonly lte?: number | string };

/** What a list asks for. It must be covered by a declared index (`indexFor`). */
export interface Query {
  readonly where: Readonly<Record<string, Condition>>;
  /** Documents that sort alike come in one fixed order while nothing is written, so that pages do not overlap. */
  readonly order?: readonly (readonly [path: string, direction: 'asc' | 'desc'])[];
  readonly skip?: number;
  /** 1 to 1,000. */
  readonly limit: number;
}

/** One write to one document. A document that no `forward` or `remove` wrote has seq 0. */
export type Write<T extends Document> =
  /** Written whatever is there; the seq stays as it is. */
  | { readonly kind: 'put'; readonly id: string; readonly doc: T }
  /** Written only over nothing or over a document of a smaller seq; a newer one stays, and that is a success. */
  | { readonly kind: 'forward'; readonly id: string; readonly seq: number; readonly doc: T }
  /** Removed for a seq, over a smaller one only: leaves nothing to be found, but an older `forward` that comes late does not bring it back. */
  | { readonly kind: 'remove'; readonly id: string; readonly seq: number }
  /**
   * Removed whatever its seq, which goes too: for what nobody changes any more. A `forward` that comes late brings it back, and so may a merge that
   * is under way meanwhile.
   */
  | { readonly kind: 'forget'; readonly id: string };

/** A found document with its id. */
export interface Found<T extends Document> {
  readonly id: string;
  readonly doc: T;
}

/** A page of all documents of a collection. */
export interface DocumentPage<T extends Document> {
  readonly found: readonly Found<T>[];
  /** Pass it on to read what follows; null when there is nothing more. */
  readonly next: string | null;
}

/**
 * One collection of documents. Every promise has one test in `storage/conformance`.
 *
 * Ids are byte-exact strings of at most 1,024 bytes (engines that cannot index a long id hash it). Any JSON value survives unchanged, any key too.
 */
export interface Collection<T extends Document> {
  get(id: string): Promise<T | null>;

  /** The documents that are there, by id. At most 1,000 ids a call. */
  getMany(ids: readonly string[]): Promise<ReadonlyMap<string, T>>;

  /**
   * @throws UnindexedQuery when no declared index covers the query
   */
  find(query: Query): Promise<Found<T>[]>;

  /** How many documents match; the same rule about indexes. */
  count(where: Query['where']): Promise<number>;

  /**
   * All documents, in an order of the engine's own; `after` is a page's `next`, null for the beginning. Pages together hold every
   * document that is there all the while, once; what is written meanwhile perhaps.
   *
   * @param limit 1 to 1,000
   */
  scan(after: string | null, limit: number): Promise<DocumentPage<T>>;

  /**
   * Writes each, in no promised order and not as one: a crash may leave some written. Each alone is atomic.
   * Visible to every read when it resolves; survives the process unless the collection is deferred, and a power cut only from the next durable
   * write on (what is kept here can be made again from the event store).
   */
  write(writes: readonly Write<T>[]): Promise<void>;

  /**
   * Changes each document by a function of what is there (null when nothing is), atomically per id against every other
   * merge and write. `change` is pure and may be called more than once; undefined leaves the document as it is.
   * Ids are taken once each, at most 1,000 a call. A merged document keeps the seq that a `forward` gave it. What `change` throws,
   * `merge` throws; other ids of the call may have been changed.
   */
  merge(ids: readonly string[], change: (current: T | null, id: string) => T | undefined): Promise<void>;
}

/** Writes to one collection. */
export interface Part {
  readonly collection: CollectionDefinition<Document>;
  readonly writes: readonly Write<Document>[];
}

/** Collections of documents: heads, views, activity. */
export interface Documents {
  collection<T extends Document>(definition: CollectionDefinition<T>): Collection<T>;

  /**
   * Writes to several collections in steps, each as `write` does: those of a step in no promised order, and each step wholly before the next. So
   * whoever sees something of a step finds all of the steps before it, after a crash too.
   */
  writeInOrder(steps: readonly (readonly Part[])[]): Promise<void>;

  /**
   * Resolves when what was written to deferred collections until now survives the process: before something else is written that relies on it.
   * What is read from then on is read from the store, not from what this process remembers of it.
   */
  persist(): Promise<void>;

  /**
   * Removes a collection with all that is in it, the seqs of removed documents too; in bounded pieces, so that others' writes need not wait.
   * Whoever opens it later finds it empty; reads and writes that are under way meanwhile may fail.
   */
  drop(definition: CollectionDefinition<Document>): Promise<void>;
}

/** A query asked for something that no declared index covers: a bug, found by its first run. */
export class UnindexedQuery extends Error {
  override readonly name = 'UnindexedQuery';
}

/**
 * The declared index that serves a query: its first fields are those compared with a value or a list (in any order), then the order asked
 * for (or the field of a range, when no order is asked), each in the declared direction or all of them reversed.
 *
 * @throws UnindexedQuery
 */
export function indexFor(definition: CollectionDefinition<Document>, query: Omit<Query, 'limit'>): IndexDefinition {
  const ranges = Object.entries(query.where)
    .filter(([, condition]) => isRange(condition))
    .map(([path]) => path);
  const equals = Object.keys(query.where).filter((path) => !ranges.includes(path));
  const order = query.order ?? ranges.map((path) => [path, 'asc'] as const);
  const found = definition.indexes.find((index) => {
    if (index.only !== undefined && !excludesNull(query.where[index.only])) return false;
    const prefix = index.fields.slice(0, equals.length).map(([path]) => path);
    if (!equals.every((path) => prefix.includes(path))) return false;
    const rest = index.fields.slice(equals.length, equals.length + order.length);
    if (rest.length < order.length) return false;
    const sorted = (flip: boolean) =>
      order.every(([path, direction], i) => rest[i]?.[0] === path && (rest[i]?.[1] === direction) !== flip);
    const ranged = ranges.every((path) => rest[0]?.[0] === path && definition.ids?.includes(path) !== true);
    return ranges.length <= 1 && ranged && (sorted(false) || sorted(true));
  });
  if (found === undefined) {
    throw new UnindexedQuery(
      `collection ${definition.name} has no index for where [${Object.keys(query.where).join(', ')}] ` +
        `order [${order.map(([path, direction]) => `${path} ${direction}`).join(', ')}]`,
    );
  }
  return found;
}

function excludesNull(condition: Condition | undefined): boolean {
  if (condition === undefined || condition === null) return false;
  return typeof condition !== 'object' || !('in' in condition) || !condition.in.includes(null);
}

function isRange(condition: Condition): boolean {
  return typeof condition === 'object' && condition !== null && !('in' in condition);
}
