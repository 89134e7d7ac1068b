import {
  echo,
  type ErrorBody,
  type FieldErrors,
  input,
  INVALID,
  NOT_FROM_PAGE,
  type Route,
} from '@assurance/contracts-http';
import { type Result, unreachable } from '@assurance/kernel';
import { ambiguous, counted, later, shareTaken, templateProblems } from './refusal-texts';
import type { Refusal } from './refusal';

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

/**
 * The status and text of a refusal.
 *
 * @param route where it happened: its own texts come first; null outside every route
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
    case 'not-from-page':
      return at(403, NOT_FROM_PAGE);
    case 'organization-denied':
      return at(403, `Access denied to /api/v2/user/${echo(refusal.name)}`);
    case 'invalid':
      return invalid(refusal.errors, route);
    case 'route-unknown':
      return at(404, 'There is no such route');
    case 'method-unknown':
      return {
        ...at(405, `${echo(refusal.method)} is no method of this path. It takes ${refusal.allowed.join(', ')}`),
        headers: { allow: refusal.allowed.join(', ') },
      };
    case 'body-encoded':
      return {
        ...at(415, `A body that is encoded as '${echo(refusal.encoding)}' is not supported: send it as it is`),
        headers: { connection: 'close' },
      };
    case 'body-too-slow':
      return { ...at(408, 'The body did not arrive in time'), headers: { connection: 'close' } };
    case 'share-taken':
      return {
        ...at(429, shareTaken(refusal)),
        headers: { 'retry-after': '1' },
      };
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
    case 'storage-full':
      return unread(`The organization has stored the ${refusal.limit} bytes of ${refusal.of} that it may store`);
    case 'too-many-requests':
      return {
        ...at(429, `More than ${refusal.limit} requests came in this minute. Try again in ${refusal.seconds} s`),
        headers: { 'retry-after': String(refusal.seconds) },
      };
    case 'too-many-wrong-keys':
      return {
        ...at(429, `Too many wrong API keys came from this address. Try again in ${refusal.seconds} s`),
        headers: { 'retry-after': String(refusal.seconds) },
      };
    case 'too-many-followers':
      return {
        ...at(429, `The ${refusal.whose} has as many as ${refusal.limit} open connections for changes`),
        headers: { 'retry-after': '30' },
      };
    case 'too-much-to-evaluate':
      return { ...at(429, flooded(refusal.seconds)), headers: { 'retry-after': String(refusal.seconds) } };
    case 'too-busy':
      return later(1, 'The service has more to do than it takes at once.');
    case 'view-building':
      return later(5, 'What this list reads is being built anew after an update.');
    case 'service-away':
      return later(1, 'The part of the service that answers this cannot be reached. Nothing was done.');
    case 'service-silent':
      return later(1, 'The part of the service that answers this gave no answer. It may have been done.');
    case 'lost-race':
      return {
        ...at(409, 'Somebody else changed this at the same moment. Try again'),
        headers: { 'retry-after': '1' },
      };
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
    case 'member-uninvited':
      return at(
        404,
        `User '${echo(refusal.name)}' is no member of organization '${echo(refusal.org)}'. With an email they are invited`,
      );
    case 'invitation-unknown':
      return at(404, 'Invitation not found');
    case 'invitation-invalid':
      return at(404, 'The invitation does not exist, was used or revoked, or has expired');
    case 'invitation-elsewhere':
      return at(403, 'This invitation is for another email address than that of your user');
    case 'member-already':
      return at(400, 'You are a member of this organization already');
    case 'too-many-organizations':
      return at(413, `You have made ${refusal.limit} organizations, which is the limit`);
    case 'member-unknown':
      return at(404, `User '${echo(refusal.name)}' is no member of organization '${echo(refusal.org)}'`);
    case 'last-admin':
      return at(400, 'An organization keeps at least one administrator: make somebody else one first');
    case 'space-unknown':
      return at(404, `Space '${echo(refusal.id)}' does not exist in organization '${echo(refusal.org)}'`);
    case 'space-archived':
      return at(404, `Space '${echo(refusal.id)}' has been archived`);
    case 'space-not-there':
      return invalid(
        { [refusal.field]: `There is no space with this id, or it is archived ${input(refusal.id)}` },
        route,
      );
    case 'space-name-taken':
      // Not 409: clients would try again.
      return invalid(
        { [refusal.field]: `Another space of the same parent has the name '${echo(refusal.name)}' already` },
        route,
      );
    case 'space-inside-itself':
      return invalid({ parent_id: `This is the space itself, or inside it ${input(refusal.id)}` }, route);
    case 'space-too-deep':
      return invalid({ parent_id: `Spaces are at most ${refusal.limit} deep` }, route);
    case 'space-not-empty':
      return at(
        400,
        `Space '${echo(refusal.name)}' is not empty: it holds ${counted(refusal.spaces, 'space')}, ` +
          `${counted(refusal.environments, 'environment')} and ${counted(refusal.flows, 'flow')}. Move or archive them first`,
      );
    case 'too-many-spaces':
      return at(413, `The organization has reached the limit of ${refusal.limit} spaces`);
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

const flooded = (seconds: number) =>
  `More of the organization's schemas, rules, YAML files and policies waits to be worked on than is taken. Try again in ${seconds} s`;

/** The rest of the body is not read: the connection cannot carry another request. */
function unread(message: string): RefusalAnswer {
  return { status: 413, body: { message }, headers: { connection: 'close' } };
}

/** Many clients show the message alone: it names the first field, unless the route's text is fixed whole. */
function invalid(errors: FieldErrors, route: Route | null): RefusalAnswer {
  const fixed = route?.body?.kind === 'json' ? route.body.message : undefined;
  const [first] = Object.entries(errors);
  if (first === undefined) return { status: 400, body: { message: fixed ?? INVALID } };
  return { status: 400, body: { message: fixed ?? `${INVALID}: ${first.join(' ')}`, errors } };
}
