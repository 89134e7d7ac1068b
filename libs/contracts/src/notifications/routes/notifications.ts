import { gives, ok } from '../../http/answers/common';
import { reads, route, writes } from '../../http/route';
import { integer, text } from '../../http/shape';
import {
  actionAnswer,
  actionList,
  deliveryPage,
  notificationAnswer,
  notificationList,
  signingSecretAnswer,
} from '../answers/notification';
import {
  actionExample,
  deliveriesExample,
  notificationExample,
  signingSecretExample,
} from '../answers/notification-examples';
import {
  FlowActionPutInput,
  NotificationCreateInput,
  NotificationPutInput,
  SigningSecretInput,
} from '../bodies/notification';

const tag = 'Notifications';
const all = '/api/v2/organizations/{org}/environments_notifications';
const notificationPath = `${all}/{notification_number}` as const;
const actions = '/api/v2/actions/{org}';
const action = `${actions}/{notification_number}` as const;
const about = { paths: { notification_number: 'Number of the notification.' }, errors: { 404: ['Action not found'] } };
const shows = { ...reads(tag), ...about };
const changes = { ...writes(tag, 'notifications'), ...about };
const done = ok('The change is done.');
const targets = [{ type: 'WEBHOOK', webhook: 'https://hooks.example.com/shop' }];

/** Creates a notification, or updates the notification with the same name. */
const creates = {
  ...writes(tag, 'notifications'),
  description: 'Updates an existing notification of this name: replaces its targets and the other given fields.',
  body: {
    kind: 'json',
    shape: NotificationCreateInput,
    example: { name: 'shop-alerts', environments: ['production'], triggers: ['ON_STARTED_ARTIFACT'], targets },
  },
  answers: { ...ok('It existed.'), ...ok('It was created.', 201) },
} as const;

export const notificationRoutes = {
  listNotifications: route('GET', all, {
    ...reads(tag),
    summary: 'List environment notifications',
    description: 'All notifications of the organization, ordered by number.',
    answers: gives('The list.', notificationList, [notificationExample]),
  }),
  putNotification: route('PUT', all, {
    ...creates,
    summary: 'Create an environment notification',
  }),
  getNotification: route('GET', notificationPath, {
    ...shows,
    summary: 'Get an environment notification',
    description: 'Also has the state of its targets.',
    answers: gives('The notification.', notificationAnswer, notificationExample),
  }),
  listActions: route('GET', actions, {
    ...reads(tag),
    summary: 'List notifications of environments and of flows',
    description: 'All notifications of the organization, ordered by number.',
    answers: gives('The list.', actionList, [actionExample]),
  }),
  putEnvironmentAction: route('PUT', `${actions}/environments`, {
    ...creates,
    summary: 'Create an environment notification by its newer path',
  }),
  putFlowAction: route('PUT', `${actions}/flows`, {
    ...creates,
    summary: 'Create a notification of flows',
    description:
      'Sends messages when trails of the flows start, when artifacts are reported in them first, and when they are attested. Updates an existing notification of this name: replaces its targets and the other given fields.',
    body: {
      kind: 'json',
      shape: FlowActionPutInput,
      example: { name: 'shop-trails', flows: ['shop'], triggers: ['ON_STARTED_TRAIL'], targets },
    },
  }),
  getAction: route('GET', action, {
    ...shows,
    summary: 'Get a notification of environments or of flows',
    description: 'Also has the state of its targets.',
    answers: gives('The notification.', actionAnswer, actionExample),
  }),
  deleteAction: route('DELETE', action, {
    ...changes,
    summary: 'Delete a notification of environments or of flows',
    description: 'Messages that are waiting are not sent. The number is never used again; the name becomes free.',
    answers: done,
  }),
  replaceNotification: route('PUT', notificationPath, {
    ...changes,
    summary: 'Update an environment notification',
    description: 'Replaces its targets; other omitted fields keep their values.',
    body: { kind: 'json', shape: NotificationPutInput, example: { targets } },
    answers: done,
  }),
  deleteNotification: route('DELETE', notificationPath, {
    ...changes,
    summary: 'Delete an environment notification',
    description: 'Messages that are waiting are not sent. The number is never used again; the name becomes free.',
    answers: done,
  }),
  testNotification: route('POST', `${notificationPath}/test`, {
    ...changes,
    summary: 'Send a test message to every target',
    description: 'The message is sent like all others. The list of deliveries shows its result.',
    answers: done,
  }),
  issueSigningSecret: route('POST', `${notificationPath}/signing_secret`, {
    ...changes,
    summary: 'Issue the secret that signs the messages to a webhook',
    description:
      'Messages to the webhook have a signature (`X-Assurance-Signature`) from now on. If a secret existed, it signs too until its grace period ends.',
    body: { kind: 'json', shape: SigningSecretInput, example: { target: signingSecretExample.target } },
    answers: gives('The secret.', signingSecretAnswer, signingSecretExample, 201),
  }),
  listDeliveries: route('GET', `${notificationPath}/deliveries`, {
    ...shows,
    summary: 'List the deliveries of a notification',
    description: 'Every message to every target with all attempts, newest first.',
    query: {
      per_page: integer('Deliveries per page.', { min: 1, max: 100, default: 15 }),
      before: text('The `next` of the previous page; omit it for the newest.'),
    },
    answers: gives('A page.', deliveryPage, deliveriesExample),
  }),
} as const;
