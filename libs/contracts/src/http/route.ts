import type { HeaderName } from './headers';
import type { QueryOf, QueryShape } from './params';
import type { Pattern } from './patterns';
import type { Permission } from './roles';
import type { Component, Shape } from './shape';

export type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
/** The service role that answers a route. The gateway forwards requests to it. */
export type Owner = 'gateway' | 'ingestion' | 'projection' | 'audit-package';

/** The beginning of the message for bad input. The first bad field and its fault follow, because many clients show only the message. */
export const INVALID = 'Input payload validation failed';

/** The body of a route. */
export type BodyRule<T extends object> =
  | {
      readonly kind: 'json';
      readonly shape: Component<T>;
      readonly example: unknown;
      /** The whole message of a refusal. If left out, the message is `INVALID` with the first bad field and its fault. */
      readonly message?: string;
      /** Counts the artifacts of a report before its body is validated, to compare the number with the configured limit. */
      readonly counted?: (body: unknown) => number;
      /** Whether the body is evidence: see `isEvidence`. */
      readonly evidence?: true;
    }
  /** A form with JSON text in one field. It has at most one file, unless files are attachments. */
  | {
      readonly kind: 'multipart';
      readonly shape: Component<T>;
      readonly example: unknown;
      readonly field: string;
      readonly file: string;
      /** Whether files are attachments. There may be several under the same name. They are stored while they stream, and have their own limit. */
      readonly attachments?: true;
      /** Whether the body is evidence: see `isEvidence`. */
      readonly evidence?: true;
      /** An example of the file, which is optional in the body. */
      readonly exampleFile?: string;
    };

export interface AnswerRule {
  readonly description: string;
  readonly shape: Shape<unknown>;
  readonly example: unknown;
  /** Headers that it may have in addition to the headers of all answers. */
  readonly headers?: readonly HeaderName[];
}

/** One route of the API: the only definition of its path, permission, input and output. */
export interface Route<Path extends string = string, Q extends QueryShape = QueryShape, B extends object = object> {
  /** The OpenAPI operation id. It equals the key in the route table. */
  readonly id: string;
  readonly method: Method;
  /** `{name}` is one segment; `{name...}` is the rest of the path. */
  readonly path: Path;
  readonly owner: Owner;
  /**
   * The permission that the caller needs in `{org}`. `self`: any key, for routes about the caller only. `invitation`: the token of an invitation
   * instead of a key. `gateway`: requests that the gateway itself sends. `public`: no key.
   */
  readonly permission: Permission | 'self' | 'invitation' | 'gateway' | 'public';
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly query: Q;
  readonly body?: BodyRule<B>;
  /** The meaning of `{name}`, for parameters with a name that does not explain it. */
  readonly paths?: Readonly<Record<string, string>>;
  /** All values of `{name}`, for parameters with a fixed set of words; any other value gets 400. */
  readonly words?: Readonly<Record<string, readonly string[]>>;
  /** The pattern of `{name}`. A value that does not match gets 400 with the name of the parameter, instead of 404. */
  readonly patterns?: Readonly<Record<string, { readonly pattern: Pattern; /** Characters. */ readonly max: number }>>;
  /** By status. */
  readonly answers: Readonly<Record<number, AnswerRule>>;
  /** By status: the texts of `message`, in addition to the texts that every route may return. */
  readonly errors?: Readonly<Record<number, readonly string[]>>;
  /** Headers of errors by status, in addition to the headers of all errors. */
  readonly errorHeaders?: Readonly<Record<number, readonly HeaderName[]>>;
  /** Whether answers are plain text. */
  readonly plain?: boolean;
  /** Media types of successful answers, which are files sent unchanged. Each answer states its type. */
  readonly media?: readonly string[];
  /** Whether the answer continues until the caller disconnects. Such an answer does not count as a concurrent request and has its own limits. */
  readonly lasting?: true;
  /** Whether the route is served without the HTTP framework, because its small requests are frequent. The body is JSON, and the answer is short. */
  readonly direct?: true;
  /** Texts of refusals on this route, by kind of refusal, if they differ from other routes. */
  readonly texts?: Readonly<Record<string, string>>;
}

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Bare<Name> | Names<Rest>
  : never;
type Bare<Name extends string> = Name extends `${infer Bare}...` ? Bare : Name;

export type ParamsOf<R extends Route> = { readonly [K in Names<R['path']>]: string };
export type QueryFor<R extends Route> = QueryOf<R['query']>;
export type BodyOf<R extends Route> = R extends Route<string, QueryShape, infer B> ? B : never;

/** The fields of a route that its definition sets. Routes outside the table also set their id. */
type Definition<Q extends QueryShape, B extends object> = Omit<
  Route<string, Q, B>,
  'id' | 'method' | 'path' | 'query'
> & { readonly id?: string; readonly query?: Q };

/** Completes a route and infers its types. */
export function route<
  const Path extends string,
  Q extends QueryShape = Record<never, never>,
  B extends object = object,
>(method: Method, path: Path, definition: Definition<Q, B>): Route<Path, Q, B> {
  return { id: path, ...definition, method, path, query: definition.query ?? ({} as Q) };
}

/** The common fields of a route that projection answers. */
export const reads = (tag: string, permission: Route['permission'] = 'read') =>
  ({ owner: 'projection', permission, tag }) as const;

/** The common fields of a route that ingestion answers. */
export const writes = (tag: string, permission: Route['permission']) =>
  ({ owner: 'ingestion', permission, tag }) as const;

/** Sets the id of each route to its key. */
export function identified<Table extends Readonly<Record<string, Route>>>(table: Table): Table {
  return Object.fromEntries(Object.entries(table).map(([id, route]) => [id, { ...route, id }])) as Table;
}

/** Whether the files of its body are attachments, which are stored while they stream. */
export function takesAttachments({ body }: Route): boolean {
  return body?.kind === 'multipart' && body.attachments === true;
}

/**
 * Whether the body of a route is evidence: attestations, trails and artifacts. Evidence is stored as it was sent, so a repeated key in one object is
 * refused. Its limit allows for the size of the output of tools.
 */
export function isEvidence({ body }: Route): boolean {
  return body?.evidence === true;
}

/** Routes that decide who has access, or what is dropped. */
const ACCESS: ReadonlySet<string> = new Set(['createInvitation', 'putMember', 'putRetention', 'holdFlow', 'holdTrail']);

/**
 * Whether a route takes content that is stored for an organization. Such routes are refused when the organization has reached its storage limit.
 * Requests that remove, archive or detach something still work, and so do requests that decide who has access or what is dropped.
 */
export function takesContent({ id, owner, method, body, permission }: Route): boolean {
  const access = ['self', 'invitation', 'gateway', 'service-accounts'].includes(permission) || ACCESS.has(id);
  return owner === 'ingestion' && body !== undefined && method !== 'DELETE' && !access;
}
