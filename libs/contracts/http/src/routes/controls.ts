import {
  controlAnswer,
  controlCoverageAnswer,
  controlCoverageExample,
  controlExample,
  controlPage,
  controlPageExample,
  okAnswer,
} from '../answers';
import { ControlPostInput, ControlPutInput } from '../bodies';
import { choice, flag, integer, text, texts } from '../params';
import { INVALID, route } from '../route';

const tag = 'Controls';
const paths = { control: 'Identifier of the control.' };
const unknown = "Control 'SDLC-7' does not exist in organization 'acme'";
const ok = (description: string) => ({ 200: { description, shape: okAnswer, example: 'OK' } });

/** Controls: only administrators create and change them. */
export const controlRoutes = {
  postControl: route({
    id: 'postControl',
    method: 'POST',
    path: '/api/v2/controls/{org}',
    owner: 'ingestion',
    permission: 'organization',
    tag,
    summary: 'Create a control',
    description: 'Its identifier stays its own for ever, in the archive too.',
    body: {
      kind: 'json',
      dto: ControlPostInput,
      example: { identifier: 'SDLC-7', name: 'Code review', description: 'Two people saw every change' },
      message: INVALID,
    },
    answers: { 201: { description: 'It was made.', shape: okAnswer, example: 'OK' } },
    errors: { 400: [INVALID], 409: ["A control with identifier 'SDLC-7' already exists in organization 'acme'"] },
  }),
  listControls: route({
    id: 'listControls',
    method: 'GET',
    path: '/api/v2/controls/{org}',
    owner: 'projection',
    permission: 'read',
    tag,
    summary: 'List controls',
    description: 'Controls in the order of their identifiers.',
    query: {
      page: integer({ min: 1, default: 1, description: 'Number of the page.' }),
      per_page: integer({ min: 1, max: 100, default: 15, description: 'Controls per page.' }),
      search: text({ description: 'Identifiers and names that hold this text, in any case.', empty: 'absent' }),
      tag: texts('With this tag, as `key` or `key:value`; repeat the parameter, all must match.'),
      archived: flag('Those in the archive alone, in the place of all others.'),
      sort_direction: choice(['asc', 'desc'], 'asc', 'Direction of the order by identifier.'),
    },
    answers: { 200: { description: 'One page.', shape: controlPage, example: controlPageExample } },
  }),
  getControl: route({
    id: 'getControl',
    method: 'GET',
    path: '/api/v2/controls/{org}/{control}',
    owner: 'projection',
    permission: 'read',
    tag,
    summary: 'Get a control',
    description: 'One control, archived ones too.',
    paths,
    answers: { 200: { description: 'The control.', shape: controlAnswer, example: controlExample } },
    errors: { 404: [unknown] },
  }),
  getControlCoverage: route({
    id: 'getControlCoverage',
    method: 'GET',
    path: '/api/v2/controls/{org}/{control}/coverage',
    owner: 'projection',
    permission: 'read',
    tag,
    summary: 'Get the coverage of a control',
    description:
      'Environments and whether a policy that is attached to them asks, in its newest version, for a decision on the control. Whether what runs there has one is another question.',
    paths,
    query: {
      page: integer({ min: 1, default: 1, description: 'Number of the page.' }),
      per_page: integer({ min: 1, max: 100, default: 15, description: 'Environments per page.' }),
      covered: choice(['all', 'true', 'false'], 'all', 'Covered environments alone, or all others.'),
      name: text({ description: 'Environments whose name holds this text, in any case.', empty: 'absent' }),
    },
    answers: {
      200: { description: 'The coverage.', shape: controlCoverageAnswer, example: controlCoverageExample },
    },
    errors: { 404: [unknown] },
  }),
  putControl: route({
    id: 'putControl',
    method: 'PUT',
    path: '/api/v2/controls/{org}/{control}',
    owner: 'ingestion',
    permission: 'organization',
    tag,
    summary: 'Change a control',
    description: 'Changes what is given and nothing else. Where something changes, it has a new version.',
    paths,
    body: { kind: 'json', dto: ControlPutInput, example: { name: 'Review of code' } },
    answers: ok('It is as asked for.'),
    errors: { 404: [unknown] },
  }),
  archiveControl: route({
    id: 'archiveControl',
    method: 'POST',
    path: '/api/v2/controls/{org}/{control}/archive',
    owner: 'ingestion',
    permission: 'organization',
    tag,
    summary: 'Archive a control',
    description: 'It is hidden from the list; what refers to it goes on. Again does no harm.',
    paths,
    answers: ok('It is archived.'),
    errors: { 404: [unknown] },
  }),
  unarchiveControl: route({
    id: 'unarchiveControl',
    method: 'POST',
    path: '/api/v2/controls/{org}/{control}/unarchive',
    owner: 'ingestion',
    permission: 'organization',
    tag,
    summary: 'Take a control out of the archive',
    description: 'It is listed again, as it was. Again does no harm.',
    paths,
    answers: ok('It is not archived.'),
    errors: { 404: [unknown] },
  }),
} as const;
