import { pieces, roughBytes, Slices } from '@assurance/kernel';
import type { Collection } from '@assurance/storage-ports';

/** The most memory of the rows of one query (bytes, as `roughBytes` estimates). Two queries of an organization run at once. */
const BYTES_MAX = 192 * 1024 * 1024;

/**
 * Tracks how much memory the rows of one query may still take. A limit of the number of rows is not enough, because clients decide how long texts
 * are.
 */
export class Budget {
  /** @param bytesLeft bytes */
  constructor(private bytesLeft = BYTES_MAX) {}

  /** Whether there is room for a row. The row counts from now on. */
  hasRoomFor(row: object): boolean {
    this.bytesLeft -= roughBytes(row);
    return this.bytesLeft >= 0;
  }
}

/** Reads documents by id. It returns `too-many` beyond the budget. @param groupSize how many documents one read returns */
export async function getWithin<Row extends object>(
  collection: Pick<Collection<Row>, 'getMany'>,
  ids: Iterable<string>,
  budget: Budget,
  groupSize: number,
): Promise<ReadonlyMap<string, Row> | 'too-many'> {
  const rows = new Map<string, Row>();
  const slices = new Slices();
  for (const group of pieces([...new Set(ids)], groupSize)) {
    for (const [id, row] of await collection.getMany(group)) {
      await slices.pause();
      if (!budget.hasRoomFor(row)) return 'too-many';
      rows.set(id, row);
    }
  }
  return rows;
}
