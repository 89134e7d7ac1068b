import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import openApiSchema from '@seriousme/openapi-schema-validator/schemas/v3.1/schema.json';
import { validateBody } from './bodies/validate';
import { openApiDocument } from './openapi';
import { describeParam, readQuery } from './read-query';
import type { Route } from './route';
import { routes } from './routes/routes';

interface Media {
  readonly schema: object;
  readonly example?: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly description: string;
    readonly schema: object;
  }[];
  readonly security?: readonly object[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, Media>>; readonly headers: object }>
  >;
}
interface Document {
  readonly info: { readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties: object; readonly required?: readonly string[] }>>;
  };
}

const document = openApiDocument({ publicUrl: 'https://assurance.example.com/base', region: 'eu' }) as Document;
const table: readonly Route[] = Object.values(routes);
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, operation]) => (method === 'servers' ? [] : [{ path, method, operation }])),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);
ajv.addSchema({ components: document.components }, 'document');
const compiled = new Map<string, ValidateFunction>();

/** Compiles each schema once. Its references point to the components of the document. */
function compile(schema: object): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/');
  const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object);
  compiled.set(text, validate);
  return validate;
}

function problemsOf(schema: object, value: unknown): unknown {
  const validate = compile(schema);
  return validate(value) ? [] : validate.errors;
}

