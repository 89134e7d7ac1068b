import type { Connection } from './connection';
import type { CommitRow, Operation, Outcomes, RowChange, RowKept, RowWrite } from './operations';

const CHUNK_BYTES = 256 * 1024;

/** Carries out one operation inside the transaction that is open. */
export function carryOut(db: Connection, operation: Operation): Outcomes[Operation['kind']] {
  switch (operation.kind) {
    case 'append':
      return append(db, operation.commit);
    case 'data':
      return data(db, operation.org, operation.digest, operation.bytes);
    case 'write':
      for (const one of operation.writes) write(db, operation.table, one);
      return null;
    case 'parts':
      for (const { table, writes } of operation.parts) for (const one of writes) write(db, table, one);
      return null;
    case 'rows':
      for (const one of operation.rows) keep(db, one);
      return null;
    case 'merge':
      return operation.changes.map((change) => merge(db, operation.table, change));
    case 'position':
      db.run('INSERT OR REPLACE INTO positions (consumers, position) VALUES (?, ?)', [
        operation.consumers,
        operation.position,
      ]);
      return null;
    case 'collection':
      return collection(db, operation);
    case 'unindex':
      return unindex(db, operation.table);
    case 'clear':
      return db.run(
        `DELETE FROM ${operation.table} WHERE rowid IN (SELECT rowid FROM ${operation.table} LIMIT ? + 0)`,
        [operation.rows],
      );
    case 'drop':
      db.exec(`DROP TABLE IF EXISTS ${operation.table}`);
      return null;
  }
}

interface Place {
  readonly seq: number;
  readonly id: string;
  readonly hash: string;
}

function append(db: Connection, commit: CommitRow): Outcomes['append'] {
  const { stream, seq, id, at, actor, snapshot, prev, hash, body } = commit;
  // This place and the one before it, in one search.
  const places = 'SELECT seq, id, hash FROM commits WHERE stream = ? AND seq >= ? AND seq <= ? ORDER BY seq DESC';
  const [newer] = db.all<Place>(places, [stream, seq - 1, seq]);
  if (newer?.seq === seq) return newer.id === id ? 'there' : 'conflict';
  // By its hash: where another has the place before, this one follows a commit that is not there.
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

/** A row without a seq has -1, so that any `forward` passes it; `put` and `merge` leave the seq that is there. */
function write(db: Connection, table: string, one: RowWrite): void {
  const insert = `INSERT INTO ${table} (id, rev, seq, doc) VALUES (?, 1, ?, ?) ON CONFLICT (id) DO UPDATE SET rev = rev + 1, doc = excluded.doc`;
  switch (one.kind) {
    case 'put':
      db.run(insert, [one.id, -1, one.doc]);
      return;
    case 'forward':
    case 'remove':
      db.run(`${insert}, seq = excluded.seq WHERE ${table}.seq < excluded.seq`, [
        one.id,
        one.seq,
        one.kind === 'forward' ? one.doc : null,
      ]);
      return;
    case 'forget':
      db.run(`DELETE FROM ${table} WHERE id = ?`, [one.id]);
      return;
  }
}

function keep(db: Connection, { table, id, row }: RowKept): void {
  if (row === null) db.run(`DELETE FROM ${table} WHERE id = ?`, [id]);
  else
    db.run(
      `INSERT INTO ${table} (id, rev, seq, doc) VALUES (?, 1, ?, ?) ON CONFLICT (id) DO UPDATE SET rev = rev + 1, seq = excluded.seq, doc = excluded.doc`,
      [id, row.seq, row.doc],
    );
}

function merge(db: Connection, table: string, { id, rev, doc }: RowChange): boolean {
  const changed =
    rev === null
      ? db.run(`INSERT OR IGNORE INTO ${table} (id, rev, seq, doc) VALUES (?, 1, -1, ?)`, [id, doc])
      : db.run(`UPDATE ${table} SET rev = rev + 1, doc = ? WHERE id = ? AND rev = ?`, [doc, id, rev]);
  return changed === 1;
}

function collection(db: Connection, { table, indexes, complete }: Extract<Operation, { kind: 'collection' }>): null {
  db.exec(
    `CREATE TABLE IF NOT EXISTS ${table} (id TEXT PRIMARY KEY NOT NULL, rev INTEGER NOT NULL, seq INTEGER NOT NULL, doc TEXT)`,
  );
  const made = indexesOf(db, table);
  const wanted = new Set(indexes.map(([name]) => name));
  for (const name of made) if (complete && !wanted.has(name)) db.exec(`DROP INDEX ${name}`);
  const there = new Set(made);
  for (const [name, sql] of indexes) if (!there.has(name)) db.exec(sql);
  return null;
}

function unindex(db: Connection, table: string): boolean {
  const [name] = indexesOf(db, table);
  if (name !== undefined) db.exec(`DROP INDEX ${name}`);
  return name !== undefined;
}

function indexesOf(db: Connection, table: string): string[] {
  const sql = `SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL`;
  return db.all<{ name: string }>(sql, [table]).map(({ name }) => name);
}
