import { alternatives, type Leaf, type ObjectShape, type Shape } from './shape';

/**
 * Where a JSON value is not of a shape: one line a place, nothing where it is. What the shape does not name may be there.
 *
 * @param at where the value is, for people
 */
export function valueProblems(shape: Shape, value: unknown, at: string): string[] {
  const tried = alternatives(shape).map((candidate) => problemsOf(candidate, value, at));
  return tried.reduce((best, other) => (other.length < best.length ? other : best));
}

/** It counts more than wrong properties, so that a list is compared with a list. */
const wrongKind = (problem: string): string[] => Array<string>(1_000).fill(problem);

function problemsOf(shape: Shape, value: unknown, at: string): string[] {
  if (shape.is === 'leaf') return HOLDS[shape.name](value) ? [] : [`${at} is no ${shape.name}`];
  if (shape.is === 'union') return valueProblems(shape, value, at);
  if (shape.is === 'object') return objectProblems(shape, value, at);
  if (!Array.isArray(value)) return wrongKind(`${at} is no list`);
  return [...new Set(value.flatMap((item) => valueProblems(shape.of, item, `${at}[]`)))];
}

function objectProblems({ fields, closed }: ObjectShape, value: unknown, at: string): string[] {
  if (!isObject(value)) return wrongKind(`${at} is no object`);
  const all = fields['*'];
  if (all !== undefined) return Object.values(value).flatMap((item) => valueProblems(all.shape, item, `${at}.*`));
  const more = closed ? Object.keys(value).filter((name) => !Object.hasOwn(fields, name)) : [];
  return [
    ...more.map((name) => `${at}.${name} is unknown`),
    ...Object.entries(fields).flatMap(([name, { optional, shape }]) => {
      if (Object.hasOwn(value, name)) return valueProblems(shape, value[name], `${at}.${name}`);
      return optional ? [] : [`${at}.${name} is missing`];
    }),
  ];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const HOLDS: Readonly<Record<Leaf, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  int: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  bool: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  object: isObject,
  any: () => true,
  file: (value) => typeof value === 'string',
  json: () => true,
};

/** The places of a shape that a value does not fill: properties, and alternatives of lists and maps. */
export function findUnfilled(shape: Shape, values: readonly unknown[], at: string): string[] {
  return alternatives(shape).flatMap((candidate) => {
    if (candidate.is === 'leaf' || candidate.is === 'union') return [];
    if (candidate.is === 'list')
      return findUnfilled(
        candidate.of,
        values.flatMap((value) => (Array.isArray(value) ? value : [])),
        `${at}[]`,
      );
    const objects = values.filter(isObject);
    return Object.entries(candidate.fields).flatMap(([name, { shape: of }]) => {
      const there = objects.flatMap((object) =>
        name === '*' ? Object.values(object) : Object.hasOwn(object, name) ? [object[name]] : [],
      );
      return there.length === 0 ? [`${at}.${name}`] : findUnfilled(of, there, `${at}.${name}`);
    });
  });
}
