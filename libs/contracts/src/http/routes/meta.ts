import { VERSION } from '@assurance/kernel';
import { flowTemplateSchema } from '../../flows/flow-template';
import { policySchema } from '../../policies/policy-schema';
import { gives } from '../answers/common';
import { route } from '../route';
import { anything, flag, list, map, object, oneOf, text } from '../shape';

/** The version of the API. It changes by additions only. */
export const API_VERSION = '2.0';

const tag = 'Meta';
const open = { owner: 'gateway', permission: 'public', tag } as const;

/** The public keys that verify checkpoints and packages of this installation. */
const signingKeys = object({
  keys: list(
    object({
      id: text('The id of the key: its 32 bytes as base64url.'),
      algorithm: oneOf(['Ed25519']),
      public_key: text('PEM.'),
      current: flag('Whether it signs now. Older keys signed before the installation’s secret was changed.'),
    }),
  ),
});

export const metaRoutes = {
  live: route('GET', '/live', {
    ...open,
    summary: 'Whether the process answers',
    description: 'Plain text: `OK`. It checks nothing else: restart a process that does not answer.',
    plain: true,
    answers: gives('The process answers.', text(), 'OK'),
  }),
  ready: route('GET', '/ready', {
    ...open,
    summary: 'Whether the service can answer',
    description: 'Plain text: `OK`, or what is missing.',
    plain: true,
    answers: {
      ...gives('The service can answer.', text(), 'OK'),
      ...gives('It cannot, and why.', text(), 'event store: no answer', 503, 'Retry-After'),
    },
  }),
  openapi: route('GET', '/api/v2/openapi.json', {
    ...open,
    summary: 'This document',
    description: 'The API as an OpenAPI document.',
    answers: gives('OpenAPI 3.1.', map(anything()), { openapi: '3.1.0' }),
  }),
  getVersion: route('GET', '/api/v2/version', {
    ...open,
    permission: 'self',
    summary: 'The release of the service',
    description: 'The release of the gateway that answers, and the version of the API.',
    answers: gives(
      'Both versions.',
      object({ version: text('Of the release, by Semantic Versioning.'), api_version: text('Of the API.') }),
      { version: VERSION, api_version: API_VERSION },
    ),
  }),
  docHome: route('GET', '/api/v2/doc', {
    ...open,
    summary: 'Redirect to the interactive reference',
    description: 'Redirects to the same path with a trailing slash.',
    plain: true,
    answers: gives('It is at `Location`.', text(), 'doc/', 301, 'Location'),
  }),
  doc: route('GET', '/api/v2/doc/{file...}', {
    ...open,
    summary: 'The interactive reference',
    description:
      'A page that shows this document and sends requests to the service. It loads files of this service only.',
    paths: { file: 'The name of a file that the page loads; empty for the page itself.' },
    media: ['text/html', 'text/javascript', 'text/css', 'image/png'],
    answers: gives('The file.', text(), '<!doctype html>'),
    errors: { 404: ['There is no such route'] },
  }),
  signingKeys: route('GET', '/api/v2/signing-keys', {
    ...open,
    summary: 'The public signing keys',
    description: 'The keys that verify signatures of this installation, such as those of checkpoints.',
    answers: gives('The current key first.', signingKeys, {
      keys: [
        {
          id: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
          algorithm: 'Ed25519',
          public_key:
            '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n',
          current: true,
        },
      ],
    }),
  }),
  flowTemplateSchema: route('GET', '/schemas/flow-template/v1', {
    ...open,
    summary: 'The JSON Schema of flow templates',
    description: 'The schema of flow templates of version 1, for editors and checks. It is below the base URL, too.',
    answers: gives('JSON Schema 2020-12.', map(anything()), flowTemplateSchema),
  }),
  policySchema: route('GET', '/schemas/policy/v1', {
    ...open,
    summary: 'The JSON Schema of environment policies',
    description: 'The schema of environment policies of version 1, for editors and checks.',
    answers: gives('JSON Schema 2020-12.', map(anything()), policySchema),
  }),
  environmentPolicySchema: route('GET', '/api/v2/schemas/environment-policy/v1', {
    ...open,
    summary: 'The JSON Schema of environment policies, below the base URL',
    description: 'The same as `/schemas/policy/v1`.',
    answers: gives('JSON Schema 2020-12.', map(anything()), policySchema),
  }),
} as const;
