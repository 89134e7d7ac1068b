import { DEPTH_MAX, TEXT_MAX, UnreadableDocument } from './sbom';

/**
 * The parts of a JSON value that are read. The rest is only scanned, so that a document of any size needs memory only for the
 * selected parts.
 *
 * - `text`: a text, cut if it is long; null for any other value.
 * - `long`: a text of any length; null for any other value.
 * - `fields`: the named members of an object. `take` gets them when the object ends, and its result replaces the object.
 * - `each`: the items of a list. At most `most` of them are kept. A single value counts as a list of one item.
 */
export type Selection =
  | 'text'
  | 'long'
  | { readonly fields: () => Readonly<Record<string, Selection>>; readonly take?: (value: Fields) => unknown }
  | { readonly each: Selection; readonly most: number };

export type Fields = Readonly<Record<string, unknown>>;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const LITERALS: ReadonlyMap<number, string> = new Map(
  ['true', 'false', 'null'].map((word) => [word.charCodeAt(0), word]),
);
const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;
/** How many characters a number may have. */
const NUMBER_MAX = 1_000;
/** Longer keys are not compared with the selected keys (bytes). */
const KEY_MAX = 100;

/**
 * Reads parts of a JSON document.
 *
 * @param bytes UTF-8
 * @throws UnreadableDocument if it is not JSON, or is nested too deep
 */
export function selectJson(bytes: Buffer, selection: Selection): unknown {
  return new JsonScanner(bytes).document(selection);
}

class JsonScanner {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  document(selection: Selection): unknown {
    const value = this.value(selection, 0);
    this.space();
    if (this.at < this.bytes.length) throw this.unreadable('text follows the document');
    return value;
  }

  private value(selection: Selection | undefined, depth: number): unknown {
    this.space();
    const first = this.bytes[this.at];
    if (first === OPEN_OBJECT) return this.object(selection, depth + 1);
    if (first === OPEN_LIST) return this.list(selection, depth + 1);
    if (first === QUOTE) {
      const kept = textOf(selection);
      const text = this.text(kept === 'text' ? truncate : kept === 'long' ? wholeText : null);
      return selection === undefined ? undefined : isEach(selection) ? [text] : text;
    }
    this.scalar(first);
    return null;
  }

  private object(selection: Selection | undefined, depth: number): unknown {
    this.checkDepth(depth);
    const ownSelection = isEach(selection) ? selection.each : selection;
    const isSelected = typeof ownSelection === 'object' && 'fields' in ownSelection;
    const fields = isSelected ? ownSelection.fields() : null;
    const values: Record<string, unknown> = {};
    this.at += 1;
    this.space();
    if (this.bytes[this.at] === CLOSE_OBJECT) this.at += 1;
    else {
      for (;;) {
        this.space();
        if (this.bytes[this.at] !== QUOTE) throw this.unreadable('a key is missing');
        const key = fields === null ? this.skipKey() : this.key();
        this.space();
        if (this.bytes[this.at] !== COLON) throw this.unreadable('a colon is missing');
        this.at += 1;
        const requested = fields !== null && key !== null && Object.hasOwn(fields, key) ? fields[key] : undefined;
        const value = this.value(requested, depth);
        if (requested !== undefined && key !== null) values[key] = value;
        if (this.ends(CLOSE_OBJECT)) break;
      }
    }
    if (!isSelected) return null;
    const result = ownSelection.take === undefined ? values : ownSelection.take(values);
    return isEach(selection) ? [result] : result;
  }

  private list(selection: Selection | undefined, depth: number): unknown {
    this.checkDepth(depth);
    const each = isEach(selection) ? selection.each : undefined;
    const maxItems = isEach(selection) ? selection.most : 0;
    const items: unknown[] = [];
    this.at += 1;
    this.space();
    if (this.bytes[this.at] === CLOSE_LIST) this.at += 1;
    else {
      do {
        const item = this.value(each, depth);
        if (items.length < maxItems) items.push(item);
      } while (!this.ends(CLOSE_LIST));
    }
    return isEach(selection) ? items : null;
  }

  /** Skips a comma or `close`. Returns whether it was `close`. */
  private ends(close: number): boolean {
    this.space();
    const next = this.bytes[this.at];
    if (next !== COMMA && next !== close) throw this.unreadable('a comma or an end is missing');
    this.at += 1;
    return next === close;
  }

  private skipKey(): null {
    this.text(null);
    return null;
  }

  private key(): string | null {
    const from = this.at;
    this.text(null);
    return this.at - from > KEY_MAX ? null : this.decode(from, this.at, truncate);
  }

  /** Reads or skips the text at the current position; null if it is skipped. */
  private text(keep: Keep | null): string | null {
    const { bytes } = this;
    const from = this.at;
    for (let at = from + 1; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) {
        this.at = at + 1;
        return keep === null ? null : this.decode(from, at + 1, keep);
      }
      if (byte === BACKSLASH) at += 1;
      else if (byte < 0x20) throw this.unreadable('a text holds a control character', at);
    }
    throw this.unreadable('a text does not end');
  }

  private decode(from: number, to: number, keep: Keep): string {
    const quoted = this.bytes.toString('utf8', from, to);
    if (!quoted.includes('\\')) return keep(quoted.slice(1, -1));
    try {
      return keep(JSON.parse(quoted) as string);
    } catch {
      throw this.unreadable('a text holds an unknown escape', from);
    }
  }

  private scalar(first: number | undefined): void {
    const { bytes } = this;
    const from = this.at;
    const word = first === undefined ? undefined : LITERALS.get(first);
    if (word !== undefined) {
      if (bytes.toString('latin1', from, from + word.length) !== word) throw this.unreadable('a value is unknown');
      this.at += word.length;
      return;
    }
    let at = from;
    while (at < bytes.length && at - from <= NUMBER_MAX && isOfNumber(bytes[at] as number)) at += 1;
    if (!NUMBER.test(bytes.toString('latin1', from, at))) throw this.unreadable('a value is missing or unknown');
    this.at = at;
  }

  private space(): void {
    const { bytes } = this;
    for (;;) {
      const byte = bytes[this.at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.at += 1;
    }
  }

  private checkDepth(depth: number): void {
    if (depth > DEPTH_MAX)
      throw new UnreadableDocument(
        `it is nested deeper than ${DEPTH_MAX} levels, which is the limit. List packages beside each other`,
      );
  }

  private unreadable(what: string, at = this.at): UnreadableDocument {
    return new UnreadableDocument(`it is not valid JSON: ${what} at byte ${at}`);
  }
}

function isEach(selection: Selection | undefined): selection is Extract<Selection, { readonly each: Selection }> {
  return typeof selection === 'object' && 'each' in selection;
}

function textOf(selection: Selection | undefined): Selection | undefined {
  return isEach(selection) ? selection.each : selection;
}

function isOfNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || [0x2b, 0x2d, 0x2e, 0x45, 0x65].includes(byte);
}

/** What is kept of a text. */
type Keep = (text: string) => string;

const wholeText: Keep = (text) => text;

function truncate(text: string): string {
  return text.length > TEXT_MAX ? text.slice(0, TEXT_MAX) : text;
}
