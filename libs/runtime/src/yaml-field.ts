import { ok } from '@assurance/kernel';
import { isAlias, isMap, isNode, isScalar, isSeq, type Node } from 'yaml';
import { parseYaml, type YamlText } from './yaml-text';

/**
 * Opens a YAML file for reading field by field. Reading notes problems and goes on with empty values.
 *
 * @returns the outermost field, and what tells the first problem that reading its fields has met
 */
export function openYaml(title: string, path: string, readFile: (path: string) => string) {
  const parsed = parseYaml(`${title} ${path}`, path, readFile);
  if (!parsed.ok) return parsed;
  const problems: string[] = [];
  const root = new Field(parsed.value, '', parsed.value.root, null, (part, sentence) =>
    problems.push(`${title} ${path}${parsed.value.where(part)}: ${sentence}.`),
  );
  return ok({ root, problem: () => problems[0] ?? null });
}

/** A place in a YAML file, with or without a value. */
export class Field {
  private readonly node: Node | null;

  /**
   * @param path such as `users[0].name`, empty for the whole
   * @param parent where a message points when the value is missing
   */
  constructor(
    private readonly file: YamlText,
    private readonly path: string,
    node: unknown,
    private readonly parent: Node | null,
    private readonly note: (part: Node | null, sentence: string) => void,
  ) {
    const resolved = isAlias(node) ? node.resolve(file.document) : node;
    this.node = isNode(resolved) && !(isScalar(resolved) && resolved.value === null) ? resolved : null;
  }

  /** Notes that this field is wrong: `problem` is the second half of a sentence. */
  refuse(problem: string): void {
    this.note(this.node ?? this.parent, `${this.path === '' ? 'it' : this.path} ${problem}`);
  }

  /** The fields of a map that has no others. */
  map<const Names extends readonly string[]>(...names: Names): Record<Names[number], Field> {
    const map = isMap(this.node) ? this.node : null;
    if (map === null) this.refuse(`must be a map of ${names.join(', ')}`);
    for (const { key } of map?.items ?? []) {
      const name = isScalar(key) ? String(key.value) : '';
      if (!names.includes(name)) {
        this.child(name, key).refuse(`is not known; there are ${names.join(', ')}`);
      }
    }
    const fields = names.map((name) => [name, this.child(name, map?.get(name, true))]);
    return Object.fromEntries(fields) as Record<Names[number], Field>;
  }

  /** The items of a list; none when the field is missing. */
  list<Item>(read: (field: Field) => Item): Item[] {
    if (this.node === null) return [];
    if (isSeq(this.node)) return this.node.items.map((_, index) => read(this.at(index)));
    this.refuse('must be a list');
    return [];
  }

  /** The item of a list, or a field of it. */
  at(index: number, name?: string): Field {
    const items = isSeq(this.node) ? this.node.items : [];
    const item = new Field(this.file, `${this.path}[${index}]`, items[index], this.node, this.note);
    return name === undefined ? item : item.child(name, isMap(item.node) ? item.node.get(name, true) : null);
  }

  /** @param problem why a text is not right, the second half of a sentence; null when it is */
  text(problem: (text: string) => string | null): string {
    if (this.node === null) {
      this.refuse('is missing');
      return '';
    }
    const value = this.scalar();
    const wrong = typeof value === 'string' ? problem(value) : 'must be a text; put it in quotes';
    if (wrong !== null) this.refuse(wrong);
    return typeof value === 'string' ? value : '';
  }

  optionalText(): string {
    return this.node === null ? '' : this.text(() => null);
  }

  oneOf<const Values extends readonly [string, ...string[]]>(values: Values): Values[number] {
    const text = this.text((input) =>
      values.includes(input) ? null : `is '${input}', but must be one of ${values.join(', ')}`,
    );
    return values.find((value) => value === text) ?? values[0];
  }

  /** Epoch seconds; 0 when the field is missing. */
  seconds(): number {
    if (this.node === null) return 0;
    const value = this.scalar();
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    this.refuse('must be epoch seconds as a whole number, 0 for never');
    return 0;
  }

  /** False when the field is missing. */
  optionalFlag(): boolean {
    if (this.node === null) return false;
    const value = this.scalar();
    if (typeof value !== 'boolean') this.refuse('must be true or false');
    return value === true;
  }

  private scalar(): unknown {
    return isScalar(this.node) ? this.node.value : undefined;
  }

  private child(name: string, node: unknown): Field {
    return new Field(this.file, this.path === '' ? name : `${this.path}.${name}`, node, this.node, this.note);
  }
}
