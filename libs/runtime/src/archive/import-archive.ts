import type { ArchivedCollection } from '@assurance/event-sourcing/archive/archived-collection';
import { ArchiveFault, type Counts, type End, type Header } from '@assurance/event-sourcing/archive/format';
import { ArchiveLoader } from '@assurance/event-sourcing/archive/load-archive';
import { readArchive } from '@assurance/event-sourcing/archive/read-archive';
import type { Progress } from '@assurance/event-sourcing/operation';
import type { CollectionDefinition, Documents, Engines } from '@assurance/storage-ports';
import { readArchiveFile, sizeOf } from './archive-file';

/** The state of an import into a store. */
interface ImportState {
  /** The archive's id. */
  readonly archive: string;
  /** Whether the store has the whole archive. */
  readonly done: boolean;
  /** When this state was written (integer milliseconds since 1970). */
  readonly at: number;
}

const imports: CollectionDefinition<ImportState> = { name: 'imports', indexes: [] };
const ID = 'import';

/** The file or the store does not allow the import. The message says why. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
}

export interface ImportOrder {
  readonly engines: Engines;
  readonly archived: readonly ArchivedCollection[];
  readonly path: string;
  /** Integer milliseconds since 1970. */
  readonly now: () => number;
  readonly report: (progress: Progress) => void;
  readonly signal: AbortSignal;
}

/**
 * Reads a whole archive to check that it is complete, and then loads it into an empty store. The store is marked as
 * partially imported until `finishImport`. A second import of the same archive continues the first.
 *
 * @throws ImportRefused
 */
export async function importArchive(order: ImportOrder): Promise<Header & { readonly counts: Counts }> {
  const { engines, archived, path, now, report, signal } = order;
  const size = await sizeOf(path);
  if (size === null) throw new ImportRefused(`There is no file ${path}.`);
  const [header, end] = await checkArchive(order, size);
  await empty(engines, header);
  await setImportState(engines.documents, { archive: header.id, done: false, at: now() });
  const progress = (counts: Counts) => report({ done: counts.commits, of: end.commits, unit: 'commits' });
  const loading = new ArchiveLoader(engines, archived, progress, signal);
  try {
    const bytes = readArchiveFile(path, () => undefined);
    const again = await readArchive(bytes, loading);
    await loading.flush();
    if (again.sha256 !== end.sha256) throw new ArchiveFault('was changed while it was read');
  } catch (fault) {
    throw refusal(path, fault, 'The store holds a part of it, and no service starts on it.');
  }
  return { ...header, counts: loading.counts };
}

/** Turns a fault of the file into one sentence. It returns other faults unchanged. */
function refusal(path: string, fault: unknown, then: string): unknown {
  if (!(fault instanceof ArchiveFault)) return fault;
  return new ImportRefused(`The file ${path} ${fault.message}. ${then}`, { cause: fault });
}

/** Releases the store, so that a service may use it. */
export async function finishImport(
  { engines, now }: Pick<ImportOrder, 'engines' | 'now'>,
  header: Header,
): Promise<void> {
  await engines.documents.persist();
  return setImportState(engines.documents, { archive: header.id, done: true, at: now() });
}

/** Reads the whole archive and writes nothing. */
async function checkArchive(
  { archived, path, report, signal }: ImportOrder,
  size: number,
): Promise<readonly [Header, End]> {
  const names = new Set(archived.map(({ collection }) => collection.name));
  let header: Header | null = null;
  const bytes = readArchiveFile(path, (done) => report({ done, of: size, unit: 'bytes checked' }));
  try {
    const end = await readArchive(bytes, {
      begin: (first) => void (header = first),
      commit: () => signal.throwIfAborted(),
      data: () => signal.throwIfAborted(),
      blob: () => Promise.resolve(),
      document: ({ collection }) => {
        if (names.has(collection)) return;
        throw new ArchiveFault(`has documents of ${JSON.stringify(collection)}, which this release does not know`);
      },
    });
    if (header === null) throw new ArchiveFault('has no first line');
    return [header, end];
  } catch (fault) {
    throw refusal(path, fault, 'Nothing was imported.');
  }
}

async function empty({ events, documents }: Engines, { id }: Header): Promise<void> {
  const state = await importState(documents);
  if (state !== null && !state.done) {
    if (state.archive === id) return;
    throw new ImportRefused(
      `The store holds a part of another archive (${state.archive}), whose import did not end: import that one, or begin with an empty store.`,
    );
  }
  const [first] = (await events.scan(null, 1)).commits;
  if (first === undefined) return;
  throw new ImportRefused(
    `The store is not empty: it holds ${first.stream} since ${new Date(first.at).toISOString()}. Archives are imported into an empty store.`,
  );
}

/** The state of the last import; null if there was none. */
function importState(documents: Documents): Promise<ImportState | null> {
  return documents.collection(imports).get(ID);
}

function setImportState(documents: Documents, state: ImportState): Promise<void> {
  return documents.collection(imports).write([{ kind: 'put', id: ID, doc: state }]);
}

/** The error for a store with a partially imported archive, because no service may use it; null for other stores. */
export async function problemOfImport(documents: Documents): Promise<string | null> {
  const state = await importState(documents);
  if (state === null || state.done) return null;
  return (
    `The store holds a part of an archive (${state.archive}), because its import did not end: import the same file again ` +
    '(npm run operate -- import FILE), which goes on with it, or begin with an empty store.'
  );
}
