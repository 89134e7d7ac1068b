import { okAnswer } from '../answers';
import {
  EnvironmentJoinInput,
  EnvironmentPatchInput,
  EnvironmentRenameInput,
  FlowRenameInput,
  TagsPatchInput,
} from '../bodies';
import { INVALID, route } from '../route';

const archivedEnvironment = "Environment named 'production' has been archived";
const unknownEnvironment = "Environment named 'production' does not exist for organization 'acme'";
const unknownFlow = "Flow named 'shop-web' does not exist for organization 'acme'";

/** The kinds of resources that have tags, as paths name them. */
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

const ok = (description: string) => ({ 200: { description, shape: okAnswer, example: 'OK' } });

/** Routes that change existing environments and flows: settings, names, tags, and archives. */
export const namingRoutes = {
  patchEnvironment: route({
    id: 'patchEnvironment',
    method: 'PATCH',
    path: '/api/v2/environments/{org}/{env}',
    owner: 'ingestion',
    permission: 'environment.update',
    tag: 'Environments',
    summary: 'Change some settings of an environment',
    description: 'Changes what is given and nothing else. An empty description clears the one that is there.',
    body: { kind: 'json', dto: EnvironmentPatchInput, example: { description: 'Where customers are' } },
    answers: ok('It is as asked for.'),
    errors: { 404: [unknownEnvironment, archivedEnvironment] },
  }),
  archiveEnvironment: route({
    id: 'archiveEnvironment',
    method: 'PUT',
    path: '/api/v2/environments/{org}/{env}/archive',
    owner: 'ingestion',
    permission: 'environment.update',
    tag: 'Environments',
    summary: 'Archive an environment',
    description:
      'It is hidden from lists and takes no reports. It keeps its name: creating an environment of that name revives it. Again does no harm.',
    answers: ok('It is archived.'),
    errors: { 404: [unknownEnvironment] },
  }),
  renameEnvironment: route({
    id: 'renameEnvironment',
    method: 'PUT',
    path: '/api/v2/environments/{org}/{env}/rename',
    owner: 'ingestion',
    permission: 'environment.update',
    tag: 'Environments',
    summary: 'Rename an environment',
    description: 'The old name goes on to mean this environment until another one is given it.',
    body: { kind: 'json', dto: EnvironmentRenameInput, example: { new_name: 'production-eu' }, message: INVALID },
    answers: ok('It has that name.'),
    errors: { 400: [INVALID], 404: [unknownEnvironment, archivedEnvironment] },
  }),
  joinEnvironment: route({
    id: 'joinEnvironment',
    method: 'PUT',
    path: '/api/v2/environments/{org}/{env}/join',
    owner: 'ingestion',
    permission: 'environment.update',
    tag: 'Environments',
    summary: 'Make an environment a member of a logical one',
    description:
      'A logical environment shows, in snapshots of its own, what all its members run together. A member is physical; a logical environment has at most 500. Again does no harm.',
    paths: { env: 'Name of the logical environment.' },
    body: { kind: 'json', dto: EnvironmentJoinInput, example: { physical_env_name: 'production-eu' } },
    answers: ok('It is a member.'),
    errors: { 400: [INVALID], 404: [unknownEnvironment, archivedEnvironment] },
  }),
  archiveFlow: route({
    id: 'archiveFlow',
    method: 'PUT',
    path: '/api/v2/flows/{org}/{flow}/archive',
    owner: 'ingestion',
    permission: 'record',
    tag: 'Flows',
    summary: 'Archive a flow',
    description:
      'It is hidden from lists and takes nothing new; what it holds can be read. Creating a flow of its name revives it. Again does no harm.',
    answers: ok('It is archived.'),
    errors: { 404: ['Flow not found'] },
    texts: { 'flow-unknown': 'Flow not found' },
  }),
  renameFlow: route({
    id: 'renameFlow',
    method: 'PUT',
    path: '/api/v2/flows/{org}/{flow}/rename',
    owner: 'ingestion',
    permission: 'record',
    tag: 'Flows',
    summary: 'Rename a flow',
    description: 'The old name goes on to mean this flow until another one is given it.',
    body: { kind: 'json', dto: FlowRenameInput, example: { new_name: 'shop-front' }, message: INVALID },
    answers: ok('It has that name.'),
    errors: { 400: [INVALID], 404: [unknownFlow] },
  }),
  patchTags: route({
    id: 'patchTags',
    method: 'PATCH',
    path: '/api/v2/tags/{org}/{resource_type}/{id}',
    owner: 'ingestion',
    permission: 'record',
    tag: 'Tags',
    summary: 'Change the tags of a resource',
    description: 'Sets and removes tags; others stay. At most 50 tags of 4,096 characters together.',
    paths: {
      resource_type: 'Of which kind the resource is.',
      id: 'Name of the flow or environment, identifier of the control, internal id of the repository.',
    },
    words: { resource_type: TAGGED },
    body: {
      kind: 'json',
      dto: TagsPatchInput,
      example: { set_tags: { team: 'shop' }, remove_tags: ['owner'] },
    },
    answers: ok('The tags are as asked for.'),
    errors: {
      400: [INVALID],
      404: [
        unknownFlow,
        unknownEnvironment,
        archivedEnvironment,
        "Control 'SDLC-7' does not exist in organization 'acme'",
        "Repo '018bcfe5-6800-7000-8000-000000000002' not found",
      ],
    },
  }),
} as const;
