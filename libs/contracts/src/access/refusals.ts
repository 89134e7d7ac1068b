import { badRequest, conflict, echo, input, invalidFields, notFound, notPermitted, overLimit } from '@assurance/kernel';

export const accessRefusals = {
  'organization-denied': ({ name }: { name: string }) => notPermitted(`Access denied to /api/v2/user/${echo(name)}`),
  'service-account-unknown': () => notFound('Service account not found'),
  'key-unknown': () => notFound('API key not found'),
  /** `expiresAt` in epoch seconds. */
  'key-expired': ({ expiresAt }: { expiresAt: number }) =>
    invalidFields({ expires_at: `This is in the past ${input(expiresAt)}` }),
  'too-many-keys': ({ limit }: { limit: number }) =>
    overLimit(`There are ${limit} API keys already, which is the limit. Revoke one that is not used`),
  'organization-personal': () =>
    badRequest('A personal organization has its user as its only member, and no service accounts'),
  'too-many-organizations': ({ limit }: { limit: number }) =>
    overLimit(`You have made ${limit} organizations, which is the limit. The operator can raise it`),
  /** The person is not a member, and the request has no address for an invitation. */
  'member-uninvited': ({ name, org }: { name: string; org: string }) =>
    notFound(`User '${echo(name)}' is no member of organization '${echo(org)}'. With an email they are invited`),
  'member-unknown': ({ name, org }: { name: string; org: string }) =>
    notFound(`User '${echo(name)}' is no member of organization '${echo(org)}'`),
  'member-already': () => badRequest('You are a member of this organization already'),
  'last-admin': () => badRequest('An organization keeps at least one administrator: make somebody else one first'),
  'identity-unknown': () => notFound('You do not sign in by this identity'),
  /** Another user signs in with this identity. */
  'identity-taken': () => conflict('Another user signs in by this identity'),
  'identity-last': () => badRequest('You could not sign in any more. Make an API key first, and keep it'),
  'identity-provider-none': () => notFound('There is no provider to sign in at'),
  'invitation-unknown': () => notFound('Invitation not found'),
  /** Used, revoked, expired or never made. */
  'invitation-invalid': () => notFound('The invitation does not exist, was used or revoked, or has expired'),
  /** The user has another address than the invited one. */
  'invitation-elsewhere': () => notPermitted('This invitation is for another email address than that of your user'),
};

interface Content {
  name: string;
  spaces: number;
  environments: number;
  flows: number;
}

export const spaceRefusals = {
  'space-unknown': ({ id, org }: { id: string; org: string }) =>
    notFound(`Space '${echo(id)}' does not exist in organization '${echo(org)}'`),
  'space-archived': ({ id }: { id: string }) => notFound(`Space '${echo(id)}' has been archived`),
  /** The target space is unknown or archived. */
  'space-not-there': ({ field, id }: { field: string; id: string }) =>
    invalidFields({ [field]: `There is no space with this id, or it is archived ${input(id)}` }),
  // The status is not 409, because clients would try again.
  'space-name-taken': ({ field, name }: { field: string; name: string }) =>
    invalidFields({ [field]: `Another space of the same parent has the name '${echo(name)}' already` }),
  'space-inside-itself': ({ id }: { id: string }) =>
    invalidFields({ parent_id: `This is the space itself, or inside it ${input(id)}` }),
  'space-too-deep': ({ limit }: { limit: number }) => invalidFields({ parent_id: `Spaces are at most ${limit} deep` }),
  'space-not-empty': ({ name, spaces, environments, flows }: Content) =>
    badRequest(
      `Space '${echo(name)}' is not empty: it holds ${countText(spaces, 'space')}, ` +
        `${countText(environments, 'environment')} and ${countText(flows, 'flow')}. Move or archive them first`,
    ),
  'too-many-spaces': ({ limit }: { limit: number }) =>
    overLimit(`The organization has reached the limit of ${limit} spaces. The operator can raise it`),
};

function countText(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
