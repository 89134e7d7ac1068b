import { othersFirst } from '@assurance/kernel';
import type { Commit } from '@assurance/storage-ports';
import { CannotResume, type ChangeLog, type PlacesBatch, type StreamCheckpoint } from '@assurance/storage-records';
import { commitsAfter } from './commits-after';
import { fromKey } from './key';
import type { Reader } from './reader';

const PAGE = 500;
const PAGE_BYTES = 4 * 1024 * 1024;
/** Places that are read at once. Their commits' text is not read. */
const PLACES = 200;

/** The commits of the file in the order in which they were written. A position is that of a commit, with its id: another file has another there. */
export function changeLog(reader: Reader): ChangeLog {
  const placeOf = (position: number): string => {
    const row = reader.get<{ id: string }>('SELECT id FROM commits WHERE position = ?', [position]);
    return `${position} ${row?.id ?? '-'}`;
  };
  const now = () => reader.get<{ last: number | null }>('SELECT max(position) AS last FROM commits', [])?.last ?? 0;
  return {
    now: async () => placeOf(now()),
    since: (at) => since(reader, at),
    after: (place) => after(reader, place, placeOf),
  };
}

async function* since(reader: Reader, at: number): AsyncGenerator<readonly Commit[]> {
  for (let position = 0; ;) {
    const { commits, last } = await commitsAfter(reader, null, position, PAGE, PAGE_BYTES);
    if (commits.length === 0) return;
    yield commits.filter((commit) => commit.at >= at);
    position = last;
  }
}

async function* after(
  reader: Reader,
  place: string,
  placeOf: (position: number) => string,
): AsyncGenerator<PlacesBatch> {
  let position = Number(place.split(' ')[0]);
  if (!Number.isSafeInteger(position) || placeOf(position) !== place) {
    throw new CannotResume('the position is none of this file');
  }
  const sql = 'SELECT position, stream, seq, hash FROM commits WHERE position > ? ORDER BY position LIMIT ? + 0';
  for (;;) {
    const rows = reader.all<StreamCheckpoint & { readonly position: number }>(sql, [position, PLACES]);
    position = rows.at(-1)?.position ?? position;
    if (rows.length === 0) return;
    const places = rows.map(({ stream, seq, hash }) => ({ stream: fromKey(stream), seq, hash }));
    yield { places, position: placeOf(position) };
    await othersFirst();
  }
}