describe('the OpenAPI document', () => {
  it('is a valid OpenAPI 3.1 document', () => {
    const ajv = new Ajv2020({ strict: false, formats: { 'media-range': /^[^/]+\/[^/]+$/ } });
    addFormats(ajv);
    const validate = ajv.compile(openApiSchema);
    expect([validate(document), validate.errors]).toEqual([true, null]);
    const { paths: _, ...broken } = { ...document, info: {} };
    expect(validate(broken)).toBe(false);
  });

  it('names version and server, with the path of the public URL', () => {
    expect([document.info.version, document.servers[0]?.url]).toEqual([
      '2.0',
      'https://assurance.example.com/base/api/v2',
    ]);
  });

  it('has every route of the table once, under its id', () => {
    expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual(table.map(({ id }) => id).sort());
    for (const [key, { id }] of Object.entries(routes)) expect(id).toBe(key);
  });

  it('has every reference defined', () => {
    const refs = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(refs.filter((name) => !(String(name) in document.components.schemas))).toEqual([]);
  });

  it('has what a client of the service reads of it', () => {
    const { CreateEnvironmentPutInput: input } = document.components.schemas;
    expect(Object.keys(input?.properties ?? {})).toEqual(
      expect.arrayContaining([
        'name',
        'type',
        'description',
        'include_scaling',
        'require_provenance',
        'included_environments',
      ]),
    );
    expect(input?.required).toEqual(['name', 'type']);
  });

  it('closes the bodies that refuse unknown properties, and no others', () => {
    const closed = [
      'DockerReport',
      'DockerReportArtifact',
      'CreateEnvironmentPutInput',
      'ArtifactPostInput',
      'CommitInput',
    ];
    const results = closed.filter((name) =>
      JSON.stringify(document.components.schemas[name]).includes('"additionalProperties":false'),
    );
    expect(results).toEqual([
      'DockerReport',
      'DockerReportArtifact',
      'CreateEnvironmentPutInput',
      // Its external URLs.
      'ArtifactPostInput',
    ]);
  });

  it('asks for a key everywhere but where the table says public', () => {
    const open = operations.filter(({ operation }) => operation.security?.length === 0);
    expect(open.map(({ operation }) => operation.operationId).sort()).toEqual([
      'doc',
      'docHome',
      'environmentPolicySchema',
      'flowTemplateSchema',
      'getSignIn',
      'live',
      'openapi',
      'policySchema',
      'ready',
      'signingKeys',
    ]);
  });

  it('describes every group', () => {
    expect([...new Set(table.map(({ tag }) => tag))].sort()).toEqual(document.tags.map(({ name }) => name).sort());
  });

  it('names the headers of answers', () => {
    const headersOf = (id: string, status: string) =>
      Object.keys(
        operations.find(({ operation }) => operation.operationId === id)?.operation.responses[status]?.headers ?? {},
      );
    const rates = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
    const lists = ['X-Total-Count', 'Link'];
    expect(headersOf('listFlows', '200')).toEqual(['X-Request-Id', 'X-Assurance-Behind', ...rates, ...lists]);
    expect(headersOf('listFlows', '429')).toEqual(['X-Request-Id', ...rates, 'Retry-After']);
    expect(headersOf('putFlow', '409')).toEqual(['X-Request-Id', ...rates, 'Retry-After']);
    expect(headersOf('listFlows', '401')).toEqual(['X-Request-Id', 'WWW-Authenticate']);
    expect(headersOf('putFlow', '503')).toEqual(['X-Request-Id', ...rates, 'Retry-After']);
    expect(headersOf('docHome', '301')).toEqual(['X-Request-Id', 'Location']);
  });

  it('bounds numbers as the service does', () => {
    const bounded = table.flatMap(({ id, query }) =>
      Object.entries(query).flatMap(([name, param]) => {
        const { schema } = describeParam(param);
        return 'maximum' in schema
          ? [{ id, name, param, min: Number(schema['minimum']), max: Number(schema['maximum']) }]
          : [];
      }),
    );
    expect(bounded.length).toBeGreaterThan(20);
    for (const { id, name, param, min, max } of bounded) {
      const accepted = [min - 1, min, max, max + 1].map((number) => 'value' in readQuery({ n: param }, { n: number }));
      expect([id, name, ...accepted]).toEqual([id, name, false, true, true, false]);
    }
  });

  it('names the words of a path, which the service refuses others of', () => {
    const { path, operation } = operations.find((candidate) => candidate.operation.operationId === 'patchTags') ?? {};
    expect(path).toBe('/tags/{org}/{resource_type}/{id}');
    expect(operation?.parameters.find(({ name }) => name === 'resource_type')?.schema).toEqual({
      type: 'string',
      enum: ['flow', 'flows', 'env', 'environment', 'environments', 'control', 'controls', 'repo', 'repos'],
    });
  });

  it('names the refusals that a route can give, and no others', () => {
    const statusesOf = (id: string) =>
      Object.keys(operations.find(({ operation }) => operation.operationId === id)?.operation.responses ?? {}).join(
        ' ',
      );
    expect(statusesOf('live')).toBe('200 400 405 408 414 417 431 500');
    expect(statusesOf('ready')).toBe('200 400 405 408 414 417 431 500 503');
    expect(statusesOf('getDefaultOrganization')).toBe('200 400 401 405 408 414 417 429 431 500 503');
    expect(statusesOf('getEnvironment')).toBe('200 400 401 403 404 405 408 414 417 429 431 500 503');
    expect(statusesOf('archiveFlow')).toBe('200 400 401 403 404 405 408 409 413 414 415 417 429 431 500 503');
    expect(statusesOf('reportDocker')).toBe('200 400 401 403 404 405 408 409 413 414 415 417 429 431 500 503');
  });

  it.each(operations)('$method $path describes its parameters and has examples that are valid', ({ operation }) => {
    expect(operation.description.length).toBeGreaterThan(10);
    for (const parameter of operation.parameters) expect(parameter.description.length).toBeGreaterThan(3);
    const medias = [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
      Object.values(part?.content ?? {}),
    );
    expect(medias.length).toBeGreaterThan(0);
    for (const { schema, example } of medias) {
      expect(example).toBeDefined();
      expect(problemsOf(schema, example)).toEqual([]);
    }
  });

  /** An item of a report. `report.spec.ts` says what becomes of its details. */
  const reportItem = ({ digests, creationTimestamp }: Readonly<Record<string, unknown>>): unknown =>
    expect.objectContaining({ digests, creationTimestamp });

  it.each(table.filter(({ body }) => body !== undefined))(
    'the example of $id passes the rules of its body',
    ({ id, body, method }) => {
      if (body === undefined) throw new Error('filtered');
      const value: unknown = JSON.parse(JSON.stringify(body.example), (key, part: unknown) => {
        if (key === 'digests') return Object.entries(part as object);
        return key === 'artifacts' ? (part as readonly Readonly<Record<string, unknown>>[]).map(reportItem) : part;
      });
      expect(validateBody(body.shape, body.example)).toEqual({ value });
      expect(problemsOf({ $ref: `#/components/schemas/${body.shape.name}` }, body.example)).toEqual([]);
      // These bodies have no required fields: changes of given fields only, the acceptance of the suggested name, and a file with a recognizable
      // format.
      const wrong =
        method === 'PATCH' ||
        id === 'joinByInvitation' ||
        id === 'putControl' ||
        id === 'importVulnerabilities' ||
        id === 'putRetention' ||
        id === 'importVulnerabilities' ||
        id.startsWith('rotate')
          ? []
          : {};
      expect(problemsOf({ $ref: `#/components/schemas/${body.shape.name}` }, wrong)).not.toEqual([]);
    },
  );
});
