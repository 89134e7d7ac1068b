import type { QueryOf, QueryShape } from './params';
import type { Pattern } from './patterns';
import type { HeaderName } from './responses';
import type { Permission } from './roles';
import type { Shape } from './shape';

export type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
/** The role that answers a route; the gateway forwards to it. */
export type Owner = 'gateway' | 'ingestion' | 'projection' | 'audit-package';
export type Class<T extends object> = new () => T;

/** The message of bad input begins with this. The first bad field and its fault follow, because many clients show the message alone. */
export const INVALID = 'Input payload validation failed';

/** The body of a route. */
export type BodyRule<T extends object> =
  | {
      readonly kind: 'json';
      readonly dto: Class<T>;
      readonly example: unknown;
      /** The whole message of what is refused; unless given, `INVALID` with the first bad field and its fault after it. */
      readonly message?: string;
      /** Unknown properties are refused; else they are ignored. */
      readonly strict?: boolean;
      /** Counts the artifacts of a report before its body is validated, to compare the number with the configured limit. */
      readonly counted?: (body: unknown) => number;
      /** It is evidence: see `isEvidence`. */
      readonly evidence?: true;
    }
  /** A form with the JSON text in one field, and at most one file, unless files are attachments. */
  | {
      readonly kind: 'multipart';
      readonly dto: Class<T>;
      readonly example: unknown;
      readonly field: string;
      readonly file: string;
      /** Files are attachments: several under the same name, stored while they stream, and held to a limit of their own. */
      readonly attachments?: true;
      /** It is evidence: see `isEvidence`. */
      readonly evidence?: true;
      /** An example of the file, which the body may be without. */
      readonly exampleFile?: string;
    };

export interface AnswerRule {
  readonly description: string;
  readonly shape: Shape<unknown>;
  readonly example: unknown;
  /** Headers that it may have beside those that all answers have. */
  readonly headers?: readonly HeaderName[];
}

/** One route of the API: the only definition of its path, permission, input and output. */
export interface Route<Path extends string = string, Q extends QueryShape = QueryShape, B extends object = object> {
  /** The OpenAPI operation id: its key in the route table. */
  readonly id: string;
  readonly method: Method;
  /** `{name}` is one segment, `{name...}` the rest of the path. */
  readonly path: Path;
  readonly owner: Owner;
  /**
   * The permission that the caller needs in `{org}`. `self`: any key, for routes about the caller alone. `invitation`: the token of an
   * invitation instead of a key. `gateway`: requests that a gateway itself sends. `public`: no key.
   */
  readonly permission: Permission | 'self' | 'invitation' | 'gateway' | 'public';
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly query: Q;
  readonly body?: BodyRule<B>;
  /** The meaning of `{name}`, for parameters whose name does not explain it. */
  readonly paths?: Readonly<Record<string, string>>;
  /** All that `{name}` may be, for parameters that are one of some words; anything else is 400. */
  readonly words?: Readonly<Record<string, readonly string[]>>;
  /** The pattern of `{name}`. A value that does not match gets 400 naming the parameter, instead of 404. */
  readonly patterns?: Readonly<Record<string, { readonly pattern: Pattern; /** Characters. */ readonly max: number }>>;
  /** By status. */
  readonly answers: Readonly<Record<number, AnswerRule>>;
  /** By status: the texts of `message`, beyond those that every route may give. */
  readonly errors?: Readonly<Record<number, readonly string[]>>;
  /** Answers are plain text. */
  readonly plain?: boolean;
  /** Answers of success are files of one of these media types, sent as they are; each says which. */
  readonly media?: readonly string[];
  /** The answer continues until the caller disconnects. It does not count as a concurrent request and has limits of its own. */
  readonly lasting?: true;
  /** Small requests come often: they are served without the HTTP framework. The body is JSON, and the answer is short. */
  readonly direct?: true;
  /** Texts of refusals on this route, by the refusal's kind, where they differ from those of other routes. */
  readonly texts?: Readonly<Record<string, string>>;
}

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Bare<Name> | Names<Rest>
  : never;
type Bare<Name extends string> = Name extends `${infer Bare}...` ? Bare : Name;

export type ParamsOf<R extends Route> = { readonly [K in Names<R['path']>]: string };
export type QueryFor<R extends Route> = QueryOf<R['query']>;
export type BodyOf<R extends Route> = R extends Route<string, QueryShape, infer B> ? B : never;

/** The rest of a route; routes outside the table name their id. */
type Definition<Q extends QueryShape, B extends object> = Omit<
  Route<string, Q, B>,
  'id' | 'method' | 'path' | 'query'
> & { readonly id?: string; readonly query?: Q };

/** Completes a route, with its types. */
export function route<
  const Path extends string,
  Q extends QueryShape = Record<never, never>,
  B extends object = object,
>(method: Method, path: Path, definition: Definition<Q, B>): Route<Path, Q, B> {
  return { id: path, ...definition, method, path, query: definition.query ?? ({} as Q) };
}

/** A route of projection, under a tag. */
export const reads = (tag: string, permission: Route['permission'] = 'read') =>
  ({ owner: 'projection', permission, tag }) as const;

/** A route of ingestion, under a tag. */
export const writes = (tag: string, permission: Route['permission']) =>
  ({ owner: 'ingestion', permission, tag }) as const;

/** Gives each route its key as its id. */
export function identified<Table extends Readonly<Record<string, Route>>>(table: Table): Table {
  return Object.fromEntries(Object.entries(table).map(([id, route]) => [id, { ...route, id }])) as Table;
}

/** Whether files of its body are attachments, which are stored while they stream. */
export function takesAttachments({ body }: Route): boolean {
  return body?.kind === 'multipart' && body.attachments === true;
}

/**
 * Whether the body of a route is evidence: of attestations, trails and artifacts. It is kept as it was sent, so a key that stands twice in one
 * object is refused, and it may be as large as what tools write.
 */
export function isEvidence({ body }: Route): boolean {
  return body?.evidence === true;
}

/** Routes that decide who gets in, or what is dropped. */
const ACCESS: ReadonlySet<string> = new Set(['createInvitation', 'putMember', 'putRetention', 'holdFlow', 'holdTrail']);

/**
 * Whether a route takes content that is stored for an organization: refused where the organization has stored as much as it may. What takes
 * something away, archives or detaches it, and what decides who gets in or what is dropped, goes on.
 */
export function takesContent({ id, owner, method, body, permission }: Route): boolean {
  const access = ['self', 'invitation', 'gateway', 'service-accounts'].includes(permission) || ACCESS.has(id);
  return owner === 'ingestion' && body !== undefined && method !== 'DELETE' && !access;
}
