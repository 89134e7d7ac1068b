import { answerProblems, bodyProblems, type Schema } from './schemas';
import type { Operation } from './operation';
import { parametersOf, shape, TABLE } from './table';

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}
interface DocumentedOperation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly $ref?: string }>>;
}
/** The parts of an OpenAPI document that are compared. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A difference between the table and the service. */
export interface Difference {
  /** Method and path, as the table has them. */
  readonly operation: string;
  /** What differs, and how. */
  readonly what: string;
}

/** Where an OpenAPI document lacks something that the table of the public interface has. */
export function documentDifferences(document: OpenApiDocument): Difference[] {
  const resolve = (ref: string): Schema => document.components.schemas[ref.split('/').at(-1) ?? ''] ?? {};
  const places = new Map(
    Object.entries(document.paths).flatMap(([path, item]) =>
      // A path outside the API names a server of its own.
      !below(item)
        ? []
        : Object.entries(item).map(([method, value]) => [placeOf(`${method.toUpperCase()} ${path}`), value] as const),
    ),
  );
  return Object.entries(TABLE).flatMap(([operation, expected]) => {
    const own = places.get(placeOf(operation)) as DocumentedOperation | undefined;
    const all = own === undefined ? ['is missing'] : differencesOf(expected, own, resolve);
    return [...new Set(all)].map((what) => ({ operation, what }));
  });
}

/** Whether a path is served below the base URL. */
function below({ servers }: Readonly<Record<string, unknown>>): boolean {
  return (
    servers === undefined || (servers as readonly { readonly url: string }[]).some(({ url }) => url.endsWith('/api/v2'))
  );
}

/** Names of parameters in paths do not count. */
const placeOf = (operation: string) => operation.replace('/api/v2', '').replace(/\{[^}]*\}/g, '{}');

function differencesOf(operation: Operation, own: DocumentedOperation, resolve: (ref: string) => Schema): string[] {
  return [
    ...queryDifferences(operation, own),
    ...(['body', 'form'] as const).flatMap((kind) => {
      const text = operation[kind];
      const media = kind === 'body' ? 'application/json' : 'multipart/form-data';
      const schema = own.requestBody?.content?.[media]?.schema;
      if (text === undefined) return [];
      return schema === undefined ? [`takes no ${media}`] : bodyProblems(shape(text), schema, kind, resolve);
    }),
    ...answerDifferences(operation, own, resolve),
  ];
}

function queryDifferences(operation: Operation, { parameters = [] }: DocumentedOperation): string[] {
  const own = new Map(
    parameters.filter((parameter) => parameter.in === 'query').map((parameter) => [parameter.name, parameter]),
  );
  const expected = parametersOf(operation);
  const required = expected.filter((parameter) => parameter.required).map(({ name }) => name);
  return [
    ...expected.flatMap(({ name, repeated }) => {
      const parameter = own.get(name);
      if (parameter === undefined) return [`query.${name} is unknown`];
      return repeated && parameter.schema?.type !== 'array' ? [`query.${name} does not repeat`] : [];
    }),
    ...[...own.values()]
      .filter((item) => item.required === true && !required.includes(item.name))
      .map(({ name }) => `query.${name} is required`),
  ];
}

function answerDifferences(
  { answer, file }: Operation,
  { responses }: DocumentedOperation,
  resolve: (ref: string) => Schema,
): string[] {
  const contents = ['200', '201'].flatMap((status) => Object.entries(responses[status]?.content ?? {}));
  if (contents.length === 0) return ['answers nothing with 200 or 201'];
  if (file !== undefined) {
    return file === '*/*' || contents.some(([media]) => media === file) ? [] : [`answers no ${file}`];
  }
  if (answer === undefined) return [];
  return contents.flatMap(([, { schema = {} }]) => answerProblems(shape(answer), schema, 'answer', resolve));
}
