/** Spreadsheets run a text as a formula if it begins with one of these characters. */
const FORMULA = /^[=+\-@\t\r]/;

/** A cell of CSV; null is an empty cell. */
type CsvCell = string | number | boolean | null;

/**
 * A line of CSV (RFC 4180) with its line break. A text that a spreadsheet would run as a formula gets an apostrophe before
 * it.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

function cellText(cell: CsvCell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
