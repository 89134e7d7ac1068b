import { ok } from '../answers/common';
import {
  EnvironmentJoinInput,
  EnvironmentPatchInput,
  EnvironmentRenameInput,
  FlowRenameInput,
  TagsPatchInput,
} from '../bodies/naming';
import { INVALID, route, writes } from '../route';
import { NO_ENVIRONMENT, UNKNOWN } from './unknown';

/** The kinds of resources that have tags, with their names in paths. */
export const TAGGED = [
  'flow',
  'flows',
  'env',
  'environment',
  'environments',
  'control',
  'controls',
  'repo',
  'repos',
] as const;

/** Routes that change existing environments and flows: settings, names, tags and archives. */
export const namingRoutes = {
  patchEnvironment: route('PATCH', '/api/v2/environments/{org}/{env}', {
    ...writes('Environments', 'environment.update'),
    summary: 'Change some settings of an environment',
    description: 'Changes only the given fields. An empty description removes the description.',
    body: { kind: 'json', shape: EnvironmentPatchInput, example: { description: 'Where customers are' } },
    answers: ok('It has the requested settings.'),
    errors: { 404: NO_ENVIRONMENT },
  }),
  archiveEnvironment: route('PUT', '/api/v2/environments/{org}/{env}/archive', {
    ...writes('Environments', 'environment.update'),
    summary: 'Archive an environment',
    description:
      'Hides the environment from lists and refuses reports to it. It keeps its name: creating an environment of that name restores it. Repeating the request changes nothing.',
    answers: ok('It is archived.'),
    errors: { 404: [UNKNOWN.environment] },
  }),
  renameEnvironment: route('PUT', '/api/v2/environments/{org}/{env}/rename', {
    ...writes('Environments', 'environment.update'),
    summary: 'Rename an environment',
    description: 'The old name still means this environment until another one gets it.',
    body: { kind: 'json', shape: EnvironmentRenameInput, example: { new_name: 'production-eu' }, message: INVALID },
    answers: ok('It has the new name.'),
    errors: { 404: NO_ENVIRONMENT },
  }),
  joinEnvironment: route('PUT', '/api/v2/environments/{org}/{env}/join', {
    ...writes('Environments', 'environment.update'),
    summary: 'Add an environment to a logical environment',
    description:
      'A logical environment has its own snapshots, which show what all its members run. Members are physical environments, at most 500. Repeating the request changes nothing.',
    paths: { env: 'Name of the logical environment.' },
    body: { kind: 'json', shape: EnvironmentJoinInput, example: { physical_env_name: 'production-eu' } },
    answers: ok('The environment is a member.'),
    errors: { 404: NO_ENVIRONMENT },
  }),
  archiveFlow: route('PUT', '/api/v2/flows/{org}/{flow}/archive', {
    ...writes('Flows', 'record'),
    summary: 'Archive a flow',
    description:
      'Hides the flow from lists and refuses new data. Its data stays readable. Creating a flow of its name restores it. Repeating the request changes nothing.',
    answers: ok('It is archived.'),
    errors: { 404: ['Flow not found'] },
    texts: { 'flow-unknown': 'Flow not found' },
  }),
  renameFlow: route('PUT', '/api/v2/flows/{org}/{flow}/rename', {
    ...writes('Flows', 'record'),
    summary: 'Rename a flow',
    description: 'The old name still means this flow until another one gets it.',
    body: { kind: 'json', shape: FlowRenameInput, example: { new_name: 'shop-front' }, message: INVALID },
    answers: ok('It has the new name.'),
    errors: { 404: [UNKNOWN.flow] },
  }),
  patchTags: route('PATCH', '/api/v2/tags/{org}/{resource_type}/{id}', {
    ...writes('Tags', 'record'),
    summary: 'Change the tags of a resource',
    description: 'Sets and removes tags; other tags stay. At most 50 tags with 4,096 characters in total.',
    paths: {
      resource_type: 'The kind of the resource.',
      id: 'Name of the flow or environment, identifier of the control, internal id of the repository.',
    },
    words: { resource_type: TAGGED },
    body: {
      kind: 'json',
      shape: TagsPatchInput,
      example: { set_tags: { team: 'shop' }, remove_tags: ['owner'] },
    },
    answers: ok('The tags are set.'),
    errors: {
      404: [UNKNOWN.flow, ...NO_ENVIRONMENT, UNKNOWN.control, "Repo '018bcfe5-6800-7000-8000-000000000002' not found"],
    },
  }),
} as const;
