import { gives, ok } from '../../http/answers/common';
import { reads, route, writes } from '../../http/route';
import { notificationConfigAnswer } from '../answers/notification';
import { notificationConfigExample } from '../answers/notification-examples';
import { NotificationConfigPutInput } from '../bodies/notification';

const tag = 'Notifications';
const path = '/api/v2/notification-config/{org}/{notification_type}';
const about = {
  paths: { notification_type: 'Always `api_key_expiry`; another one is 400.' },
  errors: { 400: ['Input payload validation failed'] },
};

/** Warnings of future expiry, and their targets. */
export const notificationConfigRoutes = {
  getNotificationConfig: route('GET', path, {
    ...reads(tag, 'organization.read'),
    ...about,
    summary: 'Get where warnings of ending API keys go',
    description: 'Has no targets while nothing is configured.',
    answers: gives('The configuration.', notificationConfigAnswer, notificationConfigExample),
  }),
  putNotificationConfig: route('PUT', path, {
    ...writes(tag, 'organization'),
    ...about,
    summary: 'Set where warnings of ending API keys go',
    description:
      'Replaces the targets. API keys of service accounts are announced 14 days and again one day before they end, once each.',
    body: {
      kind: 'json',
      shape: NotificationConfigPutInput,
      example: { targets: [{ type: 'WEBHOOK', webhook: 'https://hooks.example.com/shop' }] },
    },
    answers: ok('It is set.', 201),
  }),
  deleteNotificationConfig: route('DELETE', path, {
    ...writes(tag, 'organization'),
    ...about,
    summary: 'Stop warnings of ending API keys',
    description: 'Messages that are waiting are not sent. Repeating the request changes nothing.',
    answers: ok('It is deleted.'),
  }),
} as const;
