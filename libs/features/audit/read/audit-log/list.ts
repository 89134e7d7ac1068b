import type { ActorNameLookup } from '@assurance/access/lookups/actors';
import type { AuditLogEntry } from '@assurance/contracts/audit/answers/audit-log';
import type { PageEnds } from '@assurance/event-sourcing/projection/cursor-page';
import { readListing, pageOf, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { Documents, StoredDocument } from '@assurance/storage-ports';
import type { NamesOfChange } from './names';
import { type ChangeRow, changeRows } from './rows';

/** The filter of the log of administrative changes. */
export interface ChangeFilter {
  readonly org: string;
  /** Part of the name of the subject or of the actor. Ignores case. */
  readonly search: string;
  /** Empty for all. */
  readonly types: readonly string[];
  readonly kinds: readonly string[];
  /** Names of actors; empty for all. */
  readonly actors: readonly string[];
  /** Integer milliseconds, both ends included; null for open. */
  readonly from: number | null;
  readonly to: number | null;
  readonly direction: 'asc' | 'desc';
}

/** Look-ups of names by ids. */
export interface NameLookups {
  /** Finds the name of an actor. */
  readonly nameOf: ActorNameLookup;
  /** Finds the names of ids in changes. */
  readonly namesOf: (rows: readonly ChangeRow[]) => Promise<(row: ChangeRow) => NamesOfChange>;
}

/** One page of the log. Ties are in the order of ids. With a filter, it reads the whole log between the two times in bounded pieces. */
export async function listChanges(
  documents: Documents,
  { org, search, types, kinds, actors, from, to, direction }: ChangeFilter,
  page: PageRequest,
  { nameOf, namesOf }: NameLookups,
): Promise<PageEnds & { readonly entries: readonly AuditLogEntry[]; readonly count: number }> {
  const rows = documents.collection(changeRows);
  const range = { ...(from === null ? {} : { gte: from }), ...(to === null ? {} : { lte: to }) };
  const where = { org, ...(from === null && to === null ? {} : { at: range }) };
  const order = [
    ['at', direction],
    ['id', direction],
  ] as const;
  const isAll = search === '' && [...types, ...kinds, ...actors].length === 0;
  const { names, subjectOf } = isAll
    ? NOTHING_NAMED
    : await namesInLog(readListing(rows, { where, order, matches: null }), { nameOf, namesOf });
  const part = search.toLowerCase();
  const has = (name: string) => name.toLowerCase().includes(part);
  const among = (requested: readonly string[], value: string) => requested.length === 0 || requested.includes(value);
  const matches = (row: ChangeRow) => {
    const actor = names.get(row.actor) ?? row.actor;
    return (
      among(types, row.type) && among(kinds, row.kind) && among(actors, actor) && (has(subjectOf(row)) || has(actor))
    );
  };
  const { documents: changes, ...rest } = await pageOf<ChangeRow>(
    rows,
    { where, order, matches: isAll ? null : matches },
    page,
  );
  const namesOfRow = await namesOf(changes.map(({ doc }) => doc));
  const entries: AuditLogEntry[] = [];
  for (const { doc } of changes) {
    const { subject, values } = namesOfRow(doc);
    const entry = changeAnswer({ ...doc, name: subject }, await nameOf(doc.actor));
    entries.push({ ...entry, names: values });
  }
  return { entries, ...rest };
}

/** The names that a search in a log compares. */
interface NamesInLog {
  /** Names of actors, by their ids. */
  readonly names: ReadonlyMap<string, string>;
  readonly subjectOf: (row: ChangeRow) => string;
}

const NOTHING_NAMED: NamesInLog = { names: new Map(), subjectOf: ({ name }) => name };
/** How many rows get their names at once. */
const TOGETHER = 250;

async function namesInLog(
  rows: AsyncIterable<StoredDocument<ChangeRow>>,
  { nameOf, namesOf }: NameLookups,
): Promise<NamesInLog> {
  const names = new Map<string, string>();
  const subjects = new Map<string, string>();
  let unnamedRows: ChangeRow[] = [];
  const nameSubjects = async () => {
    const shown = await namesOf(unnamedRows);
    for (const row of unnamedRows) subjects.set(row.id, shown(row).subject);
    unnamedRows = [];
  };
  for await (const { doc } of rows) {
    if (!names.has(doc.actor)) names.set(doc.actor, await nameOf(doc.actor));
    if (doc.name === doc.subject && unnamedRows.push(doc) === TOGETHER) await nameSubjects();
  }
  await nameSubjects();
  return { names, subjectOf: ({ id, name }) => subjects.get(id) ?? name };
}

/** A change in the form of answers and events. */
export function changeAnswer(
  { id, type, actor, kind, subject, name, before, after, at }: ChangeRow,
  actorName: string,
): Omit<AuditLogEntry, 'names'> {
  return {
    id,
    type,
    actor: { id: actor, name: actorName },
    subject: { kind, id: subject, name },
    before,
    after,
    created_at: at / 1_000,
  };
}
