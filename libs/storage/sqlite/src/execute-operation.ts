import type { Commit } from '@assurance/storage-ports';
import { adoptRows } from './adopt-rows';
import { type Column, columnName, findColumn, columnValues, quoteName } from './columns';
import type { Connection, Value } from './connection';
import { markRestored } from './derived-file';
import { toKey } from './key';
import {
  type CommitRow,
  type Operation,
  type Outcomes,
  ROW_CELLS,
  type RowChange,
  type TableRows,
  type RowWrite,
} from './operations';
import { markWritten } from './schema';

const CHUNK_BYTES = 256 * 1024;
/** Up to about this many rows, `DROP TABLE` is used at once. */
const DROPPED_AT_ONCE = 20_000;

/**
 * Carries out one operation inside the open transaction.
 *
 * @param openOlder opens the other file, where an older release kept all documents
 */
export function executeOperation(
  db: Connection,
  operation: Operation,
  openOlder: () => Connection,
): Outcomes[Operation['kind']] {
  switch (operation.kind) {
    case 'append':
      return append(db, operation.commit);
    case 'data':
      return data(db, operation.org, operation.digest, operation.bytes);
    case 'undata':
      return removeDigests(db, operation);
    case 'unstream':
      return removeCommits(db, operation);
    case 'remove-data':
      removeData(db, operation.org, operation.digest);
      return null;
    case 'write':
      for (const rowWrite of operation.writes) write(db, operation.table, rowWrite);
      return null;
    case 'parts':
      for (const { table, writes } of operation.parts) for (const rowWrite of writes) write(db, table, rowWrite);
      return null;
    case 'rows':
      for (const tableRows of operation.rows) writeRows(db, tableRows);
      return null;
    case 'merge':
      return operation.changes.map((change) => merge(db, operation.table, change));
    case 'positions':
      for (const { consumers, position, id } of operation.positions) {
        db.run('INSERT OR REPLACE INTO positions (consumers, position, id) VALUES (?, ?, ?)', [
          consumers,
          position,
          id,
        ]);
      }
      return null;
    case 'sync':
      markWritten(db);
      return null;
    case 'adopt':
      return adoptRows(db, openOlder(), operation.table, operation.rows);
    case 'restored':
      markRestored(db);
      return null;
    case 'collection':
      return collection(db, operation);
    case 'fill':
      return fill(db, operation.table, operation.after, operation.rows);
    case 'unindex':
      return dropIndex(db, operation.table);
    case 'clear':
      return clear(db, operation.table, operation.rows);
    case 'drop':
      db.exec(`DROP TABLE IF EXISTS ${operation.table}`);
      columns.delete(db);
      return null;
  }
}

interface CommitRef {
  readonly seq: number;
  readonly id: string;
  readonly hash: string;
}

function append(db: Connection, commit: CommitRow): Outcomes['append'] {
  const { stream, seq, id, at, actor, snapshot, prev, hash, body } = commit;
  // Reads this place and the one before it in one search.
  const places = 'SELECT seq, id, hash FROM commits WHERE stream = ? AND seq >= ? AND seq <= ? ORDER BY seq DESC';
  const [newer] = db.all<CommitRef>(places, [stream, seq - 1, seq]);
  if (newer?.seq === seq) return newer.id === id ? 'there' : 'conflict';
  // The hash is compared: if another commit has the previous place, the parent of this commit is missing.
  if (seq > 1 && newer?.hash !== prev) return 'gap';
  return db.insert(
    'INSERT INTO commits (stream, seq, id, at, actor, snapshot, hash, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    [stream, seq, id, at, actor, snapshot, hash, body],
  );
}

function data(db: Connection, org: string, digest: string, bytes: Uint8Array): null {
  const chunks = Math.ceil(bytes.length / CHUNK_BYTES);
  const added = db.run('INSERT OR IGNORE INTO data (org, digest, chunks) VALUES (?, ?, ?)', [org, digest, chunks]);
  if (added === 0) return null;
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let number = 0; number < chunks; number += 1) {
    const chunk = whole.subarray(number * CHUNK_BYTES, (number + 1) * CHUNK_BYTES);
    db.run('INSERT INTO data_chunks (org, digest, number, bytes) VALUES (?, ?, ?, ?)', [org, digest, number, chunk]);
  }
  return null;
}

