/**
 * Spreadsheets run a text as a formula if it begins with one of these characters. East Asian ones take the full-width forms too, and some programs
 * skip a line break or a tab.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** A cell of CSV; null and undefined are an empty cell. */
type CsvCell = string | number | boolean | null | undefined;

/** The beginning of a file of CSV: the byte order mark, without which Excel reads UTF-8 in the character set of the system. */
export const CSV_START = '\uFEFF';

/** A file of CSV. */
export function csvOf(rows: readonly (readonly CsvCell[])[]): string {
  return CSV_START + rows.map(csvLine).join('');
}

/**
 * A line of CSV (RFC 4180) with its line break. Each text is quoted. A text that a spreadsheet would run as a formula gets an apostrophe before it.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

function cellText(cell: CsvCell): string {
  if (typeof cell !== 'string') return String(cell ?? '');
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return `"${safe.replaceAll('"', '""')}"`;
}
