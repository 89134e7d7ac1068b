import type { CollectionDefinition, Documents } from '@assurance/storage-ports';

/** The state of the import that filled a store. */
interface ImportState {
  /** The archive's id. */
  readonly archive: string;
  /** Whether all of it is here. */
  readonly done: boolean;
  /** When it was begun: integer milliseconds since 1970. */
  readonly at: number;
}

const imports: CollectionDefinition<ImportState> = { name: 'imports', indexes: [] };
const ID = 'import';

/** The state that an import left; null if there was none. */
export function importState(documents: Documents): Promise<ImportState | null> {
  return documents.collection(imports).get(ID);
}

export function setImportState(documents: Documents, state: ImportState): Promise<void> {
  return documents.collection(imports).write([{ kind: 'put', id: ID, doc: state }]);
}

/** The error text for a store with a partially imported archive, which must not serve; null for other stores. */
export async function problemOfImport(documents: Documents): Promise<string | null> {
  const state = await importState(documents);
  if (state === null || state.done) return null;
  return (
    `The store holds a part of an archive (${state.archive}), because its import did not end: import the same file again ` +
    '(npm run operate -- import FILE), which goes on with it, or begin with an empty store.'
  );
}
