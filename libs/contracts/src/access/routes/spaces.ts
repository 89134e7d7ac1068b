import { gives, ok } from '../../http/answers/common';
import { paged } from '../../http/params';
import { INVALID, reads, route, writes } from '../../http/route';
import { NO_ENVIRONMENT, UNKNOWN } from '../../http/routes/unknown';
import { flag, text } from '../../http/shape';
import { spaceAnswer, spaceExample, spaceMadeAnswer, spacePage, spacePageExample } from '../answers/space';
import { MoveInput, SpaceMoveInput, SpacePutInput, SpaceRenameInput } from '../bodies/space';

const tag = 'Spaces';
const paths = { space: 'Id of the space.' };
const unknown = "Space '018bcfe5-6800-7000-8000-000000000009' does not exist in organization 'acme'";
const archived = "Space '018bcfe5-6800-7000-8000-000000000009' has been archived";
const { id, name, parent_id } = spaceExample;
const space = { id, name, parent_id };

/** Spaces. Only administrators create and change them, and move items between them. */
export const spaceRoutes = {
  putSpace: route('PUT', '/api/v2/spaces/{org}', {
    ...writes(tag, 'organization'),
    summary: 'Create a space',
    description:
      'An existing space of this name in this parent does not change; an archived one is restored. Spaces nest at most 10 deep.',
    body: { kind: 'json', shape: SpacePutInput, example: { name, parent_id } },
    answers: {
      ...gives('It existed, possibly archived.', spaceMadeAnswer, space),
      ...gives('It was created.', spaceMadeAnswer, space, 201),
    },
    errors: { 413: ['The organization has reached the limit of 500 spaces. The operator can raise it'] },
  }),
  listSpaces: route('GET', '/api/v2/spaces/{org}', {
    ...reads(tag),
    summary: 'List spaces',
    description: 'Spaces, ordered by path: each is followed by its children. The root is not listed.',
    query: {
      ...paged('Spaces'),
      parent_id: text('Only what is directly in this space; `root` for the root.'),
      search: text('Only names that contain this text, in any letter case.'),
      archived: flag('Only archived ones.', { default: false }),
    },
    answers: gives('One page.', spacePage, spacePageExample),
  }),
  getSpace: route('GET', '/api/v2/spaces/{org}/{space}', {
    ...reads(tag),
    summary: 'Get a space',
    description: 'One space, also an archived one.',
    paths,
    answers: gives('The space.', spaceAnswer, spaceExample),
    errors: { 404: [unknown] },
  }),
  renameSpace: route('PUT', '/api/v2/spaces/{org}/{space}/rename', {
    ...writes(tag, 'organization'),
    summary: 'Rename a space',
    description: 'The space keeps its id and its content.',
    paths,
    body: { kind: 'json', shape: SpaceRenameInput, example: { new_name: 'Billing' } },
    answers: ok('It has the new name.'),
    errors: { 404: [unknown, archived] },
  }),
  moveSpace: route('PUT', '/api/v2/spaces/{org}/{space}/move', {
    ...writes(tag, 'organization'),
    summary: 'Move a space',
    description: 'Moves a space with its content. The target must not be inside the space.',
    paths,
    body: { kind: 'json', shape: SpaceMoveInput, example: { parent_id: 'root' } },
    answers: ok('It is there.'),
    errors: { 404: [unknown, archived] },
  }),
  archiveSpace: route('PUT', '/api/v2/spaces/{org}/{space}/archive', {
    ...writes(tag, 'organization'),
    summary: 'Archive a space',
    description:
      'Hides a space from the list. It must not contain spaces, environments or flows, apart from archived ones. Creating a space of its name in its parent restores it. Repeating the request changes nothing.',
    paths,
    answers: ok('It is archived.'),
    errors: {
      400: [
        "Space 'Payments' is not empty: it holds 1 space, 2 environments and 0 flows. Move or archive them first",
        INVALID,
      ],
      404: [unknown],
    },
  }),
  moveEnvironment: route('PUT', '/api/v2/environments/{org}/{env}/move', {
    ...writes(tag, 'organization'),
    summary: 'Move an environment to a space',
    description: 'Only the list in which it is shown changes. Its name stays unique in the organization.',
    body: { kind: 'json', shape: MoveInput, example: { space_id: id } },
    answers: ok('It is there.'),
    errors: { 404: NO_ENVIRONMENT },
  }),
  moveFlow: route('PUT', '/api/v2/flows/{org}/{flow}/move', {
    ...writes(tag, 'organization'),
    summary: 'Move a flow to a space',
    description: 'Only the list in which it is shown changes. Its name stays unique in the organization.',
    body: { kind: 'json', shape: MoveInput, example: { space_id: id } },
    answers: ok('It is there.'),
    errors: { 404: [UNKNOWN.flow] },
  }),
} as const;
