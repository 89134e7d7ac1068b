import type { Connection, Value } from './connection';
import type { AdoptionResult } from './operations';

/**
 * Moves rows of a table from the other file, with its columns and indexes. Rows keep their numbers, so the next call continues after the last moved
 * row.
 *
 * @param rows the most rows of one call
 */
export function adoptRows(db: Connection, olderConnection: Connection, table: string, rows: number): AdoptionResult {
  const schemaQuery = `SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type DESC`;
  const statements = olderConnection.all<{ sql: string }>(schemaQuery, [table]);
  if (statements.length === 0) return 'none';
  if (db.all(schemaQuery, [table]).length === 0) for (const { sql } of statements) db.exec(sql);
  const { last } = db.get<{ last: number | null }>(`SELECT max(rowid) AS last FROM ${table}`, []) ?? {};
  const sql = `SELECT rowid AS number, * FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ? + 0`;
  const results = olderConnection.all<Record<string, Value>>(sql, [last ?? 0, rows]);
  for (const row of results) {
    const { number = null, ...cells } = row;
    const names = Object.keys(cells).map((name) => `"${name}"`);
    const places = names.map(() => '?').join(', ');
    db.run(`INSERT INTO ${table} (rowid, ${names.join(', ')}) VALUES (?, ${places})`, [
      number,
      ...Object.values(cells),
    ]);
  }
  return results.length === rows ? 'more' : 'all';
}
