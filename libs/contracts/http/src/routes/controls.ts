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
    description: 'Its identifier is never used by another control, not even after archiving.',
    body: {
      kind: 'json',
      dto: ControlPostInput,
      example: { identifier: 'SDLC-7', name: 'Code review', description: 'Two people saw every change' },
      message: INVALID,
    },
    answers: { 201: { description: 'It was created.', shape: okAnswer, example: 'OK' } },
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
    description: 'Controls, ordered by identifier.',
    query: {
      page: integer({ min: 1, default: 1, description: 'Number of the page.' }),
      per_page: integer({ min: 1, max: 100, default: 15, description: 'Controls per page.' }),
      search: text({
        description: 'Only controls whose identifier or name contains this text, in any letter case.',
        empty: 'absent',
      }),
      tag: texts('Only with this tag, as `key` or `key:value`; repeat the parameter, all must match.'),
      archived: flag('Only archived ones.'),
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
    description: 'One control, also an archived one.',
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
      'Lists environments, and whether the newest version of an attached policy requires a decision on the control. It does not say whether the running artifacts have one.',
    paths,
    query: {
      page: integer({ min: 1, default: 1, description: 'Number of the page.' }),
      per_page: integer({ min: 1, max: 100, default: 15, description: 'Environments per page.' }),
      covered: choice(['all', 'true', 'false'], 'all', 'Only covered environments, or only the others.'),
      name: text({ description: 'Environments whose name contains this text, in any letter case.', empty: 'absent' }),
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
    description: 'Changes only the given fields. A change creates a new version.',
    paths,
    body: { kind: 'json', dto: ControlPutInput, example: { name: 'Review of code' } },
    answers: ok('It has the requested settings.'),
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
    description: 'Hides the control from the list. References to it stay valid. Repeating the request changes nothing.',
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
    summary: 'Restore an archived control',
    description: 'Lists the control again, unchanged. Repeating the request changes nothing.',
    paths,
    answers: ok('It is not archived.'),
    errors: { 404: [unknown] },
  }),
} as const;
