import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import { exchange } from './exchange';
import { type FieldCoverage, noteFilled, type Schema } from './filled';

/** A received answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON; the text itself where the answer is plain text. */
  readonly body: unknown;
}

type Json = Readonly<Record<string, unknown>>;
interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Json>>;
}

/** The name by which schemas of answers refer to the document's components. */
const CONTRACT = 'contract';
const PREFIX = '/api/v2';
const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
/** Their last parameter takes the rest of the path, with its slashes. */
const TAKE_THE_REST = ['getRepo', 'getRepoLiveArtifacts', 'doc'];

/** The beginning of the message for bad input, or the whole message on some routes. */
const INVALID = 'Input payload validation failed';
const FIXED_WHOLE = ['renameEnvironment', 'renameFlow', 'postControl'];

/** Headers that are ours to document, in lower case. */
const OWN_HEADERS = [
  'x-request-id',
  'x-total-count',
  'retry-after',
  'www-authenticate',
  'location',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
];

interface Place {
  readonly method: string;
  readonly matches: RegExp;
  readonly fixed: number;
  readonly operation: Operation;
}

/** The OpenAPI document of a running service. Every answer of the suite is checked by it. */
export class Contract {
  private static readonly contracts = new Map<string, Contract>();
  /** Does not validate schemas: each spec file would compile the schema of schemas. `openapi.spec.ts` validates the document. */
  private readonly ajv = addFormats(new Ajv2020({ strict: false, allErrors: true, validateSchema: false }));
  private readonly compiled = new Map<string, ValidateFunction>();
  private readonly places: readonly Place[];

  constructor(private readonly document: Json) {
    const paths = document['paths'] as Readonly<Record<string, Json>>;
    this.ajv.addSchema({ components: document['components'] }, CONTRACT);
    this.places = Object.entries(paths)
      .flatMap(([path, item]) =>
        METHODS.flatMap((method) => {
          const operation = item[method] as Operation | undefined;
          // Paths outside the API name servers of their own.
          const servers = (item['servers'] ?? [{ url: PREFIX }]) as readonly { readonly url: string }[];
          const prefixes = servers.map(({ url }) => (url.endsWith(PREFIX) ? PREFIX : ''));
          return operation === undefined ? [] : prefixes.map((prefix) => place(prefix + path, method, operation));
        }),
      )
      .sort((a, b) => b.fixed - a.fixed);
  }

  /** Services that publish the same share one: it compiles each schema once. */
  static async of(url: string): Promise<Contract> {
    const { status, content } = await exchange(`${url}/api/v2/openapi.json`);
    if (status !== 200) throw new Error(`openapi.json answered ${status}: ${content.toString()}`);
    const document = JSON.parse(content.toString()) as Json;
    // Examples name the port where a service listens.
    const key = JSON.stringify([document['paths'], document['components']]).replace(/(\/\/localhost):\d+/g, '$1');
    const contract = Contract.contracts.get(key) ?? new Contract(document);
    Contract.contracts.set(key, contract);
    return contract;
  }

  /** The ids of all operations, sorted. */
  get operations(): string[] {
    return [...new Set(this.places.map(({ operation }) => operation.operationId))].sort();
  }

  /**
   * Holds an answer to the document, and to what holds for every answer: it is JSON, `errors` is left out unless it is filled, no view was behind.
   *
   * @param path without host and query
   * @throws with all that is wrong
   */
  check(method: string, path: string, answer: Answer): void {
    const problem = this.problemOf(method, path, answer);
    if (problem !== null)
      throw new Error(`${method} ${path} → ${answer.status} ${answer.text.slice(0, 2_000)}: ${problem}`);
  }

  /** Notes which fields of the answer of a GET that may be empty have a value. */
  noteFilled(id: string, body: unknown, filled: FieldCoverage): void {
    const operation = this.places.find((place) => place.operation.operationId === id)?.operation;
    const content = operation?.responses['200']?.['content'] as Readonly<Record<string, Json>> | undefined;
    const schema = content?.['application/json']?.['schema'] as Schema | undefined;
    if (schema === undefined) throw new Error(`${id} documents no JSON`);
    noteFilled(schema, body, id, filled, (of) => this.resolved(of as Json) as Schema);
  }

