import type { Collection, CollectionDefinition, Document, Documents, Part } from '@assurance/storage-ports';
import { PIECE, rowOf, SqliteCollection } from './collection';
import { indexSql, type Table, tableOf } from './index-sql';
import type { Store } from './store';
import type { WriteBehind } from './write-behind';
import type { WriteQueue } from './write-queue';

/** Rows that one step takes from the other file. */
const ADOPTED = 2_000;

/** Documents in the SQLite files. Each collection has one table. Each declared index is a SQLite index over expressions or over columns. */
export class SqliteDocuments implements Documents {
  /** Collections that this process has used. Their tables have the indexes of all their definitions. */
  private readonly used = new Set<string>();
  /** Collections by definition. Callers ask for a collection at every use; its table is made once. */
  private readonly open = new WeakMap<object, unknown>();
  /** By table and definition: resolves when the table is made. */
  private readonly tables = new Map<string, Map<object, Promise<unknown>>>();
  /** By table: the file that contains it. */
  private readonly stores = new Map<string, Store>();
  /** By table: resolves when it is made or dropped. These operations wait for each other: a table that is being dropped must not accept rows. */
  private readonly underWay = new Map<string, Promise<unknown>>();

  constructor(
    private readonly lasting: Store,
    private readonly derived: Store,
    private readonly behind: WriteBehind,
  ) {}

  collection<T extends Document>(definition: CollectionDefinition<T>): Collection<T> {
    const cached = this.open.get(definition) as Collection<T> | undefined;
    if (cached !== undefined) return cached;
    const table = tableOf(definition);
    const store = this.storeOf(definition);
    const ready = () => this.ready(table, definition);
    const collection = new SqliteCollection<T>(definition, store, this.behind, ready);
    this.open.set(definition, collection);
    return collection;
  }

  async writeInOrder(steps: readonly (readonly Part[])[]): Promise<void> {
    let lasting: Part[] = [];
    let deferred = false;
    for (const part of steps.flat()) {
      if (part.writes.length === 0) continue;
      const collection = this.collection(part.collection);
      if (!this.behind.defers(tableOf(part.collection).name)) {
        // Later writes must not reach the file before earlier ones.
        if (deferred) await this.behind.flush();
        deferred = false;
        lasting.push(part);
        continue;
      }
      await this.writeParts(lasting);
      lasting = [];
      deferred = true;
      await collection.write(part.writes);
    }
    await this.writeParts(lasting);
  }

  async persist(): Promise<void> {
    await this.behind.flush();
    this.behind.clearCache();
  }

  private async writeParts(parts: readonly Part[]): Promise<void> {
    if (parts.reduce((sum, { writes }) => sum + writes.length, 0) > PIECE) {
      // One piece after another. Together they would be one group, and appends would wait for all of it.
      for (const { collection, writes } of parts) {
        for (let from = 0; from < writes.length; from += PIECE) {
          await this.collection(collection).write(writes.slice(from, from + PIECE));
        }
      }
      return;
    }
    const tables = parts.map(({ collection, writes }) => ({ collection, table: tableOf(collection), writes }));
    for (const { collection, table } of tables) await this.ready(table, collection);
    const rows = tables.map(({ table, writes }) => ({ table: table.name, writes: writes.map(rowOf) }));
    if (rows.length > 0) await this.lasting.writes.submit({ kind: 'parts', parts: rows });
  }

  async drop(definition: CollectionDefinition<Document>): Promise<void> {
    const { name } = tableOf(definition);
    const { writes } = this.storeOf(definition);
    await this.enqueue(name, () => this.remove(name, writes));
  }

  private async remove(table: string, own: WriteQueue): Promise<void> {
    await this.behind.drop(table);
    if (own !== this.lasting.writes) await this.dropOlder(table);
    await removeAllRows(own, table);
    const dropped = own.submit({ kind: 'drop', table });
    // From now on the next use makes the table again, after the drop in the queue.
    this.tables.delete(table);
    this.used.delete(table);
    await dropped;
  }

  /** @throws Error if another definition of the collection puts it into the other file */
  private storeOf(definition: CollectionDefinition<Document>): Store {
    const { name } = tableOf(definition);
    const store = definition.deferred === undefined ? this.lasting : this.derived;
    if ((this.stores.get(name) ?? store) !== store) {
      throw new Error(`one definition of ${definition.name} is deferred and another is not`);
    }
    this.stores.set(name, store);
    if (definition.deferred !== undefined) this.behind.defer(name, definition.deferred);
    return store;
  }

  private ready(table: Table, definition: CollectionDefinition<Document>): Promise<unknown> {
    const cache = this.tables.get(table.name) ?? new Map<object, Promise<unknown>>();
    this.tables.set(table.name, cache);
    const created = cache.get(definition) ?? this.enqueue(table.name, () => this.make(table, definition));
    if (!cache.has(definition)) {
      cache.set(definition, created);
      created.catch(() => cache.delete(definition));
    }
    return created;
  }

  private enqueue(table: string, work: () => Promise<void>): Promise<void> {
    const done = (this.underWay.get(table) ?? Promise.resolve()).then(work);
    this.underWay.set(
      table,
      done.catch(() => undefined),
    );
    return done;
  }

  /** Moves rows that an older release kept in the other file. It works in pieces and lets other work run between them. */
  private async adopt(table: string): Promise<void> {
    const next = () => this.derived.writes.submit({ kind: 'adopt', table, rows: ADOPTED });
    let adopted = await next();
    while (adopted === 'more') adopted = await next();
    if (adopted === 'all') await this.dropOlder(table);
  }

  /** Drops a deferred table from the file in which an older release kept it. */
  private async dropOlder(table: string): Promise<void> {
    await removeAllRows(this.lasting.writes, table);
    await this.lasting.writes.submit({ kind: 'drop', table });
  }

  private async make({ name, columns }: Table, definition: CollectionDefinition<Document>): Promise<void> {
    const complete = !this.used.has(name);
    this.used.add(name);
    const indexes = definition.indexes.map((index) => indexSql(tableOf(definition), index));
    const { writes } = this.storeOf(definition);
    if (definition.deferred !== undefined) await this.adopt(name);
    const make = (filled: boolean) =>
      writes.submit({ kind: 'collection', table: name, columns: columns ?? [], indexes, complete, filled });
    if (await make(false)) {
      // Fills the columns of rows that an older release wrote, or that were written with other indexes. Only callers of this collection wait.
      const fill = (after: number) => writes.submit({ kind: 'fill', table: name, after, rows: PIECE });
      for (let last = await fill(0); last !== null;) last = await fill(last);
      await make(true);
    }
    this.behind.markCreated(name);
  }
}

/** Removes the rows of a table in pieces until the table is small enough to drop at once. */
async function removeAllRows(writes: WriteQueue, table: string): Promise<void> {
  // SQLite drops a whole index in a millisecond for some thousand rows. Row by row it would take a hundred times as long.
  while (await writes.submit({ kind: 'unindex', table }));
  while (await writes.submit({ kind: 'clear', table, rows: PIECE }));
}
