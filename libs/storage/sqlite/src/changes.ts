import type { StreamCheckpoint } from '@assurance/event-sourcing/checkpoints/checkpoint';
import { CannotResume, type ChangeLog } from '@assurance/event-sourcing/relay/change-source';
import { yieldToOthers } from '@assurance/kernel';
import { fromKey } from './key';
import type { Reader } from './reader';

/** Rows of one read. The text of the commits is not read. */
const PLACES = 200;

/**
 * The commits of the file in the order in which they were written. A position includes the id of its commit, so a position of another file is
 * recognized.
 */
export function changeLog(reader: Reader): ChangeLog {
  const placeOf = (position: number): string => {
    const row = reader.get<{ id: string }>('SELECT id FROM commits WHERE position = ?', [position]);
    return `${position} ${row?.id ?? '-'}`;
  };
  const now = () => reader.get<{ last: number | null }>('SELECT max(position) AS last FROM commits', [])?.last ?? 0;
  return {
    now: async () => placeOf(now()),
    async *all() {
      for await (const { places } of placesAfter(reader, 0)) yield places;
    },
    async *after(place) {
      const position = Number(place.split(' ')[0]);
      if (!Number.isSafeInteger(position) || placeOf(position) !== place) {
        throw new CannotResume('the position is none of this file');
      }
      for await (const { places, last } of placesAfter(reader, position)) yield { places, position: placeOf(last) };
    },
  };
}

async function* placesAfter(
  reader: Reader,
  position: number,
): AsyncGenerator<{ readonly places: readonly StreamCheckpoint[]; readonly last: number }> {
  const sql = 'SELECT position, stream, seq, hash FROM commits WHERE position > ? ORDER BY position LIMIT ? + 0';
  for (let last = position; ;) {
    const rows = reader.all<StreamCheckpoint & { readonly position: number }>(sql, [last, PLACES]);
    if (rows.length === 0) return;
    last = rows.at(-1)?.position ?? last;
    yield { places: rows.map(({ stream, seq, hash }) => ({ stream: fromKey(stream), seq, hash })), last };
    await yieldToOthers();
  }
}
