/** Spreadsheets run what begins with one of these as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

type Cell = string | number | null | undefined;

/** Without it, Excel takes UTF-8 for the character set of the system. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A file of CSV (RFC 4180) that spreadsheets open with all letters. */
export function csvOf(rows: readonly (readonly Cell[])[]): string {
  return BYTE_ORDER_MARK + rows.map((row) => row.map(cellOf).join(',')).join('\r\n');
}

/** A cell of CSV; a text that a spreadsheet would run is kept from it by an apostrophe. */
function cellOf(value: Cell): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
