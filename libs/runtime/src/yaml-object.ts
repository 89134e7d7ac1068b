import { problemsOf } from '@assurance/contracts/http/bodies/validate';
import { bodyValue } from '@assurance/contracts/http/bodies/value';
import { type Wording, wordsOf } from '@assurance/contracts/http/bodies/wording';
import type { Shape } from '@assurance/contracts/http/shape';
import { err, ok, type Result } from '@assurance/kernel';
import { isAlias, isMap, isScalar, isSeq, type Node } from 'yaml';
import { parseYaml, type YamlText } from './yaml-text';

/** A problem of a field: its path, such as `users.0.name`, and the second half of a sentence about it. */
export type FieldProblem = readonly [path: string, problem: string];

/** The content of a YAML file that was checked by a shape. */
export interface YamlObject<T> {
  readonly value: T;
  /** One sentence about the problem that is first in the file; null without problems. */
  readonly firstOf: (problems: readonly FieldProblem[]) => string | null;
}

/** A problem, and the part of the file that its message points to. */
interface PlacedProblem {
  readonly path: string;
  readonly problem: string;
  readonly part: Node | null;
}

/**
 * Reads a YAML file and checks it by a shape. A field that is null counts as left out.
 *
 * @param title names the kind of file in messages
 * @param readFile returns a file's text; throws if it cannot read it
 * @returns the content, or one sentence that names the file, line, column and field of the first problem
 */
export function readYamlObject<T>(
  shape: Shape<T>,
  title: string,
  path: string,
  readFile: (path: string) => string,
): Result<YamlObject<T>, string> {
  const parsed = parseYaml(`${title} ${path}`, path, readFile);
  if (!parsed.ok) return parsed;
  const file = parsed.value;
  const sentence = ({ path: field, problem, part }: PlacedProblem) =>
    `${title} ${path}${file.where(part)}: ${field.replace(/\.(\d+)(?=\.|$)/g, '[$1]')} ${problem}.`;
  const root = resolveAlias(file, file.root);
  if (!isMap(root)) return err(sentence({ path: 'it', problem: mapOf(shape), part: root }));

  const place = ([field, problem]: FieldProblem) => ({ path: field, problem, part: partAt(file, field.split('.')) });
  const content = file.document.toJS({ maxAliasCount: -1 }) as Readonly<Record<string, unknown>>;
  const { errors } = problemsOf(shape, content, WORDING);
  const problems = [...unknownFields(shape, file, root, ''), ...Object.entries(errors).map(place)];
  const first = firstOf(problems);
  if (first !== null) return err(sentence(first));
  return ok({
    value: bodyValue(shape, content),
    firstOf: (further) => {
      const problem = firstOf(further.map(place));
      return problem === null ? null : sentence(problem);
    },
  });
}

/** The problem that is first in the file. */
function firstOf(problems: readonly PlacedProblem[]): PlacedProblem | null {
  const start = ({ part }: PlacedProblem) => part?.range?.[0] ?? 0;
  return problems.toSorted((a, b) => start(a) - start(b))[0] ?? null;
}

/** The value of a field, or the innermost existing value around it if the field is missing. */
function partAt(file: YamlText, path: readonly string[]): Node | null {
  let part = resolveAlias(file, file.root);
  for (const name of path) {
    const value = isMap(part) ? part.get(name, true) : isSeq(part) ? part.items[Number(name)] : undefined;
    const inner = resolveAlias(file, value);
    if (inner === null) return part;
    part = inner;
  }
  return part;
}

/** The target of an alias, or the node itself if it is no alias. Null for a null value and for a missing node. */
function resolveAlias(file: YamlText, node: unknown): Node | null {
  const target = isAlias(node) ? node.resolve(file.document) : node;
  if (isScalar(target)) return target.value === null ? null : target;
  return isMap(target) || isSeq(target) ? target : null;
}

/** The fields that a shape does not have, also in the items of its lists. */
function unknownFields(
  { fields }: Shape<unknown>,
  file: YamlText,
  node: Node | null,
  parentPath: string,
): PlacedProblem[] {
  if (!isMap(node) || fields === undefined) return [];
  return node.items.flatMap(({ key, value }) => {
    const name = isScalar(key) ? String(key.value) : '';
    const field = fields.get(name);
    if (field === undefined) {
      const problem = `is not known; there are ${[...fields.keys()].join(', ')}`;
      return [{ path: `${parentPath}${name}`, problem, part: resolveAlias(file, key) ?? node }];
    }
    const { each } = field;
    const list = resolveAlias(file, value);
    if (each === undefined || !isSeq(list)) return [];
    return list.items.flatMap((item, at) =>
      unknownFields(each, file, resolveAlias(file, item), `${parentPath}${name}.${at}.`),
    );
  });
}

/** The second halves of sentences about wrong values. Files have no other kinds of limits than those of names and times. */
const limits: Wording['max'] = ({ problem = 'is beyond its limits' }) => problem;

const WORDING: Wording = {
  missing: () => 'is missing',
  isString: () => 'must be a text; put it in quotes',
  isIn: (shape, word) => `is '${String(word)}', but must be one of ${wordsOf(shape).join(', ')}`,
  minLength: limits,
  maxLength: limits,
  matches: limits,
  isInt: limits,
  isNumber: limits,
  min: limits,
  max: limits,
  isBoolean: () => 'must be true or false',
  isArray: () => 'must be a list',
  arrayMaxSize: limits,
  isObject: mapOf,
};

/** The problem of a value that is not a map, with the fields that it should have. */
function mapOf({ fields = new Map() }: Shape<unknown>): string {
  return `must be a map of ${[...fields.keys()].join(', ')}`;
}
