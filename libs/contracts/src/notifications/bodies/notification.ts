import { body, closed } from '../../http/bodies/body';
import { NAME_MAX } from '../../http/bodies/limits';
import { Doc, Optional, Text, TextList, WholeNumber, Word, WordList } from '../../http/bodies/rules';
import { PATTERNS } from '../../http/patterns';
import { FLOW_TRIGGERS, TRIGGERS } from '../events';
import { ChannelTargets, Targets } from './targets';

/** The most environments, or flows, of a notification. */
const NAMES_MAX = 400;

/** Fields for creation and replacement. */
const notificationFields = {
  environments: [
    Doc('Names of the environments whose events it sends; none if empty.', ['production']),
    Optional(TextList({ max: NAMES_MAX })),
  ],
  type: [Doc('Always `env`.'), Optional(Word(['env']))],
  targets: Targets(),
} as const;

const name = Text({ pattern: PATTERNS.notification, max: NAME_MAX });
const nameDoc = Doc('Name, unique in the organization.', 'shop-alerts');
const triggers = WordList(TRIGGERS);
const triggersDoc = Doc('The triggers of messages.', ['ON_STARTED_ARTIFACT', 'ON_NON_COMPLIANT_ENV']);

/** `PUT /organizations/{org}/environments_notifications/{notification_number}` (specification 4.2). */
export const NotificationPutInput = closed('NotificationPutInput', {
  name: [nameDoc, Optional(name)],
  triggers: [triggersDoc, Optional(triggers)],
  ...notificationFields,
});

/** `PUT /organizations/{org}/environments_notifications`. */
export const NotificationCreateInput = closed('NotificationCreateInput', {
  name: [nameDoc, name],
  triggers: [triggersDoc, triggers],
  ...notificationFields,
});

/** `PUT /actions/{org}/flows`. */
export const FlowActionPutInput = closed('FlowActionPutInput', {
  name: [nameDoc, name],
  triggers: [
    Doc('The triggers of messages; nothing fires `ON_APPROVAL` and `ON_RELEASE`.', ['ON_STARTED_TRAIL']),
    WordList(FLOW_TRIGGERS),
  ],
  flows: [
    Doc('Names of the flows whose trails it follows; none if empty.', ['shop']),
    Optional(TextList({ max: NAMES_MAX })),
  ],
  type: [Doc('Always `flow`.'), Optional(Word(['flow']))],
  targets: Targets(),
});

/** `PUT /organizations/{org}/notification_target_configs`. */
export const TargetConfigPutInput = body('TargetConfigPutInput', {
  name: [
    Doc('Name, unique in the organization. Notifications refer to it.', 'on-call'),
    Text({ pattern: PATTERNS.flow, max: NAME_MAX }),
  ],
  targets: ChannelTargets(),
});

/** `PUT /notification-config/{org}/{notification_type}`. */
export const NotificationConfigPutInput = closed('NotificationConfigPutInput', { targets: ChannelTargets() });

/** `POST …/signing_secret`. */
export const SigningSecretInput = body('SigningSecretInput', {
  target: [
    Doc('Id of a webhook target, as in answers.', '018bcfe5-6800-7000-8000-00000000000a'),
    Text({ max: NAME_MAX }),
  ],
  grace_seconds: [
    Doc('For how many seconds the previous secret signs messages too. Default: a day; at most 30 days.', 3600),
    Optional(WholeNumber(0)),
  ],
});
export type SigningSecretInput = InstanceType<typeof SigningSecretInput>;
