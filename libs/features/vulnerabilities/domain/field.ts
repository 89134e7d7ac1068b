import { beginningOf, err, ok, parseTime, type Result } from '@assurance/kernel';

/** Why a document cannot be read: the path of a field, such as `affected.0.ranges`, and what the field should be. */
export interface FieldRefusal {
  readonly field: string;
  readonly problem: string;
}

class UnreadableField extends Error {
  constructor(readonly refusal: FieldRefusal) {
    super(`${refusal.field}: ${refusal.problem}`);
  }
}

/** The longest text that is read (UTF-16 units). */
const TEXT_LENGTH = 2_048;

const ZERO_TIME = '0001-01-01T00:00:00';

/** A field of an untrusted document, with its path. Its methods refuse a value of the wrong type. */
export class Field {
  constructor(
    readonly value: unknown,
    readonly path = '',
  ) {}

  refuse(problem: string): never {
    throw new UnreadableField({ field: this.path, problem });
  }

  /** Returns a field of this object. */
  at(name: string): Field {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.refuse('Input should be an object');
    const path = this.path === '' ? name : `${this.path}.${name}`;
    return new Field(Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined, path);
  }

  /** Whether the document has the field with a value other than null. */
  get isPresent(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  /** Returns the items of a list. A missing list has none. */
  list(): readonly Field[] {
    if (!this.isPresent) return [];
    if (!Array.isArray(this.value)) this.refuse('Input should be a list');
    return this.value.map((value, at) => new Field(value, `${this.path}${this.path === '' ? '' : '.'}${at}`));
  }

  text(): string {
    if (!this.isPresent) this.refuse('Field required');
    if (typeof this.value !== 'string' || this.value === '') this.refuse('Input should be a text that is not empty');
    if (this.value.length > TEXT_LENGTH) this.refuse(`Input should have at most ${TEXT_LENGTH} characters`);
    return this.value.toWellFormed();
  }

  /** Returns a text of any length, or null if it is missing or empty. */
  optionalText(): string | null {
    if (!this.isPresent || this.value === '') return null;
    if (typeof this.value !== 'string') this.refuse('Input should be a text');
    return this.value.toWellFormed();
  }

  /** Returns the beginning of a text of any length, for example of a display name. It returns null if the text is missing or empty. */
  optionalName(): string | null {
    const text = this.optionalText();
    return text === null ? null : beginningOf(text, TEXT_LENGTH);
  }

  texts(): readonly string[] {
    return this.list().map((item) => item.text());
  }

  oneOf<Value extends string>(values: readonly Value[]): Value {
    const text = this.text();
    return values.find((value) => value === text) ?? this.refuse(`Input should be one of ${values.join(', ')}`);
  }

  /** Returns an RFC 3339 time as milliseconds since 1970, or null if it is missing or Go's zero time, which stands for an unknown one. */
  time(): number | null {
    if (!this.isPresent || (typeof this.value === 'string' && this.value.startsWith(ZERO_TIME))) return null;
    return parseTime(this.text()) ?? this.refuse('Input should be a time such as 2026-11-22T08:00:00Z');
  }
}

/** Reads a document, or says which field is wrong. */
export function readFields<Value>(document: unknown, read: (document: Field) => Value): Result<Value, FieldRefusal> {
  try {
    return ok(read(new Field(document)));
  } catch (error) {
    if (error instanceof UnreadableField) return err(error.refusal);
    throw error;
  }
}

/** Items of a document, and why others cannot be read. */
export interface ReadItems<Item> {
  readonly items: readonly Item[];
  readonly refusals: readonly FieldRefusal[];
}

/** Reads items one by one, so that one that cannot be read does not refuse the others. */
export function readEach<Item>(fields: readonly Field[], read: (field: Field) => readonly Item[]): ReadItems<Item> {
  const items: Item[] = [];
  const refusals: FieldRefusal[] = [];
  for (const field of fields) {
    const result = readFields(null, () => read(field));
    if (!result.ok) refusals.push(result.refusal);
    else for (const item of result.value) items.push(item);
  }
  return { items, refusals };
}
