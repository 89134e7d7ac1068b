/** Spreadsheets run what begins with one of these as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A cell of CSV; a text that a spreadsheet would run is kept from it by an apostrophe. */
export function cellOf(value: string | number | null | undefined): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
