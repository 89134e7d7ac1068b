import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** Values for SQLite. The driver refuses booleans and undefined. */
export type Value = string | number | bigint | Uint8Array | null;

const STATEMENTS_MAX = 300;

/**
 * One synchronous connection to a SQLite file, with its prepared statements. Write `LIMIT ? + 0`: SQLite uses the value of a bare `LIMIT ?` in its
 * plan, so it prepares the statement again at every use. That costs more than ten short reads.
 */
export class Connection {
  private readonly db: DatabaseSync;
  private readonly statements = new Map<string, StatementSync>();

  constructor(file: string) {
    this.db = new DatabaseSync(file);
  }

  get inTransaction(): boolean {
    return this.db.isTransaction;
  }

  exec(sql: string): void {
    this.db.exec(sql);
  }

  run(sql: string, values: readonly Value[]): number {
    return Number(this.prepare(sql).run(...values).changes);
  }

  /** @returns the number of the row */
  insert(sql: string, values: readonly Value[]): number {
    return Number(this.prepare(sql).run(...values).lastInsertRowid);
  }

  get<Row>(sql: string, values: readonly Value[]): Row | undefined {
    return this.prepare(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, values: readonly Value[]): Row[] {
    return this.prepare(sql).all(...values) as Row[];
  }

  close(): void {
    this.statements.clear();
    this.db.close();
  }

  private prepare(sql: string): StatementSync {
    const cachedStatement = this.statements.get(sql);
    if (cachedStatement !== undefined) return cachedStatement;
    for (const oldest of this.statements.keys()) {
      if (this.statements.size < STATEMENTS_MAX) break;
      this.statements.delete(oldest);
    }
    const statement = this.db.prepare(sql);
    this.statements.set(sql, statement);
    return statement;
  }
}
