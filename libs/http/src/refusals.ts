import { echo, type ErrorBody, type FieldErrors, input, type Route } from '@assurance/contracts-http';
import { type Result, unreachable } from '@assurance/kernel';
import type { Limits } from './tokens';

/** Why a call is not carried out, by name. Only this file turns names into statuses and texts (WIRE 29, 30.1; DECISIONS). */
export type Refusal =
  | { readonly kind: 'unauthenticated' }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'organization-denied'; readonly name: string }
  /** One text a field, by its path. */
  | { readonly kind: 'invalid'; readonly errors: FieldErrors }
  | { readonly kind: 'route-unknown' }
  | { readonly kind: 'media-type'; readonly given: string }
  | { readonly kind: 'body-too-large'; readonly limit: number }
  | { readonly kind: 'attachments-too-large'; readonly limit: number }
  | { readonly kind: 'too-many-parts'; readonly parts: 'fields' | 'files' | 'parts'; readonly limit: number }
  | { readonly kind: 'too-many-artifacts'; readonly limit: number; readonly count: number }
  /** The organization has as many as it may have. */
  | {
      readonly kind: 'too-many';
      readonly things: keyof Limits['perOrganization'] | 'notifications' | 'target configurations';
      readonly limit: number;
    }
  /** A key or an organization has asked for more in this minute than it may. */
  | { readonly kind: 'too-many-requests'; readonly limit: number; readonly seconds: number }
  /** More is under way than the service takes at once. */
  | { readonly kind: 'too-busy' }
  /** What the query reads is being built, after an update of the service. */
  | { readonly kind: 'view-building' }
  /** The process that answers cannot be asked; nothing was done. */
  | { readonly kind: 'service-away' }
  /** The process that answers was asked and gave no whole answer: it may have done it. */
  | { readonly kind: 'service-silent' }
  | { readonly kind: 'lost-race' }
  | { readonly kind: 'attestation-type-unknown'; readonly org: string; readonly name: string }
  | { readonly kind: 'attestation-type-version-unknown'; readonly name: string; readonly version: number }
  | { readonly kind: 'too-many-versions'; readonly limit: number }
  | { readonly kind: 'control-unknown'; readonly org: string; readonly identifier: string }
  | { readonly kind: 'control-exists'; readonly org: string; readonly identifier: string }
  | { readonly kind: 'environment-unknown'; readonly name: string; readonly org: string }
  | { readonly kind: 'environment-archived'; readonly name: string }
  | { readonly kind: 'environment-not-logical'; readonly name: string; readonly is: string }
  | { readonly kind: 'member-not-physical'; readonly name: string }
  | { readonly kind: 'too-many-members'; readonly limit: number }
  | { readonly kind: 'environment-type-changed'; readonly is: string; readonly given: string }
  | { readonly kind: 'environment-wrong-kind'; readonly expected: string; readonly given: string }
  | { readonly kind: 'policy-unknown'; readonly name: string; readonly org: string }
  | { readonly kind: 'too-many-policies'; readonly limit: number }
  | { readonly kind: 'flow-unknown'; readonly name: string; readonly org: string }
  /** Known in no flow at all. */
  | { readonly kind: 'fingerprint-unknown'; readonly fingerprint: string }
  | { readonly kind: 'flow-archived'; readonly name: string }
  | { readonly kind: 'name-taken'; readonly name: string }
  | { readonly kind: 'too-many-tags'; readonly tags: number; readonly characters: number }
  /** An attestation of an artifact that says neither which one nor of which commit. */
  | { readonly kind: 'attestation-unbound'; readonly name: string; readonly artifact: string }
  /** An attestation of an artifact that was not reported in its trail. */
  | {
      readonly kind: 'attested-artifact-unknown';
      readonly fingerprint: string;
      readonly trail: string;
      readonly flow: string;
      readonly org: string;
    }
  /** The trail has as many attestations of different targets and names as it may have. */
  | { readonly kind: 'too-many-attestations'; readonly limit: number }
  | { readonly kind: 'attestation-unknown'; readonly id: string }
  /** It came without a file. */
  | { readonly kind: 'evidence-none'; readonly id: string }
  | { readonly kind: 'trail-unknown'; readonly name: string; readonly org: string; readonly flow: string }
  | { readonly kind: 'template-invalid'; readonly errors: FieldErrors }
  | { readonly kind: 'artifact-unknown'; readonly asked: string; readonly org: string; readonly flow: string }
  | { readonly kind: 'service-account-unknown' }
  | { readonly kind: 'key-unknown' }
  | { readonly kind: 'key-expired'; /** Epoch seconds. */ readonly expiresAt: number }
  | { readonly kind: 'too-many-keys'; readonly limit: number }
  /** It has its user as its only member, and no service accounts. */
  | { readonly kind: 'organization-personal' }
  | { readonly kind: 'user-unknown'; readonly name: string }
  | { readonly kind: 'member-unknown'; readonly name: string; readonly org: string }
  | { readonly kind: 'last-admin' }
  | { readonly kind: 'search-empty'; readonly asked: string }
  | { readonly kind: 'notification-unknown' }
  | { readonly kind: 'target-config-unknown'; readonly name: string; readonly org: string }
  | { readonly kind: 'target-config-used'; readonly name: string; readonly by: string }
  | { readonly kind: 'target-unsigned'; readonly target: string }
  | { readonly kind: 'repo-unknown'; readonly name: string }
  | { readonly kind: 'repo-ambiguous'; readonly name: string; readonly providers: readonly (string | null)[] }
  /** `asked` and `resolved` with the environment's name before them: `production#-1`, `production#0`. */
  | {
      readonly kind: 'snapshot-unknown';
      readonly org: string;
      readonly asked: string;
      readonly resolved: string;
      readonly count: number;
    };

