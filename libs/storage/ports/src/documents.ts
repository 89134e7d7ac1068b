/**
 * A value that an index holds and a query compares. A missing field counts as null, which sorts first. Strings compare by their UTF-8
 * bytes, and false sorts before true. Values of different types are never equal (1 is not true) and have no defined order.
 */
export type Scalar = string | number | boolean | null;

/** A document is a JSON object. Id, revision and seq are stored beside it. */
export type Document = object;

/** An index: the path of each field (`commit.sha1` for nested ones) with the direction in which it is sorted. */
export interface IndexDefinition {
  readonly name: string;
  readonly fields: readonly (readonly [path: string, direction: 'asc' | 'desc'])[];
  /**
   * One of the fields. The index contains only documents in which this field is not null. It serves only queries that compare the field
   * with values that are not null.
   */
  readonly only?: string;
}

/** A collection and all its indexes. Engines create both when the collection is first used. */
export interface CollectionDefinition<T extends Document> {
  /** Lower-case letters, digits and underscores. */
  readonly name: string;
  readonly indexes: readonly IndexDefinition[];
  /**
   * Set if a consumer of the feed can restore the documents from the event store. Then a write is visible at once, but a crash of the
   * process may lose it together with the position of the feed, unless `persist` follows. An engine writes many such changes together.
   * Collections with `last` (states, checkpoints) describe other collections: the engine never stores their changes before earlier changes
   * of collections with `first`.
   */
  readonly deferred?: 'first' | 'last';
  /**
   * Fields of indexes that hold ids (UUIDs) or digests, for collections of many small documents. Queries compare them with whole values, never by
   * range. Values of one form (UUIDs, digests, all others) sort as strings; the engine chooses the order of the forms. If this is set, an engine may
   * store the fields of all indexes beside the document, and these fields in a short form.
   */
  readonly ids?: readonly string[];
  /**
   * Set if merges change the same documents again and again. An engine may then begin a merge with the document that it wrote last. It reads the
   * document only if another writer changed it since. A document that is forgotten must not be created again later.
   */
  readonly mergedOften?: true;
  /** Never set: carries the document's type. */
  readonly type?: T;
}

/** One value, several values, or a range. A range includes both ends and matches only values of the type of its ends. */
export type Condition =
  Scalar | { readonly in: readonly Scalar[] } | { readonly gte?: number | string; readonly lte?: number | string };

/** A list query. A declared index must cover it (`indexFor`). */
export interface Query {
  readonly where: Readonly<Record<string, Condition>>;
  /** Documents with equal sort values have one fixed order while nothing is written, so pages do not overlap. */
  readonly order?: readonly (readonly [path: string, direction: 'asc' | 'desc'])[];
  readonly skip?: number;
  /** 1 to 1,000. */
  readonly limit: number;
}

/** One write to one document. A document that no `forward` or `remove` wrote has seq 0. */
export type Write<T extends Document> =
  /** Always written; the seq stays. */
  | { readonly kind: 'put'; readonly id: string; readonly doc: T }
  /** Written only if there is no document or one with a smaller seq. A newer one stays, and the write succeeds. */
  | { readonly kind: 'forward'; readonly id: string; readonly seq: number; readonly doc: T }
  /** Removes a document with a smaller seq. A later `forward` with an older seq does not restore it. */
  | { readonly kind: 'remove'; readonly id: string; readonly seq: number }
  /** Removes a document and its seq. Use it for documents that no longer change: a late `forward` or a concurrent merge can restore it. */
  | { readonly kind: 'forget'; readonly id: string };

/** A found document with its id. */
export interface StoredDocument<T extends Document> {
  readonly id: string;
  readonly doc: T;
}

/** A page of all documents of a collection. */
export interface DocumentPage<T extends Document> {
  readonly documents: readonly StoredDocument<T>[];
  /** Pass it to read the next page; null at the end. */
  readonly next: string | null;
}

/**
 * One collection of documents. Every promise has one test in `storage/conformance`.
 *
 * Ids are byte-exact strings of at most 1,024 bytes (engines that cannot index a long id hash it). All JSON values and keys survive unchanged.
 */
