import { VERSION } from '@assurance/kernel';
import { sessionCookie } from '../access/session-cookie';
import { errorBody } from './answers/common';
import { headers } from './headers';
import { describeParam } from './read-query';
import { responses } from './responses';
import { BELOW_TOO } from './routes/subspaces';
import type { BodyRule, Route } from './route';
import { API_VERSION } from './routes/meta';
import { routes } from './routes/routes';
import { type JsonSchema, schemasOf } from './shape';
import { TAGS } from './tags';

export interface OpenApiOptions {
  /** Without a slash at the end; may have a path. */
  readonly publicUrl: string;
  readonly region: 'eu' | 'us' | null;
}

const PREFIX = '/api/v2';

/** The OpenAPI 3.1 document of the API, assembled from the route table. */
export function openApiDocument({ publicUrl, region }: OpenApiOptions): object {
  const table: readonly Route[] = Object.values(routes);
  const paths = new Map<string, Record<string, unknown>>();
  for (const route of table) {
    const { path, servers } = placePath(route.path, publicUrl);
    const item = paths.get(path) ?? servers;
    paths.set(path, { ...item, [route.method.toLowerCase()]: operation(route) });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Deployment Assurance',
      version: API_VERSION,
      description: 'Prove what ran where, since when, from which commit, with which evidence.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      'x-release': VERSION,
    },
    servers: [
      { url: `${publicUrl}${PREFIX}`, description: region === null ? 'This installation' : `Region ${region}` },
    ],
    security: [{ bearer: [] }, { basic: [] }, { session: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key of a user or a service account.' },
        invitation: { type: 'http', scheme: 'bearer', description: 'The token of an invitation.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookie(publicUrl).name,
          description: `Of a page, in the place of a key. Requests that change something also need the header X-Assurance-Page.`,
        },
        basic: { type: 'http', scheme: 'basic', description: 'The API key as the user name; the password is ignored.' },
      },
      headers,
      schemas: componentsOf(table),
    },
  };
}

/** Paths are relative to the server. A path outside the API names its own servers. */
function placePath(path: string, publicUrl: string): { path: string; servers: Record<string, unknown> } {
  const plain = path.replace('...}', '}');
  return plain.startsWith(PREFIX)
    ? { path: plain.slice(PREFIX.length), servers: {} }
    : { path: plain, servers: { servers: serversOf(plain, publicUrl) } };
}

function serversOf(path: string, publicUrl: string): readonly object[] {
  const beside = { url: publicUrl };
  return BELOW_TOO.includes(path) ? [beside, { url: `${publicUrl}${PREFIX}` }] : [beside];
}

function componentsOf(table: readonly Route[]): Record<string, JsonSchema> {
  const shapes = [errorBody, ...table.flatMap(({ answers }) => Object.values(answers).map(({ shape }) => shape))];
  const bodies = table.flatMap(({ body }) => (body === undefined ? [] : [body.shape]));
  return Object.assign({}, ...[...shapes, ...bodies].map(schemasOf)) as Record<string, JsonSchema>;
}

function operation(route: Route): object {
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    ...(route.permission === 'public' ? { security: [] } : {}),
    ...(route.permission === 'invitation' ? { security: [{ invitation: [] }] } : {}),
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

function pathParameters({ path, paths, words, patterns }: Route): object[] {
  return [...path.matchAll(/\{([a-z_]+)(?:\.\.\.)?\}/gi)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: paths?.[name] ?? PATH_PARAMETERS[name] ?? name,
    schema: {
      type: 'string',
      ...(words?.[name] === undefined ? {} : { enum: words[name] }),
      ...patternSchema(patterns?.[name]),
    },
  }));
}

function patternSchema(rule: NonNullable<Route['patterns']>[string] | undefined): object {
  return rule === undefined ? {} : { pattern: rule.pattern.text, minLength: 1, maxLength: rule.max };
}

function queryParameters({ query }: Route): object[] {
  return Object.entries(query).map(([name, param]) => ({
    name,
    in: 'query',
    required: param.required === true,
    ...describeParam(param),
    ...(param.schema['type'] === 'array' ? { style: 'form', explode: true } : {}),
  }));
}

function requestBody(body: BodyRule<object>): object {
  const ref = { $ref: `#/components/schemas/${body.shape.name}` };
  if (body.kind === 'json')
    return { required: true, content: { 'application/json': { schema: ref, example: body.example } } };
  const properties = {
    [body.field]: { type: 'string', contentMediaType: 'application/json', contentSchema: ref },
    [body.file]: {
      type: 'string',
      contentMediaType: 'application/octet-stream',
      description: 'A file; optional.',
    },
  };
  const files = body.exampleFile === undefined ? {} : { [body.file]: body.exampleFile };
  const schema = { type: 'object', properties, required: [body.field] };
  const example = { [body.field]: JSON.stringify(body.example), ...files };
  return { required: true, content: { 'multipart/form-data': { schema, example } } };
}
