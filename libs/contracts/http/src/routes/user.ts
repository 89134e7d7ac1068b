import { okAnswer } from '../answers';
import { route } from '../route';
import { nullable, object, text } from '../shape';

const tag = 'Users';

/** What is about the caller alone (WIRE 16). */
export const userRoutes = {
  getDefaultOrganization: route({
    id: 'getDefaultOrganization',
    method: 'GET',
    path: '/api/v2/user/default-org',
    owner: 'projection',
    permission: 'self',
    tag,
    summary: "Get the caller's default organization",
    description: 'The organization that clients work in unless one is named. A service account has one organization.',
    answers: {
      200: {
        description: 'Its name.',
        shape: object({ default_org_name: nullable(text('Null until one is chosen.')) }),
        example: { default_org_name: 'acme' },
      },
    },
  }),
  putDefaultOrganization: route({
    id: 'putDefaultOrganization',
    method: 'PUT',
    path: '/api/v2/user/{org}',
    owner: 'ingestion',
    permission: 'self',
    tag,
    summary: "Choose the caller's default organization",
    description: 'One that the caller is a member of, the personal one included.',
    answers: { 200: { description: 'It is chosen.', shape: okAnswer, example: 'OK' } },
    errors: { 403: ['Access denied to /api/v2/user/acme'] },
  }),
} as const;