function removeDigests(db: Connection, { stream, seq, digests }: Extract<Operation, { kind: 'undata' }>): null {
  const row = db.get<{ body: string }>('SELECT body FROM commits WHERE stream = ? AND seq = ?', [stream, seq]);
  if (row === undefined) return null;
  const commit = JSON.parse(row.body) as Commit;
  const events = commit.events.map(({ data, ...event }) =>
    data === undefined || digests.includes(event.digest) ? event : { ...event, data },
  );
  const body = JSON.stringify({ ...commit, events });
  db.run('UPDATE commits SET body = ? WHERE stream = ? AND seq = ?', [body, stream, seq]);
  const own = new Set(events.map(({ digest }) => digest));
  for (const digest of digests.filter((candidate) => own.has(candidate))) removeData(db, commit.org, digest);
  return null;
}

function removeCommits(db: Connection, { stream, commits }: Extract<Operation, { kind: 'unstream' }>): number {
  const sql = 'SELECT position, body FROM commits WHERE stream = ? ORDER BY seq DESC LIMIT ? + 0';
  const rows = db.all<{ position: number; body: string }>(sql, [stream, commits]);
  for (const { position, body } of rows) {
    const { org, events } = JSON.parse(body) as Commit;
    for (const { data, digest } of events) if (data === undefined) removeData(db, org, digest);
    db.run('DELETE FROM commits WHERE position = ?', [position]);
  }
  return rows.length;
}

function removeData(db: Connection, org: string, digest: string): void {
  db.run('DELETE FROM data WHERE org = ? AND digest = ?', [toKey(org), digest]);
  db.run('DELETE FROM data_chunks WHERE org = ? AND digest = ?', [toKey(org), digest]);
}

/** Columns of tables, as last read. */
const columns = new WeakMap<Connection, Map<string, readonly Column[]>>();

/** Clears the cached columns, because a rollback may have changed them. */
export function forgetColumns(db: Connection): void {
  columns.delete(db);
}

function columnsIn(db: Connection, table: string): readonly Column[] {
  const cache = columns.get(db) ?? new Map<string, readonly Column[]>();
  columns.set(db, cache);
  const its =
    cache.get(table) ??
    db
      .all<{ name: string }>('SELECT name FROM pragma_table_info(?)', [table])
      .flatMap(({ name }) => findColumn(name) ?? []);
  cache.set(table, its);
  return its;
}

/** A row without a seq has -1, so any `forward` has a higher seq. `put` and `merge` keep the existing seq. */
function write(db: Connection, table: string, rowWrite: RowWrite): void {
  const insert = `INSERT INTO ${table} (id, rev, seq, doc) VALUES (?, 1, ?, ?) ON CONFLICT (id) DO UPDATE SET rev = rev + 1, doc = excluded.doc`;
  if (rowWrite.kind === 'forget') {
    db.run(`DELETE FROM ${table} WHERE id = ?`, [rowWrite.id]);
    return;
  }
  const doc = rowWrite.kind === 'remove' ? null : rowWrite.doc;
  const changed =
    rowWrite.kind === 'put'
      ? db.run(insert, [rowWrite.id, -1, doc])
      : db.run(`${insert}, seq = excluded.seq WHERE ${table}.seq < excluded.seq`, [rowWrite.id, rowWrite.seq, doc]);
  if (changed === 1) setColumns(db, table, rowWrite.id, doc);
}

function writeRows(db: Connection, { table, cells }: TableRows): void {
  const its = columnsIn(db, table);
  const sql = keepSql(table, its);
  for (let i = 0; i < cells.length; i += ROW_CELLS) {
    const [id = null, seq = null, doc = null] = [cells[i], cells[i + 1], cells[i + 2]];
    if (seq === null) db.run(`DELETE FROM ${table} WHERE id = ?`, [id]);
    else db.run(sql, [id, seq, doc, ...columnsOfRow(its, doc as string | null)]);
  }
}

function columnsOfRow(its: readonly Column[], doc: string | null): Value[] {
  return doc === null ? its.map(() => null) : columnValues(its, doc);
}

const statements = new WeakMap<readonly Column[], string>();

