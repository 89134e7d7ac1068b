import type { ActorNameLookup } from '@assurance/access/lookups/actors';
import type { AuditLogEntry } from '@assurance/contracts/audit/answers/audit-log';
import type { PageEnds } from '@assurance/event-sourcing/projection/cursor-page';
import { readListing, pageOf, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { Documents, StoredDocument } from '@assurance/storage-ports';
import { type ChangeRow, changeRows } from './rows';

/** The filter of the log of administrative changes. */
export interface ChangeFilter {
  readonly org: string;
  /** Part of the name of the subject or of who acted, in any case. */
  readonly search: string;
  /** Empty for all. */
  readonly types: readonly string[];
  readonly kinds: readonly string[];
  /** Names of who acted; empty for all. */
  readonly actors: readonly string[];
  /** Integer milliseconds, both ends included; null for open. */
  readonly from: number | null;
  readonly to: number | null;
  readonly direction: 'asc' | 'desc';
}

/** One page of the log, ties in the order of ids. With a filter, the log between the two times is read through in bounded pieces. */
export async function listChanges(
  documents: Documents,
  { org, search, types, kinds, actors, from, to, direction }: ChangeFilter,
  page: PageRequest,
  nameOf: ActorNameLookup,
): Promise<PageEnds & { readonly entries: readonly AuditLogEntry[]; readonly count: number }> {
  const rows = documents.collection(changeRows);
  const range = { ...(from === null ? {} : { gte: from }), ...(to === null ? {} : { lte: to }) };
  const where = { org, ...(from === null && to === null ? {} : { at: range }) };
  const order = [
    ['at', direction],
    ['id', direction],
  ] as const;
  const isAll = search === '' && [...types, ...kinds, ...actors].length === 0;
  const names = isAll
    ? new Map<string, string>()
    : await namesOfActors(readListing(rows, { where, order, matches: null }), nameOf);
  const part = search.toLowerCase();
  const has = (name: string) => name.toLowerCase().includes(part);
  const among = (requested: readonly string[], value: string) => requested.length === 0 || requested.includes(value);
  const matches = ({ type, kind, name, actor }: ChangeRow) =>
    among(types, type) &&
    among(kinds, kind) &&
    among(actors, names.get(actor) ?? actor) &&
    (has(name) || has(names.get(actor) ?? actor));
  const { documents: changes, ...rest } = await pageOf<ChangeRow>(
    rows,
    { where, order, matches: isAll ? null : matches },
    page,
  );
  const entries: AuditLogEntry[] = [];
  for (const { doc } of changes) entries.push(auditLogEntry(doc, await nameOf(doc.actor)));
  return { entries, ...rest };
}

/** The names of all who acted, by their ids. */
async function namesOfActors(
  rows: AsyncIterable<StoredDocument<ChangeRow>>,
  nameOf: ActorNameLookup,
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for await (const { doc } of rows) if (!names.has(doc.actor)) names.set(doc.actor, await nameOf(doc.actor));
  return names;
}

/** A change as answers and events show it. */
export function auditLogEntry(
  { id, type, actor, kind, subject, name, before, after, at }: ChangeRow,
  actorName: string,
): AuditLogEntry {
  return {
    ...{ id, type, actor: { id: actor, name: actorName } },
    ...{ subject: { kind, id: subject, name }, before, after, created_at: at / 1_000 },
  };
}
