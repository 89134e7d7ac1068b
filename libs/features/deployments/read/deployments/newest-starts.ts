import type { Documents, StoredDocument } from '@assurance/storage-ports';
import { type DeploymentRow, deployments } from './rows';

/** Mostly the first one is what is looked for. */
const FIRST = 20;
const PIECE = 1_000;

/**
 * Deployments of base names to an environment, newest start first. They are read as far as somebody looks, once for all who look: thousands of artifacts
 * of one name may return or leave at once. Rows come and never go, and those of earlier snapshots are written.
 */
export class NewestStarts {
  private readonly lists = new Map<string, { readonly rows: StoredDocument<DeploymentRow>[]; readonly more: Starts }>();

  constructor(
    private readonly documents: Documents,
    private readonly environment: string,
  ) {}

  /** Those of some snapshots, both ends included. */
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
      // Taken out meanwhile.
      if (rows[place] !== row) place -= 1;
    }
  }

  /** Takes one out of the list that `of` gave it from. */
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

/** @returns false where nothing is left */
async function read(rows: StoredDocument<DeploymentRow>[], more: Starts): Promise<boolean> {
  const next = await more.next();
  if (next.done !== true) rows.push(...next.value);
  return next.done !== true;
}

/** All starts, newest first, those of a snapshot together. */
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

/** The first place in an ordered list of which a condition does not hold. */
function firstNot<T>(items: readonly T[], holds: (item: T | undefined) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(items[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Newest start first, then by fingerprint. */
export function byStart({ doc: a }: StoredDocument<DeploymentRow>, { doc: b }: StoredDocument<DeploymentRow>): number {
  return b.snapshot - a.snapshot || b.deployedAt - a.deployedAt || (a.fingerprint < b.fingerprint ? -1 : 1);
}
