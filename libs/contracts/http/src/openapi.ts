import { errorBody } from './answers';
import { bodySchemas } from './bodies/schema';
import type { BodyRule, Route } from './route';
import { routes } from './routes';
import { components, inside, type JsonSchema } from './shape';

export interface OpenApiOptions {
  /** Without a final slash; may carry a path. */
  readonly publicUrl: string;
  readonly region: 'eu' | 'us' | null;
}

const PREFIX = '/api/v2';

/** The OpenAPI 3.1 document of the API, assembled from the route table (WIRE 24, DECISIONS "Version"). */
export function openApiDocument({ publicUrl, region }: OpenApiOptions): object {
  const table: readonly Route[] = Object.values(routes);
  const paths = new Map<string, Record<string, unknown>>();
  for (const route of table) {
    const { path, servers } = placed(route.path, publicUrl);
    const item = paths.get(path) ?? servers;
    paths.set(path, { ...item, [route.method.toLowerCase()]: operation(route) });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Deployment Assurance',
      version: '2.0',
      description: 'Prove what ran where, since when, from which commit, with which evidence.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: `${publicUrl}${PREFIX}`, description: region === null ? 'This installation' : `Region ${region}` },
    ],
    security: [{ bearer: [] }, { basic: [] }],
    tags: [...new Set(table.map(({ tag }) => tag))].map((name) => ({ name })),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key of a user or a service account.' },
        basic: { type: 'http', scheme: 'basic', description: 'The API key as the user name; the password is ignored.' },
      },
      schemas: schemasOf(table),
    },
  };
}

/** Paths are relative to the server; those outside the API name theirs. */
function placed(path: string, publicUrl: string): { path: string; servers: Record<string, unknown> } {
  const plain = path.replace('...}', '}');
  return plain.startsWith(PREFIX)
    ? { path: plain.slice(PREFIX.length), servers: {} }
    : { path: plain, servers: { servers: [{ url: publicUrl }] } };
}

function schemasOf(table: readonly Route[]): Record<string, JsonSchema> {
  const shapes = [errorBody, ...table.flatMap(({ answers }) => Object.values(answers).map(({ shape }) => shape))];
  const bodies = table.flatMap(({ body }) => (body === undefined ? [] : Object.entries(bodySchemas(body.dto))));
  return Object.fromEntries([
    ...shapes.flatMap(components).map(({ name, schema }) => [name, schema] as const),
    ...bodies,
  ]) as Record<string, JsonSchema>;
}

function operation(route: Route): object {
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    ...(route.permission === 'public' ? { security: [] } : {}),
    parameters: [...pathParameters(route), ...queryParameters(route)],
    ...(route.body === undefined ? {} : { requestBody: requestBody(route.body) }),
    responses: responses(route),
  };
}

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  org: 'Name of the organization.',
  env: 'Name of the environment.',
  flow: 'Name of the flow.',
};

function pathParameters({ path, paths }: Route): object[] {
  return [...path.matchAll(/\{([a-z_]+)(?:\.\.\.)?\}/gi)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: paths?.[name] ?? PATH_PARAMETERS[name] ?? name,
    schema: { type: 'string' },
  }));
}

function queryParameters({ query }: Route): object[] {
  return Object.entries(query).map(([name, { schema, description, required, repeated }]) => ({
    name,
    in: 'query',
    required,
    description,
    schema,
    ...(repeated ? { style: 'form', explode: true } : {}),
  }));
}

function requestBody(body: BodyRule<object>): object {
  const ref = { $ref: `#/components/schemas/${body.dto.name}` };
  if (body.kind === 'json')
    return { required: true, content: { 'application/json': { schema: ref, example: body.example } } };
  const properties = {
    [body.field]: { type: 'string', contentMediaType: 'application/json', contentSchema: ref },
    [body.file]: {
      type: 'string',
      contentMediaType: 'application/octet-stream',
      description: 'A file; may be left out.',
    },
  };
  const schema = { type: 'object', properties, required: [body.field] };
  const example = { [body.field]: JSON.stringify(body.example) };
  return { required: true, content: { 'multipart/form-data': { schema, example } } };
}

function responses(route: Route): Record<string, object> {
  const answers = Object.entries(route.answers).map(([status, { description, shape, example }]) => {
    const types = route.media ?? [route.plain === true ? 'text/plain' : 'application/json'];
    const content = Object.fromEntries(types.map((type) => [type, { schema: inside(shape), example }]));
    return [status, { description, content }] as const;
  });
  return Object.fromEntries([
    ...[...errorsOf(route)].map(([status, texts]) => [status, problem(texts)] as const),
    ...answers,
  ]);
}

function problem(texts: readonly string[]): object {
  return {
    description: texts.join(' · '),
    content: { 'application/json': { schema: inside(errorBody), example: { message: texts[0] } } },
  };
}

/** What this route may refuse, with what all may. */
function errorsOf(route: Route): Map<string, readonly string[]> {
  const errors = new Map<string, readonly string[]>();
  const add = (status: number, text: string) =>
    errors.set(String(status), [...(errors.get(String(status)) ?? []), text]);
  for (const [status, texts] of Object.entries(route.errors ?? {})) for (const text of texts) add(Number(status), text);
  if (!errors.has('400')) add(400, 'Input payload validation failed');
  if (route.permission !== 'public') {
    add(401, 'Missing or invalid API key');
    add(403, "You don't have permission to access this resource");
  }
  if (route.method !== 'GET') add(409, 'Somebody else changed this at the same moment. Try again');
  if (route.body !== undefined) {
    add(413, 'The body is larger than the limit of 33554432 bytes');
    add(415, "A body of type 'text/plain' is not supported on this route");
  }
  if (route.body?.kind === 'json' && route.body.counted !== undefined) {
    add(413, 'The report has 20001 artifacts, more than the limit of 20000');
  }
  add(500, 'Something went wrong on our side (request 018bcfe5-6800-7000-8000-000000000004)');
  add(503, 'The service cannot reach its storage. Try again (request 018bcfe5-6800-7000-8000-000000000004)');
  return errors;
}
