import type { Documents, StoredDocument } from '@assurance/storage-ports';
import { type DeploymentRow, deployments } from './rows';

/** How many rows the first query reads. Mostly the first row is the result. */
const FIRST = 20;
const PIECE = 1_000;

/**
 * Deployments of base names to an environment, newest start first. It reads only as far as needed, and all readers share the rows: thousands of
 * artifacts of one name may return or leave at once. Rows are added and never removed, and rows of earlier snapshots are already written.
 */
export class NewestStarts {
  private readonly lists = new Map<string, { readonly rows: StoredDocument<DeploymentRow>[]; readonly more: Starts }>();

  constructor(
    private readonly documents: Documents,
    private readonly environment: string,
  ) {}

  /** Yields the deployments of some snapshots, both ends included. */
  async *of(
    base: string,
    { from, to }: { readonly from: number; readonly to: number },
  ): AsyncGenerator<StoredDocument<DeploymentRow>> {
    const { rows, more } = this.list(base);
    const isLater = (row: StoredDocument<DeploymentRow> | undefined) => row !== undefined && row.doc.snapshot > to;
    while ((rows.length === 0 || isLater(rows.at(-1))) && (await read(rows, more)));
    for (let place = firstNot(rows, isLater); place < rows.length || (await read(rows, more)); place += 1) {
      const row = rows[place];
      if (row === undefined || row.doc.snapshot < from) return;
      yield row;
      // The row was removed meanwhile.
      if (rows[place] !== row) place -= 1;
    }
  }

  /** Removes a row from the list of its base name. */
  remove(base: string, row: StoredDocument<DeploymentRow>): void {
    const { rows } = this.list(base);
    const place = rows.indexOf(row);
    if (place !== -1) rows.splice(place, 1);
  }

  private list(base: string) {
    const cached = this.lists.get(base) ?? { rows: [], more: starts(this.documents, this.environment, base) };
    this.lists.set(base, cached);
    return cached;
  }
}

type Starts = AsyncGenerator<readonly StoredDocument<DeploymentRow>[]>;

/** @returns false if nothing is left */
async function read(rows: StoredDocument<DeploymentRow>[], more: Starts): Promise<boolean> {
  const next = await more.next();
  if (next.done !== true) rows.push(...next.value);
  return next.done !== true;
}

/** Yields all starts, newest first. Starts of one snapshot come together. */
async function* starts(documents: Documents, environment: string, base: string): Starts {
  const collection = documents.collection<DeploymentRow>(deployments);
  let together: StoredDocument<DeploymentRow>[] = [];
  for (let skip = 0, limit = FIRST; ; skip += limit, limit = PIECE) {
    const results = await collection.find({ where: { environment, base }, order: [['snapshot', 'desc']], skip, limit });
    for (const document of results) {
      if (together[0] !== undefined && together[0].doc.snapshot !== document.doc.snapshot) {
        yield together.sort(byStart);
        together = [];
      }
      together.push(document);
    }
    if (results.length < limit) break;
  }
  if (together.length > 0) yield together.sort(byStart);
}

/** Returns the first index in a sorted list at which a condition is false. */
function firstNot<T>(items: readonly T[], holds: (item: T | undefined) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(items[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Sorts by newest start, then by fingerprint. */
export function byStart({ doc: a }: StoredDocument<DeploymentRow>, { doc: b }: StoredDocument<DeploymentRow>): number {
  return b.snapshot - a.snapshot || b.deployedAt - a.deployedAt || (a.fingerprint < b.fingerprint ? -1 : 1);
}
