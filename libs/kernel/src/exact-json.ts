/** `JSON.rawJSON` and `JSON.isRawJSON`. TypeScript does not declare them yet. */
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
};

/** A number that no double holds, with the digits that were sent. `JSON.stringify` writes these digits. */
export interface RawNumber {
  readonly rawJSON: string;
}

/** Whether a value of `parseExact` is a number that no double holds. */
export function isRawNumber(value: unknown): value is RawNumber {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null && isRawJSON(value);
}

/** A double holds every shorter number without an exponent (characters). */
const LONG = 16;
const [QUOTE, COLON, MINUS, ZERO, NINE, UPPER_E, LOWER_E] = [0x22, 0x3a, 0x2d, 0x30, 0x39, 0x45, 0x65];
const [COMMA, LIST, LIST_END, OBJECT, OBJECT_END] = [0x2c, 0x5b, 0x5d, 0x7b, 0x7d];
const PARTS = /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** Facts about a JSON text that can be found without parsing it. */
export interface ScannedJson {
  /** How many keys its objects have. Outside of strings, a colon occurs only after a key. */
  readonly keys: number;
  /** Whether doubles hold all its numbers. */
  readonly isHeld: boolean;
}

/** Scans a JSON text in a fraction of the time that parsing takes. The result is meaningless if the text is not JSON. */
export function scanJson(text: string): ScannedJson {
  let keys = 0;
  let isExact = true;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at) - 1;
    else if (code === COLON) keys += 1;
    else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const end = endOfNumber(text, at);
      if (end < 0) isExact &&= isHeld(text.slice(at, -end));
      at = Math.abs(end) - 1;
    }
  }
  return { keys, isHeld: isExact };
}

/** The index after the number that begins at `from`; negative if the number is long or has an exponent. */
function endOfNumber(text: string, from: number): number {
  let at = from + 1;
  let hasExponent = false;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === UPPER_E || code === LOWER_E) hasExponent = true;
    // Digits, `+`, `-` and `.`, but no comma.
    else if (code < 0x2b || code > NINE || code === COMMA || code === 0x2f) break;
  }
  return hasExponent || at - from >= LONG ? -at : at;
}

/** The index after the string that begins at `from` with its quotation mark; the length of `text` if the string has no end. */
export function endOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === 0x5c) escapes += 1;
    if (escapes % 2 === 0) return at + 1;
  }
  return text.length;
}

/** The index after the value that begins at `from`: a comma, or the end of the list or object around the value. */
export function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at) - 1;
    else if (code === LIST || code === OBJECT) depth += 1;
    else if (code === LIST_END || code === OBJECT_END) {
      if (depth === 0) return at;
      depth -= 1;
    } else if (code === COMMA && depth === 0) return at;
  }
  return text.length;
}

/** `JSON.parse`, but numbers that no double holds become `RawNumber`s. @throws SyntaxError as `JSON.parse` does */
export function parseExact(text: string): unknown {
  return JSON.parse(text, exactReviver(scanJson(text)));
}

/** The reviver of `parseExact` for a scanned text. Undefined if doubles hold all numbers; `JSON.parse` then runs at full speed. */
export function exactReviver({ isHeld }: ScannedJson): ((key: string, value: unknown) => unknown) | undefined {
  return isHeld ? undefined : (reviveNumber as (key: string, value: unknown) => unknown);
}

function reviveNumber(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  const { source } = context;
  return typeof value !== 'number' || source === undefined || isHeld(source) ? value : rawJSON(source);
}

/** Whether a JSON number keeps its value if a double reads and writes it: `0.1`, `1.0` and `1e3` do, `9007199254740993` does not. */
function isHeld(number: string): boolean {
  const double = Number(number);
  const written = String(double);
  return written === number || (Number.isFinite(double) && valueOf(written) === valueOf(number));
}

/** The value of a number in decimal digits. The result is the same for all ways to write the number. */
function valueOf(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = PARTS.exec(number) ?? [];
  const digits = whole + fraction;
  let from = 0;
  let to = digits.length;
  while (from < to && digits[from] === '0') from += 1;
  while (to > from && digits[to - 1] === '0') to -= 1;
  if (from === to) return '0';
  return `${sign}${digits.slice(from, to)}e${Number(exponent) - fraction.length + digits.length - to}`;
}
