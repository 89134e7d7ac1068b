import type { JsonSchema } from '@assurance/contracts/http/shape';
import { beginningOf } from '@assurance/kernel';
import type { ErrorObject } from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import { timeOf } from './time';

/** A problem in a file: its path by keys and positions from the root, and a text about it. */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** The items of a list in which the schema found no problem, with their paths. */
export type ItemsOf = <T>(
  list: readonly T[] | null | undefined,
  ...path: Problem['path']
) => readonly (readonly [item: T, path: Problem['path']])[];

const SHOWN_MAX = 100;
const TYPES: Readonly<Record<string, string>> = { object: 'an object', array: 'a list', boolean: 'true or false' };

const ajv = new Ajv2020({
  allErrors: true,
  verbose: true,
  allowUnionTypes: true,
  formats: { 'date-time': (text: string) => timeOf(text) !== null },
});

/**
 * Compiles the check of a file.
 *
 * @param checkFurther finds the problems that a schema cannot describe
 */
export function checkOf<T>(
  schema: JsonSchema,
  checkFurther: (value: T, itemsOf: ItemsOf) => readonly Problem[],
): (value: unknown) => readonly Problem[] {
  const validate = ajv.compile(schema);
  return (value) => {
    validate(value);
    const problems = problemsOf(validate.errors ?? []);
    if (problems.some(({ path }) => path.length === 0)) return problems;
    const [wrong, around] = [new Set(problems.map(({ path }) => path.join('/'))), ancestorsOf(problems)];
    const itemsOf: ItemsOf = (list, ...path) =>
      !Array.isArray(list) || wrong.has(path.join('/'))
        ? []
        : (list as (typeof list)[number][])
            .map((item, i) => [item, [...path, i]] as const)
            .filter(([, place]) => !wrong.has(place.join('/')) && !around.has(place.join('/')));
    return [...problems, ...checkFurther(value as T, itemsOf)];
  };
}

/** One problem for each path. If a value matches none of several alternatives, the problem is about the alternative with its type. */
function problemsOf(errors: readonly ErrorObject[]): readonly Problem[] {
  const locatedErrors = errors.map((error) => ({ error, path: pathOf(error) }));
  const tooLong = new Set(
    locatedErrors.filter(({ error }) => error.keyword === 'maxItems').map(({ path }) => path.join('/')),
  );
  const isInTooLong = ({ path }: Pick<Problem, 'path'>) => path.some((_, i) => tooLong.has(path.slice(0, i).join('/')));
  const isOfAlternative = ({ schemaPath }: ErrorObject) => /\/anyOf(\/\d+\/(type|enum))?$/.test(schemaPath);
  const certain = locatedErrors.filter((problem) => !isOfAlternative(problem.error) && !isInTooLong(problem));
  const explained = ancestorsOf(certain);
  for (const { path } of certain) explained.add(path.join('/'));
  const alternatives = locatedErrors.filter(
    (problem) => problem.error.keyword === 'anyOf' && !explained.has(problem.path.join('/')) && !isInTooLong(problem),
  );
  const byPlace = new Map([...alternatives, ...certain].map((problem) => [problem.path.join('/'), problem]));
  return [...byPlace.values()].map(({ error, path }) => ({ path, text: textOf(error) }));
}

function ancestorsOf(problems: readonly Pick<Problem, 'path'>[]): Set<string> {
  return new Set(problems.flatMap(({ path }) => path.map((_, i) => path.slice(0, i).join('/'))));
}

function pathOf({ instancePath, params }: ErrorObject): readonly string[] {
  const path = instancePath.split('/').slice(1);
  const inner = (params['missingProperty'] ?? params['additionalProperty']) as string | undefined;
  const keys = path.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return inner === undefined ? keys : [...keys, inner];
}

function textOf({ keyword, schema, parentSchema = {}, data }: ErrorObject): string {
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return 'Field required';
    case 'additionalProperties':
      return 'Unknown key';
    case 'maxItems':
      return `A list holds at most ${String(schema)} ${inputNote((data as unknown[]).length)}`;
    case 'maxLength':
      return `Input should have at most ${String(schema)} characters ${inputNote(data)}`;
    case 'minProperties':
      return `An exception should have one of ${Object.keys(parentSchema['properties'] as JsonSchema).join(', ')}`;
    default:
      return `Input should be ${nounOf(parentSchema)} ${inputNote(data)}`;
  }
}

/** The name of the values that a schema accepts: the kind of an object, list or flag; for others the title, the enum or the constant. */
function nounOf({ title, const: value, enum: values, type }: JsonSchema): string {
  const kind = TYPES[String([type].flat()[0])];
  if (kind !== undefined) return kind;
  return typeof title === 'string' ? title : Array.isArray(values) ? `one of ${values.join(', ')}` : String(value);
}

/** The invalid value, for the end of an error message. */
export function inputNote(value: unknown): string {
  return `[input: ${beginningOf(typeof value === 'string' ? value : jsonOf(value), SHOWN_MAX)}]`;
}

/** The value as JSON. It can fail, because aliases can make a value contain itself. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '…';
  }
}
