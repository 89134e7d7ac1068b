import { type Collection, type Documents, findPages, type StoredDocument } from '@assurance/storage-ports';
import { type DeploymentRow, deployments } from './rows';

/** How many rows the first query reads. Mostly the first row is the result. */
const FIRST = 20;
const PIECE = 1_000;

/**
 * Deployments of base names to an environment, newest start first. It reads only as far as needed, and all readers share the rows: thousands of
 * artifacts of one name may return or leave at once. Rows are added and never removed, and rows of earlier snapshots are already written.
 */
export class NewestStarts {
  private readonly lists = new Map<string, Starts>();

  constructor(
    private readonly documents: Documents,
    private readonly environment: string,
  ) {}

  /** Yields the deployments of some snapshots, both ends included. */
  async *of(
    base: string,
    { from, to }: { readonly from: number; readonly to: number },
  ): AsyncGenerator<StoredDocument<DeploymentRow>> {
    const starts = this.list(base);
    const { rows } = starts;
    const isLater = (row: StoredDocument<DeploymentRow> | undefined) => row !== undefined && row.doc.snapshot > to;
    while ((rows.length === 0 || isLater(rows.at(-1))) && (await starts.read(from)));
    for (let place = firstNot(rows, isLater); place < rows.length || (await starts.read(from)); place += 1) {
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

  private list(base: string): Starts {
    const collection = this.documents.collection<DeploymentRow>(deployments);
    const cachedStarts = this.lists.get(base) ?? new Starts(collection, this.environment, base);
    this.lists.set(base, cachedStarts);
    return cachedStarts;
  }
}

/** The starts of one base name from the newest snapshot down to the one that was read last, which is complete. */
class Starts {
  readonly rows: StoredDocument<DeploymentRow>[] = [];
  /** The oldest snapshot that was read. */
  private oldest = Infinity;
  private currentRead = Promise.resolve();

  constructor(
    private readonly collection: Collection<DeploymentRow>,
    private readonly environment: string,
    private readonly base: string,
  ) {}

  /**
   * Reads older rows, unless another reader does so meanwhile.
   *
   * @param from the oldest snapshot that the reader needs
   * @returns false if no snapshot from there on has a further row
   */
  async read(from: number): Promise<boolean> {
    const before = this.rows.length;
    this.currentRead = this.currentRead.then(() => (this.rows.length > before ? undefined : this.readOlder(from)));
    await this.currentRead;
    return this.rows.length > before;
  }

  /** Reads a page below the oldest snapshot, and the rest of the snapshot at its end. An offset would count all newer rows again. */
  private async readOlder(from: number): Promise<void> {
    if (this.oldest <= from) return;
    const { collection, environment, base } = this;
    const [limit, older] = this.oldest === Infinity ? [FIRST, {}] : [PIECE, { lte: this.oldest - 1 }];
    const where = { environment, base, snapshot: { gte: from, ...older } };
    const page = await collection.find({ where, order: [['snapshot', 'desc']], limit });
    const end = page.length < limit ? undefined : page.at(-1)?.doc.snapshot;
    const read = page.filter(({ doc }) => doc.snapshot !== end);
    if (end !== undefined) {
      for await (const some of findPages(collection, { where: { environment, base, snapshot: end } }, PIECE))
        read.push(...some);
    }
    this.rows.push(...read.sort(byStart));
    this.oldest = end ?? from;
  }
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
  return compareStarts(a, b);
}

type OrderedStart = Pick<DeploymentRow, 'snapshot' | 'deployedAt' | 'fingerprint'>;

/** The same order of rows without their ids. */
export function compareStarts(a: OrderedStart, b: OrderedStart): number {
  return b.snapshot - a.snapshot || b.deployedAt - a.deployedAt || (a.fingerprint < b.fingerprint ? -1 : 1);
}
