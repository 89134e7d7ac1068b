import { alternatives, type Leaf, type ObjectShape, type Shape } from './shape';

/** A JSON Schema of the OpenAPI document. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly contentSchema?: Schema;
}

type Resolve = (ref: string) => Schema;

/** The alternatives of a schema, without references, each of at most one type. */
function options(schema: Schema, resolve: Resolve): readonly Schema[] {
  if (schema.$ref !== undefined) return options(resolve(schema.$ref), resolve);
  const some = schema.anyOf ?? schema.oneOf;
  if (some !== undefined) {
    const { anyOf: _, oneOf: __, ...own } = schema;
    return some.flatMap((candidate) => options({ ...own, ...candidate }, resolve));
  }
  if (schema.allOf?.length === 1 && schema.allOf[0] !== undefined) return options(schema.allOf[0], resolve);
  if (Array.isArray(schema.type)) {
    return (schema.type as readonly string[]).map((type) => ({ ...schema, type }));
  }
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (schema.type !== undefined || values === undefined) return [schema];
  return [...new Set(values.map(typeOf))].map((type) => ({ ...schema, type }));
}

const typeOf = (value: unknown): string => (value === null ? 'null' : typeof value);

/** The types of JSON Schema that a leaf takes. Each of them must be taken by our schema of a body, and none else may be in an answer. */
const TAKEN: Readonly<Record<Leaf, readonly string[]>> = {
  text: ['string'],
  int: ['integer'],
  number: ['number'],
  bool: ['boolean'],
  null: ['null'],
  object: ['object'],
  any: [],
  file: ['string'],
  json: ['string', 'object'],
};

/**
 * Where a schema of a body refuses what a shape takes, by type, by name, or because it asks for more; and where it takes names that a closed
 * shape refuses.
 */
export function bodyProblems(shape: Shape, schema: Schema, at: string, resolve: Resolve): string[] {
  const own = options(schema, resolve);
  return alternatives(shape).flatMap((candidate) => {
    if (candidate.is === 'leaf') return leafProblems(candidate.name, own, at);
    if (candidate.is === 'union') return bodyProblems(candidate, schema, at, resolve);
    // A part of a form that is an object is sent as JSON text.
    const inner = own.flatMap(({ contentSchema }) =>
      contentSchema === undefined ? [] : options(contentSchema, resolve),
    );
    const all = [...own, ...inner];
    if (all.some(takesAll)) return [];
    if (candidate.is === 'list') {
      const lists = all.filter(({ type, items }) => type === 'array' && items !== undefined);
      if (lists.length === 0) return [`${at} takes no list`];
      return fewest(lists.map(({ items = {} }) => bodyProblems(candidate.of, items, `${at}[]`, resolve)));
    }
    const objects = all.filter(({ type }) => type === 'object');
    if (objects.length === 0) return [`${at} takes no object`];
    return fewest(objects.map((object) => objectProblems(candidate, object, objects, at, resolve)));
  });
}

const takesAll = ({ type, properties, contentSchema }: Schema) =>
  type === undefined && properties === undefined && contentSchema === undefined;

const fewest = (all: readonly string[][]): string[] =>
  all.reduce((best, list) => (list.length < best.length ? list : best));

function leafProblems(leaf: Leaf, own: readonly Schema[], at: string): string[] {
  const types = own.flatMap(({ type }) => (type === undefined ? [] : [type as string]));
  if (own.some(takesAll)) return [];
  return TAKEN[leaf].flatMap((type) =>
    types.includes(type) || (type === 'integer' && types.includes('number')) ? [] : [`${at} takes no ${type}`],
  );
}

function objectProblems(
  { fields, closed }: ObjectShape,
  object: Schema,
  objects: readonly Schema[],
  at: string,
  resolve: Resolve,
): string[] {
  const { properties = {}, patternProperties = {}, additionalProperties, required = [] } = object;
  const other = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  const values = [...Object.values(patternProperties), ...other];
  const all = fields['*'];
  if (all !== undefined) {
    if (values.length === 0) return additionalProperties === false ? [`${at} takes no names of its caller`] : [];
    return fewest(values.map((value) => bodyProblems(all.shape, value, `${at}.*`, resolve)));
  }
  // Payloads of free form take every name.
  const free = additionalProperties !== false && Object.keys(properties).length === 0;
  return [
    ...required.filter((name) => fields[name]?.optional !== false).map((name) => `${at}.${name} is required`),
    ...(closed && additionalProperties !== false ? [`${at} takes unknown properties`] : []),
    ...Object.entries(fields).flatMap(([name, field]) => {
      const own =
        properties[name] ?? objects.find((candidate) => candidate.properties?.[name] !== undefined)?.properties?.[name];
      if (own !== undefined) return bodyProblems(field.shape, own, `${at}.${name}`, resolve);
      return free ? [] : [`${at}.${name} is unknown`];
    }),
  ];
}

/** Where answers of a schema may lack what a shape requires, or have another type. */
export function answerProblems(shape: Shape, schema: Schema, at: string, resolve: Resolve): string[] {
  const expected = alternatives(shape);
  return options(schema, resolve).flatMap((own) =>
    fewest(expected.map((candidate) => provides(candidate, own, at, resolve))),
  );
}

/** A wrong kind counts more than wrong properties, so that a list is compared with a list. */
const WRONG_KIND = 1_000;

function provides(shape: Shape, own: Schema, at: string, resolve: Resolve): string[] {
  const type = own.type as string | undefined;
  if (shape.is === 'union') return answerProblems(shape, own, at, resolve);
  if (shape.is === 'leaf') {
    const fits = shape.name === 'any' || (type !== undefined && PROVIDED[shape.name].includes(type));
    if (fits) return [];
    const weight = type === 'array' || (type === 'object' && shape.name === 'null') ? WRONG_KIND : 1;
    return Array<string>(weight).fill(`${at} is no ${shape.name}`);
  }
  if (shape.is === 'list') {
    return type === 'array'
      ? answerProblems(shape.of, own.items ?? {}, `${at}[]`, resolve)
      : Array(WRONG_KIND).fill(`${at} is no list`);
  }
  if (type !== 'object') return Array(WRONG_KIND).fill(`${at} is no object`);
  const { properties = {}, required = [], additionalProperties, patternProperties = {} } = own;
  return Object.entries(shape.fields).flatMap(([name, field]) => {
    if (name === '*') {
      const other = typeof additionalProperties === 'object' ? [additionalProperties] : [];
      return [...Object.values(patternProperties), ...other, ...Object.values(properties)].flatMap((value) =>
        answerProblems(field.shape, value, `${at}.*`, resolve),
      );
    }
    const property = properties[name];
    if (property === undefined) return field.optional ? [] : [`${at}.${name} is missing`];
    const remaining = field.optional || required.includes(name) ? [] : [`${at}.${name} may be left out`];
    return [...remaining, ...answerProblems(field.shape, property, `${at}.${name}`, resolve)];
  });
}

const PROVIDED: Readonly<Record<Leaf, readonly string[]>> = { ...TAKEN, number: ['number', 'integer'] };
