/** Spreadsheets run a cell as a formula if it begins with one of these characters. */
const FORMULA = /^[=+\-@\t\r]/;

type Cell = string | number | null | undefined;

/** Without this mark, Excel reads UTF-8 in the character set of the system. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A CSV file (RFC 4180). Spreadsheets show all its letters correctly. */
export function csvOf(rows: readonly (readonly Cell[])[]): string {
  return BYTE_ORDER_MARK + rows.map((row) => row.map(cellOf).join(',')).join('\r\n');
}

/** A cell of CSV. An apostrophe before a text prevents a spreadsheet from running it. */
function cellOf(value: Cell): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