export interface Collection<T extends Document> {
  get(id: string): Promise<T | null>;

  /** Existing documents by id. At most 1,000 ids in a call. */
  getMany(ids: readonly string[]): Promise<ReadonlyMap<string, T>>;

  /**
   * @throws UnindexedQuery when no declared index covers the query
   */
  find(query: Query): Promise<StoredDocument<T>[]>;

  /** How many documents match. As for `find`, a declared index must cover the condition. */
  count(where: Query['where']): Promise<number>;

  /**
   * All documents in an order of the engine; `after` is the `next` of a page, null for the beginning. All pages together hold every
   * document that exists during the whole scan once; concurrent writes may be included.
   *
   * @param limit 1 to 1,000
   */
  scan(after: string | null, limit: number): Promise<DocumentPage<T>>;

  /**
   * Writes each document, atomically but in no defined order: a crash may leave some written. The result is visible to every read when
   * it resolves. It survives the process unless the collection is deferred, and a power cut only after the next durable write; the event
   * store can restore it.
   */
  write(writes: readonly Write<T>[]): Promise<void>;

  /**
   * Changes each document by a function of its present value (null if there is none). Each change is atomic for its id against all other
   * merges and writes. `change` is pure and may be called more than once; undefined leaves the document unchanged. At most 1,000 ids in a
   * call; repeated ids count once. A merged document keeps its seq. An error of `change` is thrown; other ids of the call may have changed.
   */
  merge(ids: readonly string[], change: (current: T | null, id: string) => T | undefined): Promise<void>;
}

/** Writes to one collection. */
export interface Part {
  readonly collection: CollectionDefinition<Document>;
  readonly writes: readonly Write<Document>[];
}

/** Collections of documents: aggregate states, views, activity. */
export interface Documents {
  collection<T extends Document>(definition: CollectionDefinition<T>): Collection<T>;

  /**
   * Writes to several collections in steps. Each step works like `write`: its writes have no defined order. A step is complete before the
   * next one begins. A reader that sees a part of a step sees all earlier steps, also after a crash.
   */
  writeInOrder(steps: readonly (readonly Part[])[]): Promise<void>;

  /**
   * Resolves when all earlier writes to deferred collections survive the process. Call it before writing something that depends on them.
   * Later reads come from the store, not from memory.
   */
  persist(): Promise<void>;

  /**
   * Removes a collection with all documents and all seqs of removed documents, in bounded pieces, so that other writes continue. A later
   * opening finds it empty; concurrent reads and writes may fail.
   */
  drop(definition: CollectionDefinition<Document>): Promise<void>;
}

/** No declared index covers a query. This is a bug, and the first run of the query reveals it. */
export class UnindexedQuery extends Error {
  override readonly name = 'UnindexedQuery';
}

/**
 * The declared index that serves a query. Its first fields are the fields that the query compares with a value or a list, in any order. The
 * fields of the requested order follow, or the field of a range if no order is requested. Each has the declared direction, or all are
 * reversed.
 *
 * @throws UnindexedQuery
 */
export function indexFor(definition: CollectionDefinition<Document>, query: Omit<Query, 'limit'>): IndexDefinition {
  const ranges = Object.entries(query.where)
    .filter(([, condition]) => isRange(condition))
    .map(([path]) => path);
  const equals = Object.keys(query.where).filter((path) => !ranges.includes(path));
  const order = query.order ?? ranges.map((path) => [path, 'asc'] as const);
  const index = definition.indexes.find((index) => {
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
  if (index === undefined) {
    throw new UnindexedQuery(
      `collection ${definition.name} has no index for where [${Object.keys(query.where).join(', ')}] ` +
        `order [${order.map(([path, direction]) => `${path} ${direction}`).join(', ')}]`,
    );
  }
  return index;
}

function excludesNull(condition: Condition | undefined): boolean {
  if (condition === undefined || condition === null) return false;
  return typeof condition !== 'object' || !('in' in condition) || !condition.in.includes(null);
}

function isRange(condition: Condition): boolean {
  return typeof condition === 'object' && condition !== null && !('in' in condition);
}
