import { environmentAnswer, okAnswer, examples } from '../answers';
import { artifactCount, CreateEnvironmentPutInput, DockerReport } from '../bodies';
import { route } from '../route';
import { samples } from './samples';
import { text } from '../shape';

const tag = 'Environments';

export const environmentRoutes = {
  putEnvironment: route({
    id: 'putEnvironment',
    method: 'PUT',
    path: '/api/v2/environments/{org}',
    owner: 'ingestion',
    permission: 'environment.create',
    tag,
    summary: 'Create or update an environment',
    description:
      'Creates the environment of this name, updates it when it is there, revives it when it was archived. Fields left out keep their value; the type cannot be changed.',
    body: { kind: 'json', dto: CreateEnvironmentPutInput, example: samples.environment },
    answers: {
      200: { description: 'It was there.', shape: okAnswer, example: 'OK' },
      201: { description: 'It was made.', shape: okAnswer, example: 'OK' },
    },
  }),
  getEnvironment: route({
    id: 'getEnvironment',
    method: 'GET',
    path: '/api/v2/environments/{org}/{env}',
    owner: 'projection',
    permission: 'read',
    tag,
    summary: 'Get an environment',
    description: 'One environment with its state and the times of its last report and last change.',
    answers: { 200: { description: 'The environment.', shape: environmentAnswer, example: examples.environment } },
    errors: {
      404: [
        "Environment named 'production' does not exist for organization 'acme'",
        "Environment named 'production' has been archived",
      ],
    },
  }),
  reportDocker: route({
    id: 'reportDocker',
    method: 'PUT',
    path: '/api/v2/environments/{org}/{env}/report/docker',
    owner: 'ingestion',
    permission: 'report',
    tag,
    summary: 'Report what a docker environment runs',
    description:
      'The complete present state: artifacts that are not in it have exited. Makes a new snapshot when something changed, else none.',
    body: {
      kind: 'json',
      dto: DockerReport,
      example: samples.report,
      message: 'Invalid report data',
      strict: true,
      counted: artifactCount,
    },
    answers: {
      200: {
        description: 'The report was processed.',
        shape: text('`Report processed, snapshot N created` or `Report processed, no new snapshot needed`.'),
        example: 'Report processed, snapshot 1 created',
      },
    },
    errors: {
      400: ['Invalid report data'],
      404: ['Environment not found', "Environment named 'production' has been archived"],
    },
    texts: { 'environment-unknown': 'Environment not found' },
  }),
} as const;
