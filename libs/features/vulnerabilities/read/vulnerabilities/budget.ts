import { pieces, roughBytes, Slices } from '@assurance/kernel';
import { type Collection, getAll } from '@assurance/storage-ports';

/** The most memory of the rows that one question keeps (bytes, as `roughBytes` estimates): two of an organization are answered at once. */
const BYTES_MAX = 192 * 1024 * 1024;

/** How much memory the rows of one question may still take. Their number alone bounds nothing: whoever sends them decides how long their texts are. */
export class Budget {
  /** @param left bytes */
  constructor(private left = BYTES_MAX) {}

  /** Whether there is room for a row, which counts from now on. */
  hasRoomFor(row: object): boolean {
    this.left -= roughBytes(row);
    return this.left >= 0;
  }
}

/** Documents by their ids; `too-many` beyond the budget. @param together how many a read brings at once */
export async function getWithin<Row extends object>(
  collection: Pick<Collection<Row>, 'getMany'>,
  ids: Iterable<string>,
  budget: Budget,
  together: number,
): Promise<ReadonlyMap<string, Row> | 'too-many'> {
  const rows = new Map<string, Row>();
  const slices = new Slices();
  for (const some of pieces([...new Set(ids)], together)) {
    for (const [id, row] of await getAll(collection, some)) {
      await slices.pause();
      if (!budget.hasRoomFor(row)) return 'too-many';
      rows.set(id, row);
    }
  }
  return rows;
}
