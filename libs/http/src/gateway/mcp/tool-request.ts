import { describeParam } from '@assurance/contracts/http/read-query';
import type { Method } from '@assurance/contracts/http/route';
import { type Component, type JsonSchema, schemasOf } from '@assurance/contracts/http/shape';
import { err, ok, type Result } from '@assurance/kernel';
import { pathNames, type Tool } from './tools';

export type Arguments = Readonly<Record<string, unknown>>;

/** The argument that reading tools have in addition to the parameters of their route. */
const CONTAINS = 'contains';
/** The argument that holds the body of a route. */
const BODY = 'body';
const TEXT_MAX = 200;

/** The arguments of a tool: the path and query parameters of its route and its body, from the route table. */
export function inputSchema({ route, changes }: Tool) {
  const names = pathNames(route.path);
  const descriptions: Readonly<Record<string, string>> = {
    org: 'Name of the organization.',
    env: 'Name of the environment.',
  };
  const inPath = names.map((name): [string, JsonSchema] => [
    name,
    {
      type: 'string',
      description: route.paths?.[name] ?? descriptions[name] ?? `Name of the ${name}.`,
      ...(route.words?.[name] === undefined ? {} : { enum: route.words[name] }),
    },
  ]);
  const inQuery = Object.entries(route.query).map(([name, param]): [string, JsonSchema] => {
    const { description, schema } = describeParam(param);
    return [name, { ...schema, description }];
  });
  const contains = {
    type: 'string',
    maxLength: TEXT_MAX,
    description: 'Only entries of lists that hold this text in any field.',
  };
  const { body } = route;
  const fieldSchemas: readonly (readonly [string, JsonSchema])[] =
    body !== undefined
      ? [[BODY, { $ref: `${DEFINITIONS}${body.shape.name}` }]]
      : changes === undefined
        ? [[CONTAINS, contains]]
        : [];
  const requiredQuery = Object.entries(route.query).filter(([, { required }]) => required);
  return {
    type: 'object' as const,
    properties: Object.fromEntries([...inPath, ...inQuery, ...fieldSchemas]) as Record<string, JsonSchema>,
    required: [...names, ...requiredQuery.map(([name]) => name), ...(body === undefined ? [] : [BODY])],
    additionalProperties: false,
    ...(body === undefined ? {} : { $defs: definitions(body.shape) }),
  };
}

const DEFINITIONS = '#/$defs/';

/** The schemas of a body, with references to each other in `$defs`. */
function definitions(shape: Component<object>): Record<string, JsonSchema> {
  const text = JSON.stringify(schemasOf(shape)).replaceAll('#/components/schemas/', DEFINITIONS);
  return JSON.parse(text) as Record<string, JsonSchema>;
}

/** A request to the API. */
export interface ApiRequest {
  readonly method: Method;
  /** Path and query. */
  readonly url: string;
  /** Sent as JSON, or as a form. */
  readonly body?: object;
  /** See `CONTAINS`; empty for all. */
  readonly contains: string;
}

/**
 * The request for some arguments. The route checks the values of the query and of the body.
 *
 * @returns a refusal in words that the assistant can read
 */
export function requestFor({ route }: Tool, input: Arguments): Result<ApiRequest, string> {
  const { [CONTAINS]: contains = '', [BODY]: body, ...others } = input;
  if (typeof contains !== 'string' || contains.length > TEXT_MAX)
    return err(`${CONTAINS} should be a text of at most ${TEXT_MAX} characters`);
  const names = pathNames(route.path);
  for (const name of names) {
    const value = others[name];
    // A segment of only dots would change the path.
    if (typeof value !== 'string' || value === '' || /^\.{1,2}$/.test(value)) return err(`${name} should be a name`);
  }
  const content = route.body === undefined ? null : contentOf(route.body, body);
  if (content === undefined) return err(`${BODY} should be an object`);
  if (content === null && body !== undefined) return err(`There is no ${BODY}`);
  const path = fillPath(route.path, others);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(others)) {
    if (names.includes(name) || value === null) continue;
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (!['string', 'number', 'boolean'].includes(typeof item))
        return err(`${name} should be a text, a number or a list of them`);
      query.append(name, String(item));
    }
  }
  const url = query.size === 0 ? path : `${path}?${query}`;
  return ok({ method: route.method, url, contains, ...(content === null ? {} : { body: content }) });
}

/** The body to send, as JSON or as a form; undefined if the argument is not an object. */
function contentOf(rule: NonNullable<Tool['route']['body']>, body: unknown): object | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  if (rule.kind === 'json') return body;
  const form = new FormData();
  form.set(rule.field, JSON.stringify(body));
  return form;
}

/** The page of a tool, below the public URL; null if the page needs an argument that is missing. */
export function pageOf({ page }: Tool, input: Arguments): string | null {
  return pathNames(page).every((name) => typeof input[name] === 'string') ? fillPath(page, input) : null;
}

function fillPath(path: string, input: Arguments): string {
  return path.replace(/\{([a-z_0-9]+)\}/gi, (_, name: string) => encodeURIComponent(String(input[name])));
}
