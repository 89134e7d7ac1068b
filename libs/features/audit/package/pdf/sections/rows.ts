import { setImmediate } from 'node:timers/promises';
import { STYLES } from '../page/look';
import type { Paper } from '../page/paper';
import { type Band, type Column, openTable } from '../page/table';
import type { Rows } from '../report';
import { countText } from '../words';

/** The most rows of one section, so that the report stays readable and its memory bounded. */
const ROWS_MAX = 2_000;
/** After this number of rows, the event loop runs other work. */
const TURN = 10;

/** Texts and columns of a section of rows. */
export interface Listing<Row> {
  readonly title: string;
  readonly noun: string;
  /** The text instead of a table without rows. */
  readonly none: string;
  /** Tells where to find the rows that are not shown. */
  readonly rest: string;
  readonly columns: readonly Column[];
  bands(row: Row): readonly Band[];
}

/** A section with a text and a table of rows. It pauses after every few rows, so that the finished pages can be sent. */
export async function* drawListing<Row>(
  paper: Paper,
  rows: Rows<Row>,
  shown: Listing<Row>,
  note = '',
): AsyncGenerator<void> {
  const { title, noun, none, rest, columns } = shown;
  paper.section(title);
  let table = null;
  let count = 0;
  let more = false;
  for await (const row of rows) {
    if (count === ROWS_MAX) {
      more = true;
      break;
    }
    table ??= openTable(paper, columns);
    table.row(shown.bands(row));
    count += 1;
    if (count % TURN === 0) {
      yield;
      await setImmediate();
    }
  }
  table?.end();
  const total = more ? `These are the first ${countText(count, noun)}. ${rest}` : `${countText(count, noun)}.`;
  paper.text(`${count === 0 ? none : total} ${note}`, STYLES.small);
  paper.y += 12;
}
