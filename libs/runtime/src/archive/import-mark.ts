import type { CollectionDefinition, Documents } from '@assurance/storage-ports';

/** What a store says of the import that filled it. */
interface ImportMark {
  /** The archive's id. */
  readonly archive: string;
  /** Whether all of it is here. */
  readonly done: boolean;
  /** When it was begun: integer milliseconds since 1970. */
  readonly at: number;
}

const marks: CollectionDefinition<ImportMark> = { name: 'imports', indexes: [] };
const ID = 'import';

/** The mark that an import left, null where there was none. */
export function importMark(documents: Documents): Promise<ImportMark | null> {
  return documents.collection(marks).get(ID);
}

export function setImportMark(documents: Documents, mark: ImportMark): Promise<void> {
  return documents.collection(marks).write([{ kind: 'put', id: ID, doc: mark }]);
}

/** The sentence that says that a store holds a part of an archive, null when it does not: nobody may serve it. */
export async function problemOfImport(documents: Documents): Promise<string | null> {
  const mark = await importMark(documents);
  if (mark === null || mark.done) return null;
  return (
    `The store holds a part of an archive (${mark.archive}), because its import did not end: import the same file again ` +
    '(npm run operate -- import FILE), which goes on with it, or begin with an empty store.'
  );
}
