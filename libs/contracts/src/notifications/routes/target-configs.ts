import { gives, ok } from '../../http/answers/common';
import { reads, route, writes } from '../../http/route';
import { signingSecretAnswer, targetConfigAnswer, targetConfigList } from '../answers/notification';
import { signingSecretExample, targetConfigExample } from '../answers/notification-examples';
import { SigningSecretInput, TargetConfigPutInput } from '../bodies/notification';

const tag = 'Notifications';
const all = '/api/v2/organizations/{org}/notification_target_configs';
const configPath = `${all}/{config}` as const;
const unknown = { 404: ["Target configuration 'on-call' does not exist in organization 'acme'"] };
const about = { paths: { config: 'Name of the configuration.' }, errors: unknown };
const changes = { ...writes(tag, 'notifications'), ...about };

/** Named target configurations. Notifications refer to them with targets of the kind NESTED_CONFIG. */
export const targetConfigRoutes = {
  listTargetConfigs: route('GET', all, {
    ...reads(tag),
    summary: 'List target configurations',
    description: 'All target configurations of the organization, ordered by name.',
    answers: gives('The list.', targetConfigList, [targetConfigExample]),
  }),
  putTargetConfig: route('PUT', all, {
    ...writes(tag, 'notifications'),
    summary: 'Create a target configuration, or replace its targets',
    description: 'Notifications that refer to it send to its new targets from then on.',
    body: {
      kind: 'json',
      shape: TargetConfigPutInput,
      example: { name: 'on-call', targets: [{ type: 'WEBHOOK', webhook: 'https://hooks.example.com/shop' }] },
    },
    answers: { ...ok('It existed.'), ...ok('It was created.', 201) },
  }),
  getTargetConfig: route('GET', configPath, {
    ...reads(tag),
    ...about,
    summary: 'Get a target configuration',
    description: 'Its targets.',
    answers: gives('The configuration.', targetConfigAnswer, targetConfigExample),
  }),
  deleteTargetConfig: route('DELETE', configPath, {
    ...changes,
    summary: 'Delete a target configuration',
    description: 'Deletes a configuration to which no notification refers.',
    answers: ok('The change is done.'),
    errors: { ...unknown, 400: ["Target configuration 'on-call' is used by notification 'shop-alerts'"] },
  }),
  issueConfigSigningSecret: route('POST', `${configPath}/signing_secret`, {
    ...changes,
    summary: 'Issue the secret that signs the messages to a webhook of a configuration',
    description: 'As for a webhook of a notification.',
    body: { kind: 'json', shape: SigningSecretInput, example: { target: signingSecretExample.target } },
    answers: gives('The secret.', signingSecretAnswer, signingSecretExample, 201),
  }),
} as const;
