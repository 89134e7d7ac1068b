import { gives, pageExample, tagChoice } from '../../http/answers/common';
import { followed, names, paged, texts, timestamp } from '../../http/params';
import { INVALID, reads, route, writes } from '../../http/route';
import { UNKNOWN } from '../../http/routes/unknown';
import { flag, list, nullable, oneOf, text } from '../../http/shape';
import { attestation, attestationExamples } from '../../evidence/answers/attestation';
import {
  controlAnswer,
  controlCoverageAnswer,
  controlCoverageExample,
  controlExample,
  controlPage,
  controlPageExample,
  controlVersionAnswer,
  controlVersionExample,
  controlVersionPage,
  decisionPage,
} from '../answers/control';
import { ControlPostInput, ControlPutInput } from '../bodies/control';

const tag = 'Controls';
const decisionExample = {
  ...attestationExamples.listed,
  attestation_name: 'review',
  attestation_type: 'decision',
  control: 'SDLC-7',
  control_version: 2,
};
const about = { paths: { control: 'Identifier of the control.' }, errors: { 404: [UNKNOWN.control] } };
const shows = { ...reads(tag), ...about };
const changes = { ...writes(tag, 'organization'), ...about };

/** Controls. Only administrators create and change them. */
export const controlRoutes = {
  postControl: route('POST', '/api/v2/controls/{org}', {
    ...writes(tag, 'organization'),
    summary: 'Create a control',
    description:
      'Its identifier is never used by another control, not even after archiving. Clients encode a `/` of it as `%2F` in paths.',
    body: {
      kind: 'json',
      shape: ControlPostInput,
      example: { identifier: 'SDLC-7', name: 'Code review', description: 'Two people saw every change' },
      message: INVALID,
    },
    answers: gives('It was created.', controlAnswer, { ...controlExample, version: 1 }, 201),
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
      archived: flag('Only archived ones.', { default: false }),
      sort_direction: oneOf(['asc', 'desc'], 'Direction of the order by identifier.', { default: 'asc' }),
    },
    answers: gives('One page.', controlPage, controlPageExample, 200, 'Link'),
  }),
  getControl: route('GET', '/api/v2/controls/{org}/{control}', {
    ...shows,
    summary: 'Get a control',
    description: 'One control, also an archived one.',
    answers: gives('The control.', controlAnswer, controlExample),
  }),
  listControlTags: route('GET', '/api/v2/controls/{org}/tags', {
    ...reads(tag),
    summary: 'List the tags of controls',
    description: 'The distinct pairs of key and value that controls of the organization have, by key and value.',
    answers: gives('All.', list(tagChoice), [{ key: 'team', value: 'shop' }]),
  }),
  listControlVersions: route('GET', '/api/v2/controls/{org}/{control}/versions', {
    ...shows,
    summary: 'List the versions of a control',
    description: 'Each change of name, description or links made one.',
    query: {
      ...paged('Versions'),
      sort_direction: oneOf(['asc', 'desc'], 'Direction of the order by version.', { default: 'desc' }),
    },
    answers: gives('One page.', controlVersionPage, { ...pageExample, versions: [controlVersionExample] }),
  }),
  getControlVersion: route('GET', '/api/v2/controls/{org}/{control}/versions/{version}', {
    ...shows,
    summary: 'Get a version of a control',
    description: 'One version as it was.',
    paths: { ...about.paths, version: 'Number of the version, from 1.' },
    answers: gives('It.', controlVersionAnswer, controlVersionExample),
    errors: { 404: [UNKNOWN.control, "Control 'SDLC-7' has no version '9' in organization 'acme'"] },
  }),
  listControlDecisions: route('GET', '/api/v2/controls/{org}/{control}/decisions', {
    ...shows,
    summary: 'List the decisions on a control',
    description: 'Attestations of decisions on the control, by their time, without payloads.',
    query: {
      ...followed('Decisions'),
      is_compliant: nullable(flag('Only compliant decisions, or only the others.')),
      from_timestamp: timestamp('Decisions at or after this time, in epoch seconds.'),
      to_timestamp: timestamp('Decisions at or before this time, in epoch seconds.'),
      flow_id: names('Only of the flow with this id; repeat the parameter for several.'),
      sort_direction: oneOf(['asc', 'desc'], 'Direction of the order by time.', { default: 'desc' }),
    },
    answers: gives('One page.', decisionPage, { ...pageExample, decisions: [decisionExample] }, 200, 'Link'),
  }),
  getControlDecision: route('GET', '/api/v2/controls/{org}/{control}/decisions/{decision}', {
    ...shows,
    summary: 'Get a decision on a control',
    description: 'One decision with its payload.',
    paths: { ...about.paths, decision: 'Id of the attestation of the decision.' },
    answers: gives('It.', attestation, decisionExample),
    errors: {
      404: [UNKNOWN.control, `Decision '${decisionExample.attestation_id}' on control 'SDLC-7' does not exist`],
    },
  }),
  getControlCoverage: route('GET', '/api/v2/controls/{org}/{control}/coverage', {
    ...shows,
    summary: 'Get the coverage of a control',
    description:
      'Lists environments, and whether the newest version of an attached policy requires a decision on the control. It does not say whether the running artifacts have one.',
    query: {
      ...paged('Environments'),
      covered: nullable(flag('Only covered environments, or only the others.')),
      search: text('Environments whose name contains this text, in any letter case.'),
      name: text('The same, if `search` is not given.'),
    },
    answers: gives('The coverage.', controlCoverageAnswer, controlCoverageExample),
  }),
  putControl: route('PUT', '/api/v2/controls/{org}/{control}', {
    ...changes,
    summary: 'Change a control',
    description: 'Changes only the given fields. A change creates a new version.',
    body: { kind: 'json', shape: ControlPutInput, example: { name: 'Review of code' } },
    answers: gives('It has the requested settings.', controlAnswer, controlExample),
  }),
  archiveControl: route('POST', '/api/v2/controls/{org}/{control}/archive', {
    ...changes,
    summary: 'Archive a control',
    description: 'Hides the control from the list. References to it stay valid. Repeating the request changes nothing.',
    answers: gives('It is archived.', controlAnswer, { ...controlExample, archived: true }),
  }),
  unarchiveControl: route('POST', '/api/v2/controls/{org}/{control}/unarchive', {
    ...changes,
    summary: 'Restore an archived control',
    description: 'Lists the control again, unchanged. Repeating the request changes nothing.',
    answers: gives('It is not archived.', controlAnswer, controlExample),
  }),
} as const;
