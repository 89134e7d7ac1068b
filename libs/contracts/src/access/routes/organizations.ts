import { gives, ok } from '../../http/answers/common';
import { reads, route, writes } from '../../http/route';
import { NO_PERSON } from '../../http/routes/unknown';
import { organizationAnswer } from '../answers/access';
import { OrganizationPostInput } from '../bodies/access';

/** Routes that create and read organizations. */
export const organizationRoutes = {
  createOrganization: route('POST', '/api/v2/organizations', {
    ...writes('Organizations', 'self'),
    summary: 'Create an organization',
    description:
      'Creates a shared organization, which has members and service accounts. The caller must be a user and becomes its administrator. The same user may repeat the request. Installations can reserve this for operators.',
    body: { kind: 'json', shape: OrganizationPostInput, example: { name: 'acme' } },
    answers: { ...ok('The caller created it before.'), ...ok('It was created.', 201) },
    errors: {
      403: [NO_PERSON],
      413: ['You have made 10 organizations, which is the limit. The operator can raise it'],
    },
  }),
  getOrganization: route('GET', '/api/v2/organizations/{org}', {
    ...reads('Organizations'),
    summary: 'Get an organization',
    description: 'The organization itself.',
    answers: gives('It.', organizationAnswer, {
      name: 'acme',
      kind: 'shared',
      experimental_features_enabled: false,
      created_at: 1700000000,
      last_modified_at: 1700000000,
    }),
  }),
} as const;
