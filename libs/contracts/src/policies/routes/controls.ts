import { gives, ok } from '../../http/answers/common';
import { choice, flag, followed, optionalFlag, paged, text, texts } from '../../http/params';
import { INVALID, reads, route, writes } from '../../http/route';
import { UNKNOWN } from '../../http/routes/unknown';
import {
  controlAnswer,
  controlCoverageAnswer,
  controlCoverageExample,
  controlExample,
  controlPage,
  controlPageExample,
} from '../answers/control';
import { ControlPostInput, ControlPutInput } from '../bodies/control';

const tag = 'Controls';
const about = { paths: { control: 'Identifier of the control.' }, errors: { 404: [UNKNOWN.control] } };
const shows = { ...reads(tag), ...about };
const changes = { ...writes(tag, 'organization'), ...about };

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
    errors: { 409: ["A control with identifier 'SDLC-7' already exists in organization 'acme'"] },
  }),
  listControls: route('GET', '/api/v2/controls/{org}', {
    ...reads(tag),
    summary: 'List controls',
    description: 'Controls, ordered by identifier.',
    query: {
      ...followed('Controls'),
      search: text('Only controls whose identifier or name contains this text, in any letter case.'),
      tag: texts('Only with this tag, as `key` or `key:value`; repeat the parameter, all must match.'),
      archived: flag('Only archived ones.'),
      sort_direction: choice(['asc', 'desc'], 'asc', 'Direction of the order by identifier.'),
    },
    answers: gives('One page.', controlPage, controlPageExample, 200, 'Link'),
  }),
  getControl: route('GET', '/api/v2/controls/{org}/{control}', {
    ...shows,
    summary: 'Get a control',
    description: 'One control, also an archived one.',
    answers: gives('The control.', controlAnswer, controlExample),
  }),
  getControlCoverage: route('GET', '/api/v2/controls/{org}/{control}/coverage', {
    ...shows,
    summary: 'Get the coverage of a control',
    description:
      'Lists environments, and whether the newest version of an attached policy requires a decision on the control. It does not say whether the running artifacts have one.',
    query: {
      ...paged('Environments'),
      covered: optionalFlag('Only covered environments, or only the others.'),
      name: text('Environments whose name contains this text, in any letter case.'),
    },
    answers: gives('The coverage.', controlCoverageAnswer, controlCoverageExample),
  }),
  putControl: route('PUT', '/api/v2/controls/{org}/{control}', {
    ...changes,
    summary: 'Change a control',
    description: 'Changes only the given fields. A change creates a new version.',
    body: { kind: 'json', dto: ControlPutInput, example: { name: 'Review of code' } },
    answers: ok('It has the requested settings.'),
  }),
  archiveControl: route('POST', '/api/v2/controls/{org}/{control}/archive', {
    ...changes,
    summary: 'Archive a control',
    description: 'Hides the control from the list. References to it stay valid. Repeating the request changes nothing.',
    answers: ok('It is archived.'),
  }),
  unarchiveControl: route('POST', '/api/v2/controls/{org}/{control}/unarchive', {
    ...changes,
    summary: 'Restore an archived control',
    description: 'Lists the control again, unchanged. Repeating the request changes nothing.',
    answers: ok('It is not archived.'),
  }),
} as const;
