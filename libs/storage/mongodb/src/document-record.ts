import type { Filter, FindOptions, IndexDescription } from 'mongodb';
import { type Connection, type Model, Schema } from 'mongoose';
import type { CollectionDefinition, Document, Scalar } from '@assurance/storage-ports';

/**
 * A stored document. The body is JSON text, so that any key and value survives. The values that indexes need are copied to `f`. A removed
 * document stays as a record without a body, so that an older `forward` finds its seq.
 */
export interface DocumentRecord {
  readonly _id: string;
  readonly seq: number;
  /** Grows with every write. */
  readonly rev: number;
  readonly gone: boolean;
  readonly body: string;
  readonly f: Readonly<Record<string, Scalar>>;
}

export type Records = Model<DocumentRecord>;

/** The field that stores an indexed path. It replaces dots, because MongoDB reads a dot as another level. */
export function fieldOf(path: string): string {
  return `f.${indexedFieldName(path)}`;
}

/** The name of an indexed path within `f`. */
export function indexedFieldName(path: string): string {
  return path.replaceAll('.', '/');
}

interface IndexedPath {
  readonly field: string;
  readonly steps: readonly string[];
}

const indexed = new WeakMap<CollectionDefinition<Document>, readonly IndexedPath[]>();

/** The indexed paths of a collection, without repeats. */
function indexedPaths(definition: CollectionDefinition<Document>): readonly IndexedPath[] {
  const cached = indexed.get(definition);
  if (cached !== undefined) return cached;
  const paths = new Set(definition.indexes.flatMap(({ fields }) => fields.map(([path]) => path)));
  const created = [...paths].map((path) => ({ field: indexedFieldName(path), steps: path.split('.') }));
  indexed.set(definition, created);
  return created;
}

/** The fields of a record that depend on the document. */
export function contentOf(definition: CollectionDefinition<Document>, doc: Document) {
  const f: Record<string, Scalar> = {};
  for (const { field, steps } of indexedPaths(definition)) f[field] = valueAt(doc, steps);
  return { gone: false, body: JSON.stringify(doc), f };
}

function valueAt(doc: Document, steps: readonly string[]): Scalar {
  let value: unknown = doc;
  for (const step of steps) {
    const holds = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
    value = holds ? (value as Record<string, unknown>)[step] : null;
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** The declared indexes. Each contains only existing documents and ends with the id, so documents with equal fields have a fixed order too. */
export function indexesOf(definition: CollectionDefinition<Document>): IndexDescription[] {
  return definition.indexes.map(({ name, fields }) => {
    const keys = fields.map(([path, direction]) => [fieldOf(path), direction === 'asc' ? 1 : -1] as const);
    return { name, key: { ...Object.fromEntries(keys), _id: 1 }, partialFilterExpression: { gone: false } };
  });
}

export function recordsOf(connection: Connection, definition: CollectionDefinition<Document>): Records {
  const modelName = JSON.stringify([definition.name, definition.indexes]);
  const cachedModel = connection.models[modelName];
  if (cachedModel !== undefined) return cachedModel as Records;
  const schema = new Schema<DocumentRecord>(
    {
      _id: { type: String, required: true },
      seq: Number,
      rev: Number,
      gone: Boolean,
      body: String,
      f: Schema.Types.Mixed,
    },
    { versionKey: false, id: false, minimize: false },
  );
  return connection.model<DocumentRecord>(modelName, schema, `documents_${definition.name}`);
}

/**
 * Reads records without the model, because the model would cast every filter again.
 *
 * @param options with a `limit`, the server sends all records in its first answer
 */
export async function readRecords(
  records: Records,
  filter: Filter<DocumentRecord>,
  options: FindOptions = {},
): Promise<DocumentRecord[]> {
  const { limit } = options;
  const cursor = records.collection.find(filter as object, {
    ...options,
    ...(limit === undefined ? {} : { batchSize: limit }),
  });
  return (await cursor.toArray()) as unknown[] as DocumentRecord[];
}
