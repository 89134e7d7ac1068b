import { gives, ok } from '../../http/answers/common';
import { PATTERNS } from '../../http/patterns';
import { route } from '../../http/route';
import { list, text } from '../../http/shape';
import { apiKeyAnswer, newApiKey, rotatedApiKey, serviceAccountAnswer } from '../answers/access';
import {
  ApiKeyPostInput,
  ApiKeyRotateInput,
  SERVICE_ACCOUNT_NAME_MAX,
  ServiceAccountPatchInput,
  ServiceAccountPostInput,
} from '../bodies/access';
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
const asks = { ...common, owner: 'projection', permission: 'service-accounts.read' } as const;
const changes = { ...common, owner: 'ingestion' } as const;

/** Service accounts and their keys (specification 4.6). */
export const serviceAccountRoutes = {
  createServiceAccount: route('POST', ACCOUNTS, {
    ...changes,
    summary: 'Create a service account',
    description:
      'Creates a service account with at most the caller’s privilege, in a shared organization. The name of a deleted one is free.',
    body: {
      kind: 'json',
      shape: ServiceAccountPostInput,
      example: { name: 'ci', privilege: 'member', description: 'Reports of the build pipeline' },
    },
    answers: gives('It is created.', serviceAccountAnswer, samples.account, 201),
  }),
  listServiceAccounts: route('GET', ACCOUNTS, {
    ...asks,
    summary: 'List service accounts',
    description: 'Ordered by name. Admins, members and auditors see all, a snapshotter those that it created.',
    answers: gives('All.', list(serviceAccountAnswer), [samples.account]),
  }),
  getServiceAccount: route('GET', ACCOUNT, {
    ...asks,
    summary: 'Get a service account',
    description: 'One service account by its name.',
    answers: gives('It.', serviceAccountAnswer, samples.account),
    errors: { 404: [unknown] },
  }),
  patchServiceAccount: route('PATCH', ACCOUNT, {
    ...changes,
    summary: 'Change a service account',
    description: 'Changes only the given fields. Its keys have the new privilege within a second.',
    body: { kind: 'json', shape: ServiceAccountPatchInput, example: { privilege: 'reader' } },
    answers: gives('It has the requested settings.', serviceAccountAnswer, samples.account),
    errors: { 404: [unknown] },
  }),
  deleteServiceAccount: route('DELETE', ACCOUNT, {
    ...changes,
    summary: 'Delete a service account',
    description: 'Its keys are revoked and stop working within a second.',
    answers: ok('It is deleted.'),
    errors: { 404: [unknown] },
  }),
  createServiceAccountKey: route('POST', KEYS, {
    ...changes,
    summary: 'Create an API key of a service account',
    description: 'The key is shown only in this answer: the service stores its SHA-256.',
    body: { kind: 'json', shape: ApiKeyPostInput, example: { description: 'build server', expires_at: 0 } },
    answers: gives('The key.', newApiKey, samples.fresh, 201),
    errors: { 404: [unknown] },
  }),
  listServiceAccountKeys: route('GET', KEYS, {
    ...asks,
    summary: 'List the API keys of a service account',
    description: 'Oldest first, without revoked keys, with expired ones.',
    answers: gives('All.', list(apiKeyAnswer), [samples.key]),
    errors: { 404: [unknown] },
  }),
  getServiceAccountKey: route('GET', `${KEYS}/{id}`, {
    ...asks,
    summary: 'Get an API key of a service account',
    description: 'The key’s data; the key itself is never shown again.',
    answers: gives('It.', apiKeyAnswer, samples.key),
    errors: { 404: [unknown, unknownKey] },
  }),
  revokeServiceAccountKey: route('DELETE', `${KEYS}/{id}`, {
    ...changes,
    summary: 'Revoke an API key of a service account',
    description: 'The key stops working within a second. A repeated request gets 404.',
    answers: gives('It is revoked.', text('The text `revoked`.'), 'revoked'),
    errors: { 404: [unknown, unknownKey] },
  }),
  rotateServiceAccountKey: route('POST', `${KEYS}/{id}/rotate`, {
    ...changes,
    summary: 'Rotate an API key of a service account',
    description: 'The old key works during the grace period, so that clients can change keys.',
    body: { kind: 'json', shape: ApiKeyRotateInput, example: { grace_period_hours: 24 } },
    answers: gives('The new key.', rotatedApiKey, samples.rotated, 201),
    errors: { 404: [unknown, unknownKey] },
  }),
} as const;
