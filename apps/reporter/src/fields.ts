import { EVERYTHING, type NameFilter } from './name-filter';

/** Reads the fields of one object of the configuration. Every error names the field and says what to write. */
export class Fields {
  private readonly read = new Set<string>();

  private constructor(
    private readonly values: Readonly<Record<string, unknown>>,
    private readonly path: string,
  ) {}

  static of(value: unknown, path = ''): Fields {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new Error(`${path === '' ? 'The configuration' : path} must be a map of fields.`);
    }
    return new Fields(value as Record<string, unknown>, path);
  }

  name(field: string): string {
    return this.path === '' ? field : `${this.path}.${field}`;
  }

  private take(field: string): unknown {
    this.read.add(field);
    return this.values[field] ?? undefined;
  }

  has(field: string): boolean {
    return this.values[field] !== undefined;
  }

  text(field: string): string {
    const value = this.optionalText(field);
    if (value === null) throw new Error(`${this.name(field)} is missing: write a text.`);
    return value;
  }

  optionalText(field: string): string | null {
    const value = this.take(field);
    if (value === undefined) return null;
    if (typeof value !== 'string' || value === '')
      throw new Error(`${this.name(field)} must be a text that is not empty.`);
    return value;
  }

  url(field: string): string {
    const value = this.text(field);
    if (!/^https?:$/.test(URL.parse(value)?.protocol ?? ''))
      throw new Error(`${this.name(field)} must be an http or https URL.`);
    return value;
  }

  optionalUrl(field: string): string | null {
    return this.take(field) === undefined ? null : this.url(field);
  }

  /** @returns null if the field is absent */
  whole(field: string, least: number, most: number): number | null {
    const value = this.take(field);
    if (value === undefined) return null;
    if (!Number.isInteger(value) || Number(value) < least || Number(value) > most) {
      throw new Error(`${this.name(field)} must be a whole number from ${least} to ${most}.`);
    }
    return Number(value);
  }

  flag(field: string, absent: boolean): boolean {
    const value = this.take(field);
    if (value === undefined) return absent;
    if (typeof value !== 'boolean') throw new Error(`${this.name(field)} must be true or false.`);
    return value;
  }

  oneOf<T extends string>(field: string, values: readonly T[], absent?: T): T {
    const value = this.take(field) ?? absent;
    const match = values.find((item) => item === value);
    if (match === undefined) throw new Error(`${this.name(field)} must be one of ${values.join(', ')}.`);
    return match;
  }

  texts(field: string): readonly string[] {
    const value = this.take(field);
    if (value === undefined) return [];
    if (!Array.isArray(value) || value.some((item) => typeof item !== 'string' || item === '')) {
      throw new Error(`${this.name(field)} must be a list of texts.`);
    }
    return value as string[];
  }

  patterns(field: string): readonly RegExp[] {
    return this.texts(field).map((pattern) => {
      try {
        return new RegExp(pattern);
      } catch {
        throw new Error(`${this.name(field)} has ${pattern}, which is no regular expression.`);
      }
    });
  }

  filter(field: string): NameFilter {
    const value = this.take(field);
    if (value === undefined) return EVERYTHING;
    const inner = Fields.of(value, this.name(field));
    const filter = inner.ownFilter();
    inner.end();
    return filter;
  }

  /** The four lists of a filter, if they are fields of this object. */
  ownFilter(): NameFilter {
    return {
      include: this.texts('include'),
      includeRegex: this.patterns('includeRegex'),
      exclude: this.texts('exclude'),
      excludeRegex: this.patterns('excludeRegex'),
    };
  }

  object(field: string): Fields | null {
    const value = this.take(field);
    return value === undefined ? null : Fields.of(value, this.name(field));
  }

  objects(field: string): readonly Fields[] {
    const value = this.take(field);
    if (!Array.isArray(value) || value.length === 0)
      throw new Error(`${this.name(field)} must be a list that is not empty.`);
    return value.map((item, at) => Fields.of(item, `${this.name(field)}[${at}]`));
  }

  /** The fields of a map by name. Each value is an object. */
  entries(field: string): readonly (readonly [string, Fields])[] {
    const inner = this.object(field);
    return inner === null
      ? []
      : Object.keys(inner.values).map((name) => [name, Fields.of(inner.take(name), inner.name(name))]);
  }

  /** @throws if the object has a field that was not read */
  end(): void {
    const unknownField = Object.keys(this.values).find((field) => !this.read.has(field));
    if (unknownField !== undefined) {
      throw new Error(`${this.name(unknownField)} is unknown. Known here: ${[...this.read].sort().join(', ')}.`);
    }
  }
}