function keepSql(table: string, its: readonly Column[]): string {
  const cached = statements.get(its);
  if (cached !== undefined) return cached;
  const names = ['seq', 'doc', ...its.map((column) => quoteName(columnName(column)))];
  const sql =
    `INSERT INTO ${table} (rev, id, ${names.join(', ')}) VALUES (1, ?${', ?'.repeat(names.length)}) ` +
    `ON CONFLICT (id) DO UPDATE SET rev = rev + 1, ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`;
  statements.set(its, sql);
  return sql;
}

function merge(db: Connection, table: string, { id, rev, doc }: RowChange): boolean {
  const changed =
    rev === null
      ? db.run(`INSERT OR IGNORE INTO ${table} (id, rev, seq, doc) VALUES (?, 1, -1, ?)`, [id, doc])
      : db.run(`UPDATE ${table} SET rev = rev + 1, doc = ? WHERE id = ? AND rev = ?`, [doc, id, rev]);
  if (changed === 1) setColumns(db, table, id, doc);
  return changed === 1;
}

/** Sets the columns of a row to the values of its document. */
function setColumns(db: Connection, table: string, id: string, doc: string | null): void {
  const its = columnsIn(db, table);
  if (its.length === 0) return;
  const values = columnsOfRow(its, doc);
  const set = its.map((column) => `${quoteName(columnName(column))} = ?`).join(', ');
  db.run(`UPDATE ${table} SET ${set} WHERE id = ?`, [...values, id]);
}

function collection(
  db: Connection,
  { table, columns: wantedColumns, indexes, complete, filled }: Extract<Operation, { kind: 'collection' }>,
): boolean {
  const names = wantedColumns.map((column) => quoteName(columnName(column)));
  const all = ['id TEXT PRIMARY KEY NOT NULL', 'rev INTEGER NOT NULL', 'seq INTEGER NOT NULL', 'doc TEXT', ...names];
  db.exec(`CREATE TABLE IF NOT EXISTS ${table} (${all.join(', ')})`);
  const before = new Set(columnsIn(db, table).map((column) => quoteName(columnName(column))));
  for (const name of names) if (!before.has(name)) db.exec(`ALTER TABLE ${table} ADD COLUMN ${name}`);
  columns.delete(db);
  const existing = indexesOf(db, table);
  const required = new Set(indexes.map(([name]) => name));
  for (const name of existing) if (complete && !required.has(name)) db.exec(`DROP INDEX ${name}`);
  const there = new Set(existing);
  const missing = indexes.filter(([name]) => !there.has(name));
  // If an index is missing, its columns may be empty too: an index is dropped before rows are written without them.
  const unfilled = wantedColumns.length > 0 && missing.length > 0 && !filled;
  if (unfilled && db.get(`SELECT 1 AS one FROM ${table} LIMIT 1`, []) !== undefined) return true;
  for (const [, sql] of missing) db.exec(sql);
  return false;
}

function fill(db: Connection, table: string, after: number, rows: number): number | null {
  const sql = `SELECT rowid AS place, id, doc FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ? + 0`;
  const result = db.all<{ place: number; id: string; doc: string | null }>(sql, [after, rows]);
  for (const { id, doc } of result) setColumns(db, table, id, doc);
  return result.at(-1)?.place ?? null;
}

/**
 * @returns whether more rows are left than `DROP TABLE` removes in some milliseconds. `DROP TABLE` writes a thousandth of what `DELETE` does, but all
 * at once.
 */
function clear(db: Connection, table: string, rows: number): boolean {
  if (db.get('SELECT 1 FROM sqlite_master WHERE name = ?', [table]) === undefined) return false;
  const sql = `SELECT (SELECT max(rowid) FROM ${table}) - (SELECT min(rowid) FROM ${table}) AS span`;
  const { span } = db.get<{ span: number | null }>(sql, []) ?? {};
  if ((span ?? 0) < DROPPED_AT_ONCE) return false;
  db.run(`DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} ORDER BY rowid LIMIT ? + 0)`, [rows]);
  return true;
}

function dropIndex(db: Connection, table: string): boolean {
  const [name] = indexesOf(db, table);
  if (name !== undefined) db.exec(`DROP INDEX ${name}`);
  return name !== undefined;
}

function indexesOf(db: Connection, table: string): string[] {
  const sql = `SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL`;
  return db.all<{ name: string }>(sql, [table]).map(({ name }) => name);
}
