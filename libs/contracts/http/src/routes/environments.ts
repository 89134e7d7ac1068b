import { environmentAnswer, okAnswer, examples } from '../answers';
import { CreateEnvironmentPutInput } from '../bodies';
import { route } from '../route';
import { samples } from './samples';

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
      'Creates the environment of this name, updates it when it is there, revives it when it was archived. Fields left out keep their value; the type cannot be changed. A snapshotter may create one, and is refused where an existing one would change.',
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
} as const;
