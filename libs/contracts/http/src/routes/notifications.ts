import {
  deliveriesExample,
  deliveryPage,
  notificationAnswer,
  notificationExample,
  notificationList,
  okAnswer,
  signingSecretAnswer,
  signingSecretExample,
} from '../answers';
import { NotificationCreateInput, NotificationPutInput, SigningSecretInput } from '../bodies';
import { integer, text } from '../params';
import { route } from '../route';

const tag = 'Notifications';
const all = '/api/v2/organizations/{org}/environments_notifications';
const one = `${all}/{notification_number}` as const;
const unknown = { 404: ['Action not found'] };
const ok = { description: 'It is done.', shape: okAnswer, example: 'OK' };
const paths = { notification_number: 'Number of the notification.' };
const targets = [{ type: 'WEBHOOK', webhook: 'https://hooks.example.com/shop' }];

export const notificationRoutes = {
  listNotifications: route({
    id: 'listNotifications',
    method: 'GET',
    path: all,
    owner: 'projection',
    permission: 'read',
    tag,
    summary: 'List environment notifications',
    description: 'All of the organization, by number.',
    answers: { 200: { description: 'The list.', shape: notificationList, example: [notificationExample] } },
  }),
  putNotification: route({
    id: 'putNotification',
    method: 'PUT',
    path: all,
    owner: 'ingestion',
    permission: 'notifications',
    tag,
    summary: 'Create an environment notification',
    description:
      'One of a name that is there already is updated: its targets are replaced, so are other fields that are given.',
    body: {
      kind: 'json',
      dto: NotificationCreateInput,
      example: { name: 'shop-alerts', environments: ['production'], triggers: ['ON_STARTED_ARTIFACT'], targets },
    },
    answers: { 200: { ...ok, description: 'It was there.' }, 201: { ...ok, description: 'It was made.' } },
  }),
  getNotification: route({
    id: 'getNotification',
    method: 'GET',
    path: one,
    owner: 'projection',
    permission: 'read',
    tag,
    summary: 'Get an environment notification',
    description: 'With how sending to its targets goes.',
    paths,
    answers: { 200: { description: 'The notification.', shape: notificationAnswer, example: notificationExample } },
    errors: unknown,
  }),
  replaceNotification: route({
    id: 'replaceNotification',
    method: 'PUT',
    path: one,
    owner: 'ingestion',
    permission: 'notifications',
    tag,
    summary: 'Update an environment notification',
    description: 'Replaces its targets; other fields that are left out keep their value.',
    paths,
    body: { kind: 'json', dto: NotificationPutInput, example: { targets } },
    answers: { 200: ok },
    errors: unknown,
  }),
  deleteNotification: route({
    id: 'deleteNotification',
    method: 'DELETE',
    path: one,
    owner: 'ingestion',
    permission: 'notifications',
    tag,
    summary: 'Delete an environment notification',
    description:
      'What is still to be sent is not sent any more. Its number is never given out again, its name is free.',
    paths,
    answers: { 200: ok },
    errors: unknown,
  }),
  testNotification: route({
    id: 'testNotification',
    method: 'POST',
    path: `${one}/test`,
    owner: 'ingestion',
    permission: 'notifications',
    tag,
    summary: 'Send a test message to every target',
    description: 'Goes the way of all messages: what became of it is in the list of deliveries.',
    paths,
    answers: { 200: ok },
    errors: unknown,
  }),
  issueSigningSecret: route({
    id: 'issueSigningSecret',
    method: 'POST',
    path: `${one}/signing_secret`,
    owner: 'ingestion',
    permission: 'notifications',
    tag,
    summary: 'Issue the secret that signs the messages to a webhook',
    description:
      'From now on its messages carry a signature (`X-Assurance-Signature`). Issued again, the secret before signs too until its time is over.',
    paths,
    body: { kind: 'json', dto: SigningSecretInput, example: { target: signingSecretExample.target } },
    answers: { 201: { description: 'The secret.', shape: signingSecretAnswer, example: signingSecretExample } },
    errors: unknown,
  }),
  listDeliveries: route({
    id: 'listDeliveries',
    method: 'GET',
    path: `${one}/deliveries`,
    owner: 'projection',
    permission: 'read',
    tag,
    summary: 'List what a notification sent',
    description: 'Every message to every target with every attempt, newest first.',
    paths,
    query: {
      per_page: integer({ min: 1, max: 100, default: 15, description: 'Deliveries per page.' }),
      before: text({ description: 'What a page said of the `next` one; left out for the newest.', empty: 'absent' }),
    },
    answers: { 200: { description: 'A page.', shape: deliveryPage, example: deliveriesExample } },
    errors: unknown,
  }),
} as const;
