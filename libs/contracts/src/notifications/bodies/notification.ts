import { body, closed, optional } from '../../http/bodies/body';
import { NAME_MAX } from '../../http/bodies/limits';
import { PATTERNS } from '../../http/patterns';
import { integer, list, oneOf, text, type TypeOf } from '../../http/shape';
import { FLOW_TRIGGERS, TRIGGERS } from '../events';
import { channelTargets, targets } from './targets';

/** The most triggers of a notification. */
const TRIGGERS_MAX = 100;
/** The most environments, or flows, of a notification. */
const NAMES_MAX = 400;

/** Fields for creation and replacement. */
const notificationFields = {
  environments: optional(
    list(text(), 'Names of the environments whose events it sends; none if empty.', {
      max: NAMES_MAX,
      example: ['production'],
    }),
  ),
  type: optional(oneOf(['env'], 'Always `env`.')),
  targets,
} as const;

const name = text('Name, unique in the organization.', {
  pattern: PATTERNS.notification,
  max: NAME_MAX,
  example: 'shop-alerts',
});
const triggers = list(oneOf(TRIGGERS), 'The triggers of messages.', {
  max: TRIGGERS_MAX,
  example: ['ON_STARTED_ARTIFACT', 'ON_NON_COMPLIANT_ENV'],
});

/** `PUT /organizations/{org}/environments_notifications/{notification_number}` (specification 4.2). */
export const NotificationPutInput = closed('NotificationPutInput', {
  name: optional(name),
  triggers: optional(triggers),
  ...notificationFields,
});

/** `PUT /organizations/{org}/environments_notifications`. */
export const NotificationCreateInput = closed('NotificationCreateInput', {
  name,
  triggers,
  ...notificationFields,
});

/** `PUT /actions/{org}/flows`. */
export const FlowActionPutInput = closed('FlowActionPutInput', {
  name,
  triggers: list(oneOf(FLOW_TRIGGERS), 'The triggers of messages; nothing fires `ON_APPROVAL` and `ON_RELEASE`.', {
    max: TRIGGERS_MAX,
    example: ['ON_STARTED_TRAIL'],
  }),
  flows: optional(
    list(text(), 'Names of the flows whose trails it follows; none if empty.', { max: NAMES_MAX, example: ['shop'] }),
  ),
  type: optional(oneOf(['flow'], 'Always `flow`.')),
  targets,
});

/** `PUT /organizations/{org}/notification_target_configs`. */
export const TargetConfigPutInput = body('TargetConfigPutInput', {
  name: text('Name, unique in the organization. Notifications refer to it.', {
    pattern: PATTERNS.flow,
    max: NAME_MAX,
    example: 'on-call',
  }),
  targets: channelTargets,
});

/** `PUT /notification-config/{org}/{notification_type}`. */
export const NotificationConfigPutInput = closed('NotificationConfigPutInput', { targets: channelTargets });

/** `POST …/signing_secret`. */
export const SigningSecretInput = body('SigningSecretInput', {
  target: text('Id of a webhook target, as in answers.', {
    max: NAME_MAX,
    example: '018bcfe5-6800-7000-8000-00000000000a',
  }),
  grace_seconds: optional(
    integer('For how many seconds the previous secret signs messages too. Default: a day; at most 30 days.', {
      min: 0,
      example: 3600,
    }),
  ),
});
export type SigningSecretInput = TypeOf<typeof SigningSecretInput>;