export interface RefusalAnswer {
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal on its way to the edge: thrown by controllers, never by a domain. */
export class RefusalError extends Error {
  override readonly name = 'RefusalError';
  constructor(readonly refusal: Refusal) {
    super(refusal.kind);
  }
}

/** The value of a result; a refusal goes to the edge. */
export function unwrap<Value>(result: Result<Value, Refusal>): Value {
  if (!result.ok) throw new RefusalError(result.refusal);
  return result.value;
}

export const INVALID = 'Input payload validation failed';

/**
 * The status and text of a refusal.
 *
 * @param route where it happened: its own texts come first (WIRE 30.1); null outside every route
 */
export function refusalAnswer(refusal: Refusal, route: Route | null): RefusalAnswer {
  const said = plainAnswer(refusal, route);
  const own = route?.texts?.[refusal.kind];
  return own === undefined ? said : { ...said, body: { ...said.body, message: own } };
}

function plainAnswer(refusal: Refusal, route: Route | null): RefusalAnswer {
  const at = (status: number, message: string): RefusalAnswer => ({ status, body: { message } });
  switch (refusal.kind) {
    case 'unauthenticated':
      return {
        ...at(401, 'Missing or invalid API key'),
        headers: { 'www-authenticate': 'Bearer realm="assurance", Basic realm="assurance", charset="UTF-8"' },
      };
    case 'forbidden':
      return at(403, "You don't have permission to access this resource");
    case 'organization-denied':
      return at(403, `Access denied to /api/v2/user/${echo(refusal.name)}`);
    case 'invalid':
      return invalid(refusal.errors, route);
    case 'route-unknown':
      return at(404, 'There is no such route');
    case 'media-type':
      return at(415, `A body of type '${echo(refusal.given)}' is not supported on this route`);
    case 'body-too-large':
      return unread(`The body is larger than the limit of ${refusal.limit} bytes`);
    case 'attachments-too-large':
      return unread(`The attachments are larger than the limit of ${refusal.limit} bytes`);
    case 'too-many-parts':
      return unread(`The form has more ${refusal.parts} than the limit of ${refusal.limit}`);
    case 'too-many-artifacts':
      return at(413, `The report has ${refusal.count} artifacts, more than the limit of ${refusal.limit}`);
    case 'too-many':
      return at(413, `The organization has reached the limit of ${refusal.limit} ${refusal.things}`);
    case 'too-many-requests':
      return {
        ...at(429, `More than ${refusal.limit} requests came in this minute. Try again in ${refusal.seconds} s`),
        headers: { 'retry-after': String(refusal.seconds) },
      };
    case 'too-busy':
      return later(1, 'The service has more to do than it takes at once.');
    case 'view-building':
      return later(5, 'What this list reads is being built anew after an update.');
    case 'service-away':
      return later(1, 'The part of the service that answers this cannot be reached. Nothing was done.');
    case 'service-silent':
      return later(1, 'The part of the service that answers this gave no answer. It may have been done.');
    case 'lost-race':
      return at(409, 'Somebody else changed this at the same moment. Try again');
    case 'attestation-type-unknown':
      return at(404, `Custom attestation type '${echo(refusal.name)}' does not exist for org '${echo(refusal.org)}'`);
    case 'attestation-type-version-unknown':
      return at(404, `version ${refusal.version} does not exist for custom attestation type '${echo(refusal.name)}'`);
    case 'too-many-versions':
      return at(413, `It has reached the limit of ${refusal.limit} versions`);
    case 'control-unknown':
      return at(404, `Control '${echo(refusal.identifier)}' does not exist in organization '${echo(refusal.org)}'`);
    case 'control-exists':
      return at(
        409,
        `A control with identifier '${echo(refusal.identifier)}' already exists in organization '${echo(refusal.org)}'`,
      );
    case 'environment-unknown':
      return at(
        404,
        `Environment named '${echo(refusal.name)}' does not exist for organization '${echo(refusal.org)}'`,
      );
    case 'environment-archived':
      return at(404, `Environment named '${echo(refusal.name)}' has been archived`);
    case 'environment-not-logical':
      return invalid(
        {
          type: `Environment '${echo(refusal.name)}' is of type '${echo(refusal.is)}': only a logical one has members`,
        },
        route,
      );
    case 'member-not-physical':
      return invalid(
        { physical_env_name: `Environment '${echo(refusal.name)}' is a logical environment itself` },
        route,
      );
    case 'too-many-members':
      return at(413, `A logical environment has at most ${refusal.limit} members`);
    case 'environment-type-changed':
      return invalid(
        {
          type: `The environment is of type '${echo(refusal.is)}', which cannot be changed [input: ${echo(refusal.given)}]`,
        },
        route,
      );
    case 'environment-wrong-kind':
      return invalid(
        { type: `The environment is of type '${echo(refusal.expected)}', the report of type '${echo(refusal.given)}'` },
        route,
      );
    case 'policy-unknown':
      return at(404, `Policy '${echo(refusal.name)}' does not exist in organization '${echo(refusal.org)}'`);
    case 'too-many-policies':
      return invalid({ policy_names: `An environment has at most ${refusal.limit} policies` }, route);
    case 'fingerprint-unknown':
      return at(404, `Artifact with fingerprint '${echo(refusal.fingerprint)}' does not exist`);
    case 'flow-unknown':
      return at(404, `Flow named '${echo(refusal.name)}' does not exist for organization '${echo(refusal.org)}'`);
    case 'flow-archived':
      return at(400, `Flow named '${echo(refusal.name)}' has been archived: nothing new can be added to it`);
    case 'name-taken':
      // Not 409: clients would try again.
      return invalid({ new_name: `This is the name of another already ${input(refusal.name)}` }, route);
    case 'too-many-tags':
      return invalid(
        {
          set_tags: `A resource has at most 50 tags of 4096 characters together; these would be ${refusal.tags} of ${refusal.characters}`,
        },
        route,
      );
    case 'attestation-unbound':
      return at(
        400,
        `Attestation '${echo(refusal.name)}' of artifact '${echo(refusal.artifact)}' requires at least one of: artifact_fingerprint or git_commit_info.`,
      );
    case 'attested-artifact-unknown':
      return at(
        404,
        `Artifact with fingerprint ${echo(refusal.fingerprint)} does not exist in trail "${echo(refusal.trail)}" of flow "${echo(refusal.flow)}" belonging to organization "${echo(refusal.org)}"`,
      );
    case 'too-many-attestations':
      return at(413, `The trail has reached the limit of ${refusal.limit} attestations of different names`);
    case 'attestation-unknown':
      return at(404, `Attestation '${echo(refusal.id)}' does not exist`);
    case 'evidence-none':
      return at(404, `Attestation '${echo(refusal.id)}' came without evidence`);
    case 'trail-unknown':
      return at(
        404,
        `Trail with name '${echo(refusal.name)}' does not exist for Organization '${echo(refusal.org)}' and Flow '${echo(refusal.flow)}'`,
      );
    case 'template-invalid':
      return at(400, templateProblems(refusal.errors));
    case 'artifact-unknown':
      return at(
        404,
        `Artifact with fingerprint '${echo(refusal.asked)}' does not exist in flow '${echo(refusal.flow)}' belonging to organization '${echo(refusal.org)}'`,
      );
    case 'service-account-unknown':
      return at(404, 'Service account not found');
    case 'key-unknown':
      return at(404, 'API key not found');
    case 'key-expired':
      return invalid({ expires_at: `This is in the past ${input(refusal.expiresAt)}` }, route);
    case 'too-many-keys':
      return at(413, `There are ${refusal.limit} API keys already, which is the limit. Revoke one that is not used`);
    case 'organization-personal':
      return at(400, 'A personal organization has its user as its only member, and no service accounts');
    case 'user-unknown':
      return at(404, `There is no user '${echo(refusal.name)}'. With an email one is made`);
    case 'member-unknown':
      return at(404, `User '${echo(refusal.name)}' is no member of organization '${echo(refusal.org)}'`);
    case 'last-admin':
      return at(400, 'An organization keeps at least one administrator: make somebody else one first');
    case 'search-empty':
      return at(404, `No matches for '${echo(refusal.asked)}'.`);
    case 'notification-unknown':
      return at(404, 'Action not found');
    case 'target-config-unknown':
      return at(
        404,
        `Target configuration '${echo(refusal.name)}' does not exist in organization '${echo(refusal.org)}'`,
      );
    case 'target-config-used':
      return at(400, `Target configuration '${echo(refusal.name)}' is used by notification '${echo(refusal.by)}'`);
    case 'target-unsigned':
      return invalid({ target: `There is no webhook target with this id ${input(refusal.target)}` }, route);
    case 'repo-unknown':
      return at(404, `Repo '${echo(refusal.name)}' not found`);
    case 'repo-ambiguous':
      return at(400, ambiguous(refusal.name, refusal.providers));
    case 'snapshot-unknown':
      return at(
        404,
        `Org: '${echo(refusal.org)}'. Snapshot '${echo(refusal.asked)}' resolves to '${echo(refusal.resolved)}'. ` +
          `len(snapshots) == ${refusal.count}. Indexes are 1-based`,
      );
    default:
      return unreachable(refusal);
  }
}

/** The rest of the body is not read: the connection cannot carry another request. */
function unread(message: string): RefusalAnswer {
  return { status: 413, body: { message }, headers: { connection: 'close' } };
}

function later(seconds: number, why: string): RefusalAnswer {
  return {
    status: 503,
    body: { message: `${why} Try again in a moment` },
    headers: { 'retry-after': String(seconds) },
  };
}

function invalid(errors: FieldErrors, route: Route | null): RefusalAnswer {
  const message = (route?.body?.kind === 'json' ? route.body.message : undefined) ?? INVALID;
  return { status: 400, body: Object.keys(errors).length === 0 ? { message } : { message, errors } };
}

function ambiguous(name: string, providers: readonly (string | null)[]): string {
  const distinct = [...new Set(providers.map((provider) => provider ?? 'none'))].sort().join(', ');
  return `Multiple repos named '${echo(name)}' exist (${distinct}). Specify the 'provider' query parameter to choose one`;
}

/** What is wrong with a trail's template, one line a place (WIRE 8.1): clients look for the plural, whatever the number. */
function templateProblems(errors: FieldErrors): string {
  const lines = Object.entries(errors).map(([path, text]) => (path === '' ? text : `${echo(path)}: ${text}`));
  return [`${lines.length} validation errors for Template`, ...lines].join('\n');
}
