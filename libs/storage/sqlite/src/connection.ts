import Database from 'libsql';

/** What SQLite is given. Never a boolean or undefined: the driver ends the process on them. */
export type Value = string | number | Uint8Array | null;

const STATEMENTS_MAX = 300;

/** One connection to a SQLite file, with its prepared statements. Synchronous. */
export class Connection {
  private readonly db: Database.Database;
  private readonly statements = new Map<string, Database.Statement>();

  constructor(file: string) {
    this.db = new Database(file);
  }

  get inTransaction(): boolean {
    return this.db.inTransaction;
  }

  exec(sql: string): void {
    this.db.exec(sql);
  }

  run(sql: string, values: readonly Value[]): number {
    return this.prepared(sql).run(values).changes;
  }

  get<Row>(sql: string, values: readonly Value[]): Row | undefined {
    return this.prepared(sql).get(values) as Row | undefined;
  }

  all<Row>(sql: string, values: readonly Value[]): Row[] {
    return this.prepared(sql).all(values) as Row[];
  }

  /** The file itself is let go when the garbage collector has taken the statements. */
  close(): void {
    this.statements.clear();
    this.db.close();
  }

  private prepared(sql: string): Database.Statement {
    const known = this.statements.get(sql);
    if (known !== undefined) return known;
    for (const oldest of this.statements.keys()) {
      if (this.statements.size < STATEMENTS_MAX) break;
      this.statements.delete(oldest);
    }
    const made = this.db.prepare(sql);
    this.statements.set(sql, made);
    return made;
  }
}
