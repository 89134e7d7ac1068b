import {
  okAnswer,
  signingSecretAnswer,
  signingSecretExample,
  targetConfigAnswer,
  targetConfigExample,
  targetConfigList,
} from '../answers';
import { SigningSecretInput, TargetConfigPutInput } from '../bodies';
import { reads, route, writes } from '../route';

const tag = 'Notifications';
const all = '/api/v2/organizations/{org}/notification_target_configs';
const one = `${all}/{config}` as const;
const unknown = { 404: ["Target configuration 'on-call' does not exist in organization 'acme'"] };
const ok = { description: 'The change is done.', shape: okAnswer, example: 'OK' };
const paths = { config: 'Name of the configuration.' };

/** Targets under a name, which notifications refer to by targets of the kind NESTED_CONFIG. */
export const targetConfigRoutes = {
  listTargetConfigs: route('GET', all, {
    ...reads(tag),
    summary: 'List target configurations',
    description: 'All target configurations of the organization, ordered by name.',
    answers: { 200: { description: 'The list.', shape: targetConfigList, example: [targetConfigExample] } },
  }),
  putTargetConfig: route('PUT', all, {
    ...writes(tag, 'notifications'),
    summary: 'Create a target configuration, or replace its targets',
    description: 'Notifications that refer to it send to its new targets from then on.',
    body: {
      kind: 'json',
      dto: TargetConfigPutInput,
      example: { name: 'on-call', targets: [{ type: 'WEBHOOK', webhook: 'https://hooks.example.com/shop' }] },
    },
    answers: { 200: { ...ok, description: 'It existed.' }, 201: { ...ok, description: 'It was created.' } },
  }),
  getTargetConfig: route('GET', one, {
    ...reads(tag),
    summary: 'Get a target configuration',
    description: 'Its targets.',
    paths,
    answers: { 200: { description: 'The configuration.', shape: targetConfigAnswer, example: targetConfigExample } },
    errors: unknown,
  }),
  deleteTargetConfig: route('DELETE', one, {
    ...writes(tag, 'notifications'),
    summary: 'Delete a target configuration',
    description: 'Deletes a configuration to which no notification refers.',
    paths,
    answers: { 200: ok },
    errors: { ...unknown, 400: ["Target configuration 'on-call' is used by notification 'shop-alerts'"] },
  }),
  issueConfigSigningSecret: route('POST', `${one}/signing_secret`, {
    ...writes(tag, 'notifications'),
    summary: 'Issue the secret that signs the messages to a webhook of a configuration',
    description: 'As for a webhook of a notification.',
    paths,
    body: { kind: 'json', dto: SigningSecretInput, example: { target: signingSecretExample.target } },
    answers: { 201: { description: 'The secret.', shape: signingSecretAnswer, example: signingSecretExample } },
    errors: unknown,
  }),
} as const;
