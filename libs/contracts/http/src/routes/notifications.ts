import {
  deliveriesExample,
  deliveryPage,
  gives,
  notificationAnswer,
  notificationExample,
  notificationList,
  ok,
  signingSecretAnswer,
  signingSecretExample,
} from '../answers';
import { NotificationCreateInput, NotificationPutInput, SigningSecretInput } from '../bodies';
import { integer, text } from '../params';
import { reads, route, writes } from '../route';

const tag = 'Notifications';
const all = '/api/v2/organizations/{org}/environments_notifications';
const one = `${all}/{notification_number}` as const;
const unknown = { 404: ['Action not found'] };
const done = ok('The change is done.');
const paths = { notification_number: 'Number of the notification.' };
const targets = [{ type: 'WEBHOOK', webhook: 'https://hooks.example.com/shop' }];

export const notificationRoutes = {
  listNotifications: route('GET', all, {
    ...reads(tag),
    summary: 'List environment notifications',
    description: 'All notifications of the organization, ordered by number.',
    answers: gives('The list.', notificationList, [notificationExample]),
  }),
  putNotification: route('PUT', all, {
    ...writes(tag, 'notifications'),
    summary: 'Create an environment notification',
    description: 'Updates an existing notification of this name: replaces its targets and the other given fields.',
    body: {
      kind: 'json',
      dto: NotificationCreateInput,
      example: { name: 'shop-alerts', environments: ['production'], triggers: ['ON_STARTED_ARTIFACT'], targets },
    },
    answers: { ...ok('It existed.'), ...ok('It was created.', 201) },
  }),
  getNotification: route('GET', one, {
    ...reads(tag),
    summary: 'Get an environment notification',
    description: 'Also has the state of its targets.',
    paths,
    answers: gives('The notification.', notificationAnswer, notificationExample),
    errors: unknown,
  }),
  replaceNotification: route('PUT', one, {
    ...writes(tag, 'notifications'),
    summary: 'Update an environment notification',
    description: 'Replaces its targets; other omitted fields keep their values.',
    paths,
    body: { kind: 'json', dto: NotificationPutInput, example: { targets } },
    answers: done,
    errors: unknown,
  }),
  deleteNotification: route('DELETE', one, {
    ...writes(tag, 'notifications'),
    summary: 'Delete an environment notification',
    description: 'Messages that are waiting are not sent. The number is never used again; the name becomes free.',
    paths,
    answers: done,
    errors: unknown,
  }),
  testNotification: route('POST', `${one}/test`, {
    ...writes(tag, 'notifications'),
    summary: 'Send a test message to every target',
    description: 'The message is sent like all others. The list of deliveries shows its result.',
    paths,
    answers: done,
    errors: unknown,
  }),
  issueSigningSecret: route('POST', `${one}/signing_secret`, {
    ...writes(tag, 'notifications'),
    summary: 'Issue the secret that signs the messages to a webhook',
    description:
      'Messages to the webhook have a signature (`X-Assurance-Signature`) from now on. If a secret existed, it signs too until its grace period ends.',
    paths,
    body: { kind: 'json', dto: SigningSecretInput, example: { target: signingSecretExample.target } },
    answers: gives('The secret.', signingSecretAnswer, signingSecretExample, 201),
    errors: unknown,
  }),
  listDeliveries: route('GET', `${one}/deliveries`, {
    ...reads(tag),
    summary: 'List the deliveries of a notification',
    description: 'Every message to every target with all attempts, newest first.',
    paths,
    query: {
      per_page: integer({ min: 1, max: 100, default: 15, description: 'Deliveries per page.' }),
      before: text('The `next` of the previous page; omit it for the newest.'),
    },
    answers: gives('A page.', deliveryPage, deliveriesExample),
    errors: unknown,
  }),
} as const;
