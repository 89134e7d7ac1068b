import { gives, ok } from '../../http/answers/common';
import { reads, route, writes } from '../../http/route';
import { NO_PERSON } from '../../http/routes/unknown';
import { list, nullable, object, text } from '../../http/shape';
import { apiKeyAnswer, newApiKey, rotatedApiKey } from '../answers/access';
import { ApiKeyPostInput, ApiKeyRotateInput } from '../bodies/access';
import { keySamples as samples } from './samples-access';

const tag = 'Users';
const KEYS = '/api/v2/user/api-keys';
const unknownKey = 'API key not found';
const paths = { id: 'Id of the key.' };

/** Routes about the caller. */
export const userRoutes = {
  getDefaultOrganization: route('GET', '/api/v2/user/default-org', {
    ...reads(tag, 'self'),
    summary: "Get the caller's default organization",
    description: 'The organization that clients use if none is named. A service account has one organization.',
    answers: gives('Its name.', object({ default_org_name: nullable(text('Null until one is chosen.')) }), {
      default_org_name: 'acme',
    }),
  }),
  putDefaultOrganization: route('PUT', '/api/v2/user/{org}', {
    ...writes(tag, 'self'),
    summary: "Choose the caller's default organization",
    description: 'An organization in which the caller is a member; the personal one too.',
    answers: ok('It is chosen.'),
    errors: { 403: ['Access denied to /api/v2/user/acme'] },
  }),
  listUserKeys: route('GET', KEYS, {
    ...reads(tag, 'self'),
    summary: "List the caller's API keys",
    description: 'The keys of a user, oldest first. Keys of service accounts have their own routes.',
    answers: gives('All.', list(apiKeyAnswer), [samples.key]),
    errors: { 403: [NO_PERSON] },
  }),
  createUserKey: route('POST', KEYS, {
    ...writes(tag, 'self'),
    summary: 'Create a personal API key',
    description: 'The key has the rights of its user. It is shown only in this answer: the service stores its SHA-256.',
    body: { kind: 'json', shape: ApiKeyPostInput, example: { description: 'laptop', expires_at: 0 } },
    answers: gives('The key.', newApiKey, samples.fresh, 201),
    errors: { 403: [NO_PERSON] },
  }),
  revokeUserKey: route('DELETE', `${KEYS}/{id}`, {
    ...writes(tag, 'self'),
    summary: 'Revoke a personal API key',
    description: 'The key stops working within a second. A repeated request gets 404.',
    paths,
    answers: gives('It is revoked.', text('The text `revoked`.'), 'revoked'),
    errors: { 403: [NO_PERSON], 404: [unknownKey] },
  }),
  rotateUserKey: route('POST', `${KEYS}/{id}/rotate`, {
    ...writes(tag, 'self'),
    summary: 'Rotate a personal API key',
    description: 'The old key works during the grace period.',
    paths,
    body: { kind: 'json', shape: ApiKeyRotateInput, example: { grace_period_hours: 24 } },
    answers: gives('The new key.', rotatedApiKey, samples.rotated, 201),
    errors: { 403: [NO_PERSON], 404: [unknownKey] },
  }),
} as const;
