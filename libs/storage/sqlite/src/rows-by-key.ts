import type { Reader } from './reader';

/** Up to this number, rows are read one by one. For a list, SQLite builds a table in memory, which costs as much as several reads. */
const ONE_BY_ONE = 16;
const KEYS_A_READ = 500;

export interface KeyedRow {
  readonly id: string;
}

/** The existing rows of a table with these keys, in any order. */
export function rowsByKey<Row extends KeyedRow>(
  reader: Reader,
  table: string,
  columns: string,
  keys: readonly string[],
): Row[] {
  const select = `SELECT ${columns} FROM ${table} WHERE id`;
  if (keys.length <= ONE_BY_ONE) {
    return [...new Set(keys)].flatMap((key) => reader.get<Row>(`${select} = ?`, [key]) ?? []);
  }
  const rows: Row[] = [];
  for (let from = 0; from < keys.length; from += KEYS_A_READ) {
    const keyPage = JSON.stringify(keys.slice(from, from + KEYS_A_READ));
    rows.push(...reader.all<Row>(`${select} IN (SELECT value FROM json_each(?))`, [keyPage]));
  }
  return rows;
}
