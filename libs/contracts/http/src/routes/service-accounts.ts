import { apiKeyAnswer, newApiKey, okAnswer, rotatedApiKey, serviceAccountAnswer } from '../answers';
import {
  ApiKeyPostInput,
  ApiKeyRotateInput,
  SERVICE_ACCOUNT_NAME_MAX,
  ServiceAccountPatchInput,
  ServiceAccountPostInput,
} from '../bodies';
import { PATTERNS } from '../patterns';
import { INVALID, route } from '../route';
import { list, text } from '../shape';
import { keySamples as samples } from './samples-access';

const ACCOUNTS = '/api/v2/service-accounts/{org}';
const ACCOUNT = `${ACCOUNTS}/{name}` as const;
const KEYS = `${ACCOUNT}/api-keys` as const;
const unknown = 'Service account not found';
const unknownKey = 'API key not found';

const common = {
  tag: 'Service accounts',
  permission: 'service-accounts',
  paths: { name: 'Name of the service account.', id: 'Id of the key.' },
  patterns: { name: { pattern: PATTERNS.serviceAccount, max: SERVICE_ACCOUNT_NAME_MAX } },
} as const;
const asks = { ...common, method: 'GET', owner: 'projection' } as const;
const changes = { ...common, owner: 'ingestion' } as const;

/** Who calls without being a person, and with which keys (specification 4.6). */
export const serviceAccountRoutes = {
  createServiceAccount: route({
    ...changes,
    id: 'createServiceAccount',
    method: 'POST',
    path: ACCOUNTS,
    summary: 'Create a service account',
    description:
      'With at most the privilege of the caller, in a shared organization. The name of a deleted one is free.',
    body: {
      kind: 'json',
      dto: ServiceAccountPostInput,
      example: { name: 'ci', privilege: 'member', description: 'Reports of the build pipeline' },
    },
    answers: { 201: { description: 'It is made.', shape: okAnswer, example: 'OK' } },
    errors: { 400: [INVALID] },
  }),
  listServiceAccounts: route({
    ...asks,
    id: 'listServiceAccounts',
    path: ACCOUNTS,
    summary: 'List service accounts',
    description: 'By name: all of them for admins and members, those that it created for a snapshotter.',
    answers: { 200: { description: 'All.', shape: list(serviceAccountAnswer), example: [samples.account] } },
  }),
  getServiceAccount: route({
    ...asks,
    id: 'getServiceAccount',
    path: ACCOUNT,
    summary: 'Get a service account',
    description: 'One service account by its name.',
    answers: { 200: { description: 'It.', shape: serviceAccountAnswer, example: samples.account } },
    errors: { 400: [INVALID], 404: [unknown] },
  }),
  patchServiceAccount: route({
    ...changes,
    id: 'patchServiceAccount',
    method: 'PATCH',
    path: ACCOUNT,
    summary: 'Change a service account',
    description: 'Changes what is given and nothing else. Its keys have the new privilege within a second.',
    body: { kind: 'json', dto: ServiceAccountPatchInput, example: { privilege: 'reader' } },
    answers: { 200: { description: 'It is as asked for.', shape: okAnswer, example: 'OK' } },
    errors: { 400: [INVALID], 404: [unknown] },
  }),
  deleteServiceAccount: route({
    ...changes,
    id: 'deleteServiceAccount',
    method: 'DELETE',
    path: ACCOUNT,
    summary: 'Delete a service account',
    description: 'Its keys are revoked: they open nothing any more within a second.',
    answers: { 200: { description: 'It is gone.', shape: okAnswer, example: 'OK' } },
    errors: { 400: [INVALID], 404: [unknown] },
  }),
  createServiceAccountKey: route({
    ...changes,
    id: 'createServiceAccountKey',
    method: 'POST',
    path: KEYS,
    summary: 'Create an API key of a service account',
    description: 'The key is shown in this answer and never again: only its SHA-256 is kept.',
    body: { kind: 'json', dto: ApiKeyPostInput, example: { description: 'build server', expires_at: 0 } },
    answers: { 201: { description: 'The key.', shape: newApiKey, example: samples.fresh } },
    errors: { 400: [INVALID], 404: [unknown] },
  }),
  listServiceAccountKeys: route({
    ...asks,
    id: 'listServiceAccountKeys',
    path: KEYS,
    summary: 'List the API keys of a service account',
    description: 'The oldest first. Revoked ones are not among them, expired ones are.',
    answers: { 200: { description: 'All.', shape: list(apiKeyAnswer), example: [samples.key] } },
    errors: { 400: [INVALID], 404: [unknown] },
  }),
  getServiceAccountKey: route({
    ...asks,
    id: 'getServiceAccountKey',
    path: `${KEYS}/{id}`,
    summary: 'Get an API key of a service account',
    description: 'What is known of it; the key itself is never shown again.',
    answers: { 200: { description: 'It.', shape: apiKeyAnswer, example: samples.key } },
    errors: { 400: [INVALID], 404: [unknown, unknownKey] },
  }),
  revokeServiceAccountKey: route({
    ...changes,
    id: 'revokeServiceAccountKey',
    method: 'DELETE',
    path: `${KEYS}/{id}`,
    summary: 'Revoke an API key of a service account',
    description: 'It opens nothing any more within a second. Again is unknown.',
    answers: { 200: { description: 'It is revoked.', shape: text('The text `revoked`.'), example: 'revoked' } },
    errors: { 400: [INVALID], 404: [unknown, unknownKey] },
  }),
  rotateServiceAccountKey: route({
    ...changes,
    id: 'rotateServiceAccountKey',
    method: 'POST',
    path: `${KEYS}/{id}/rotate`,
    summary: 'Put a new API key in the place of one of a service account',
    description: 'The old one works on for the grace period, so that nothing stands still meanwhile.',
    body: { kind: 'json', dto: ApiKeyRotateInput, example: { grace_period_hours: 24 } },
    answers: { 201: { description: 'The new key.', shape: rotatedApiKey, example: samples.rotated } },
    errors: { 400: [INVALID], 404: [unknown, unknownKey] },
  }),
} as const;