  private problemOf(method: string, path: string, { status, headers, body }: Answer): string | null {
    const behind = headers.get('x-assurance-behind');
    if (behind !== null) return `the view was ${behind} s behind`;
    const operation = this.operationOf(method, path);
    const type = headers.get('content-type') ?? 'none';
    if (operation === null) {
      if (![400, 404, 405, 413, 414, 431].includes(status)) return 'no operation of the document takes this path';
      return type.startsWith('application/json') ? errorProblem(body) : `the content type is ${type}`;
    }
    const response = this.resolved(operation.responses[String(status)] ?? operation.responses['default']);
    if (response === undefined) return `${operation.operationId} documents no answer ${status}`;
    const headerNames = Object.keys((response['headers'] ?? {}) as Json).map((name) => name.toLowerCase());
    const unnamed = OWN_HEADERS.find((name) => headers.has(name) && !headerNames.includes(name));
    if (unnamed !== undefined) return `${operation.operationId} documents no header ${unnamed}`;
    const content = (response['content'] ?? {}) as Readonly<Record<string, Json>>;
    const documented = Object.entries(content).find(([media]) => type.split(';')[0] === media)?.[1];
    if (documented === undefined) return `the content type is ${type}, not one of ${Object.keys(content).join(', ')}`;
    const validate = this.schema(`${operation.operationId} ${status} ${type}`, documented['schema'] as Json);
    if (!validate(body)) return `not as documented: ${this.ajv.errorsText(validate.errors)}`;
    if (status < 400 || !type.startsWith('application/json')) return null;
    return errorProblem(body, FIXED_WHOLE.includes(operation.operationId));
  }

  private operationOf(method: string, path: string): Operation | null {
    const result = this.places.find((place) => place.method === method.toLowerCase() && place.matches.test(path));
    return result?.operation ?? null;
  }

  private resolved(value: Json | undefined): Json | undefined {
    const ref = value?.['$ref'];
    if (typeof ref !== 'string') return value;
    return ref
      .slice('#/'.length)
      .split('/')
      .reduce((at: Json, key) => at[key] as Json, this.document);
  }

  private schema(key: string, schema: Json): ValidateFunction {
    const cached = this.compiled.get(key);
    if (cached !== undefined) return cached;
    const validate = this.ajv.compile(ofContract(schema) as Json);
    this.compiled.set(key, validate);
    return validate;
  }
}

/** A schema whose references to `#/components/…` are to those of the document, which are compiled once. */
function ofContract(schema: Json): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${CONTRACT}#/`));
}

function place(full: string, method: string, operation: Operation): Place {
  const segments = full.split('/').slice(1);
  const parts = segments.map((segment, i) => {
    if (!segment.startsWith('{')) return segment.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
    return TAKE_THE_REST.includes(operation.operationId) && i === segments.length - 1 ? '.+' : '[^/]+';
  });
  return {
    method,
    matches: new RegExp(`^/${parts.join('/')}$`),
    fixed: segments.filter((segment) => !segment.startsWith('{')).length,
    operation,
  };
}

/**
 * Specification 2.10. The message of bad input names the first field and its fault, for clients that show nothing else.
 *
 * @param fixed it does not
 */
function errorProblem(body: unknown, fixed = false): string | null {
  if (typeof body !== 'object' || body === null) return 'an error is an object';
  const { message, errors, ...rest } = body as Json;
  if (typeof message !== 'string' || message === '') return 'an error has a message';
  if (Object.keys(rest).length > 0) return `an error has no ${Object.keys(rest).join(', ')}`;
  if (!('errors' in body)) return null;
  if (typeof errors !== 'object' || errors === null || Object.keys(errors).length === 0) return 'errors is not filled';
  if (!Object.values(errors).every((text) => typeof text === 'string')) return 'errors holds what is no text';
  if (!message.startsWith(INVALID)) return null;
  const [first = []] = Object.entries(errors);
  const expected = fixed ? INVALID : `${INVALID}: ${first.join(' ')}`;
  return message === expected ? null : `the message is not '${expected}'`;
}
