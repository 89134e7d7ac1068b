import { badRequest, echo, input, invalidFields, notFound, overLimit } from '@assurance/kernel';

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
  /** The space that something is to go to is unknown or archived. */
  'space-not-there': ({ field, id }: { field: string; id: string }) =>
    invalidFields({ [field]: `There is no space with this id, or it is archived ${input(id)}` }),
  // Not a conflict: clients would try again.
  'space-name-taken': ({ field, name }: { field: string; name: string }) =>
    invalidFields({ [field]: `Another space of the same parent has the name '${echo(name)}' already` }),
  'space-inside-itself': ({ id }: { id: string }) =>
    invalidFields({ parent_id: `This is the space itself, or inside it ${input(id)}` }),
  'space-too-deep': ({ limit }: { limit: number }) => invalidFields({ parent_id: `Spaces are at most ${limit} deep` }),
  'space-not-empty': ({ name, spaces, environments, flows }: Content) =>
    badRequest(
      `Space '${echo(name)}' is not empty: it holds ${counted(spaces, 'space')}, ` +
        `${counted(environments, 'environment')} and ${counted(flows, 'flow')}. Move or archive them first`,
    ),
  'too-many-spaces': ({ limit }: { limit: number }) =>
    overLimit(`The organization has reached the limit of ${limit} spaces`),
};

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
