import { gives, ok } from '../../http/answers/common';
import { examples } from '../../http/answers/examples';
import { reads, route, writes } from '../../http/route';
import { samples } from '../../http/routes/samples';
import { NO_ENVIRONMENT } from '../../http/routes/unknown';
import { environmentAnswer } from '../answers/environment';
import { CreateEnvironmentPutInput } from '../bodies/environment';

const tag = 'Environments';

export const environmentRoutes = {
  putEnvironment: route('PUT', '/api/v2/environments/{org}', {
    ...writes(tag, 'environment.create'),
    summary: 'Create or update an environment',
    description:
      'Creates the environment, updates it if it exists, and restores it if it is archived. Omitted fields keep their values; the type never changes. A snapshotter may create an environment, but not change an existing one.',
    body: { kind: 'json', shape: CreateEnvironmentPutInput, example: samples.environment },
    answers: { ...ok('It existed.'), ...ok('It was created.', 201) },
  }),
  getEnvironment: route('GET', '/api/v2/environments/{org}/{env}', {
    ...reads(tag),
    summary: 'Get an environment',
    description: 'One environment with its state and the times of its last report and last change.',
    answers: gives('The environment.', environmentAnswer, examples.environment),
    errors: { 404: NO_ENVIRONMENT },
  }),
} as const;
