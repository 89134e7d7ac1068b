import {
  controlAnswer,
  controlCoverageAnswer,
  controlCoverageExample,
  controlExample,
  controlPage,
  controlPageExample,
  gives,
  ok,
} from '../answers';
import { ControlPostInput, ControlPutInput } from '../bodies';
import { choice, flag, paged, text, texts } from '../params';
import { INVALID, reads, route, writes } from '../route';

const tag = 'Controls';
const paths = { control: 'Identifier of the control.' };
const unknown = "Control 'SDLC-7' does not exist in organization 'acme'";

/** Controls: only administrators create and change them. */
export const controlRoutes = {
  postControl: route('POST', '/api/v2/controls/{org}', {
    ...writes(tag, 'organization'),
    summary: 'Create a control',
    description: 'Its identifier is never used by another control, not even after archiving.',
    body: {
      kind: 'json',
      dto: ControlPostInput,
      example: { identifier: 'SDLC-7', name: 'Code review', description: 'Two people saw every change' },
      message: INVALID,
    },
    answers: ok('It was created.', 201),
    errors: { 400: [INVALID], 409: ["A control with identifier 'SDLC-7' already exists in organization 'acme'"] },
  }),
  listControls: route('GET', '/api/v2/controls/{org}', {
    ...reads(tag),
    summary: 'List controls',
    description: 'Controls, ordered by identifier.',
    query: {
      ...paged('Controls'),
      search: text('Only controls whose identifier or name contains this text, in any letter case.'),
      tag: texts('Only with this tag, as `key` or `key:value`; repeat the parameter, all must match.'),
      archived: flag('Only archived ones.'),
      sort_direction: choice(['asc', 'desc'], 'asc', 'Direction of the order by identifier.'),
    },
    answers: gives('One page.', controlPage, controlPageExample),
  }),
  getControl: route('GET', '/api/v2/controls/{org}/{control}', {
    ...reads(tag),
    summary: 'Get a control',
    description: 'One control, also an archived one.',
    paths,
    answers: gives('The control.', controlAnswer, controlExample),
    errors: { 404: [unknown] },
  }),
  getControlCoverage: route('GET', '/api/v2/controls/{org}/{control}/coverage', {
    ...reads(tag),
    summary: 'Get the coverage of a control',
    description:
      'Lists environments, and whether the newest version of an attached policy requires a decision on the control. It does not say whether the running artifacts have one.',
    paths,
    query: {
      ...paged('Environments'),
      covered: choice(['all', 'true', 'false'], 'all', 'Only covered environments, or only the others.'),
      name: text('Environments whose name contains this text, in any letter case.'),
    },
    answers: gives('The coverage.', controlCoverageAnswer, controlCoverageExample),
    errors: { 404: [unknown] },
  }),
  putControl: route('PUT', '/api/v2/controls/{org}/{control}', {
    ...writes(tag, 'organization'),
    summary: 'Change a control',
    description: 'Changes only the given fields. A change creates a new version.',
    paths,
    body: { kind: 'json', dto: ControlPutInput, example: { name: 'Review of code' } },
    answers: ok('It has the requested settings.'),
    errors: { 404: [unknown] },
  }),
  archiveControl: route('POST', '/api/v2/controls/{org}/{control}/archive', {
    ...writes(tag, 'organization'),
    summary: 'Archive a control',
    description: 'Hides the control from the list. References to it stay valid. Repeating the request changes nothing.',
    paths,
    answers: ok('It is archived.'),
    errors: { 404: [unknown] },
  }),
  unarchiveControl: route('POST', '/api/v2/controls/{org}/{control}/unarchive', {
    ...writes(tag, 'organization'),
    summary: 'Restore an archived control',
    description: 'Lists the control again, unchanged. Repeating the request changes nothing.',
    paths,
    answers: ok('It is not archived.'),
    errors: { 404: [unknown] },
  }),
} as const;
