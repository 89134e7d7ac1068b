import {
  component,
  either,
  flag,
  integer,
  list,
  named,
  nullable,
  number,
  object,
  type TypeOf,
  oneOf,
  text,
} from '../../http/shape';
import { FLOW_TRIGGERS, TRIGGERS, URL_CHANNELS } from '../events';

const id = text('Id of the target. A PUT with this id keeps the target.');
const times = {
  last_success_at: number('Epoch seconds; absent before the first.'),
  last_failure_at: number('Epoch seconds; absent before the first.'),
};
const url = {
  webhook: text('Always empty: the URL is never shown. A PUT with an empty or without a URL keeps the URL.'),
  webhook_hint: nullable(text('Asterisks and the last four characters of the URL; null without a URL.')),
};

const slackTarget = object(
  {
    id,
    type: oneOf(['SLACK']),
    ...url,
    context: nullable(object({}, { team_id: text(), channel_id: text(), channel_name: text() })),
  },
  times,
);
const webhookTarget = object(
  {
    id,
    type: oneOf(['WEBHOOK']),
    ...url,
    payload_version: nullable(oneOf(['1.0'])),
    signing_secret: nullable(
      text('Asterisks and the last four characters of the secret; null: messages are not signed.'),
    ),
  },
  times,
);
const emailTarget = object({ id, type: oneOf(['EMAIL']), emails: list(text(), 'Addresses.') }, times);
const urlTarget = object({ id, type: oneOf(URL_CHANNELS), ...url }, times);
const nestedTarget = object(
  { id, type: oneOf(['NESTED_CONFIG']), config: text('Name of a target configuration.') },
  times,
);

/** One target inside a configuration. */
const channelTarget = named(
  'ChannelTarget',
  either(either(slackTarget, webhookTarget), either(emailTarget, urlTarget)),
);
export type ChannelTargetAnswer = TypeOf<typeof channelTarget>;

const target = named(
  'NotificationTarget',
  either(either(slackTarget, webhookTarget), either(either(emailTarget, urlTarget), nestedTarget)),
);
export type TargetAnswer = TypeOf<typeof target>;

const settings = {
  name: text(),
  number: integer('A number that increases within the organization and is never used again.'),
  targets: list(target),
  created_by: text('Name of a user or a service account.'),
  is_created_from_slack_app: flag(),
  is_failing: flag('Whether the last attempts to send to one of its targets failed.'),
  created_at: number('Epoch seconds.'),
  last_modified_at: number('Epoch seconds.'),
};
const timestamps = {
  last_success_timestamp: number('The newest of its targets, in epoch seconds; absent before the first.'),
  last_failure_timestamp: number('The newest of its targets, in epoch seconds; absent before the first.'),
};

export const notificationAnswer = component(
  'EnvironmentNotification',
  {
    ...settings,
    type: oneOf(['env']),
    environments: list(text(), 'Current names.'),
    triggers: list(oneOf(TRIGGERS)),
  },
  timestamps,
);
export type NotificationAnswer = TypeOf<typeof notificationAnswer>;
export const notificationList = list(notificationAnswer);

/** A notification of environments or of flows. */
export const actionAnswer = component(
  'Action',
  {
    ...settings,
    type: oneOf(['env', 'flow']),
    environments: nullable(list(text(), 'Current names; null for a notification of flows.')),
    flows: nullable(list(text(), 'Current names; null for a notification of environments.')),
    triggers: list(oneOf([...TRIGGERS, ...FLOW_TRIGGERS])),
  },
  timestamps,
);
export type ActionAnswer = TypeOf<typeof actionAnswer>;
export const actionList = list(actionAnswer);

export const targetConfigAnswer = component('TargetConfig', {
  name: text(),
  targets: list(channelTarget),
  created_by: text('Name of a user or a service account.'),
  created_at: number('Epoch seconds.'),
  last_modified_at: number('Epoch seconds.'),
});
export type TargetConfigAnswer = TypeOf<typeof targetConfigAnswer>;
export const targetConfigList = list(targetConfigAnswer);

export const notificationConfigAnswer = component('NotificationConfig', {
  notification_type: oneOf(['api_key_expiry']),
  scope: nullable(text('Always null: it is about the whole organization.')),
  targets: list(channelTarget, 'Empty while nothing is configured.'),
  detection: object({ days_before: list(integer(), 'How many days before its end a key is announced, once each.') }),
  last_notified_at: nullable(number('When a message was last delivered, in epoch seconds; null before the first.')),
  last_failure: nullable(object({ failed_at: number('Epoch seconds.'), error: text('What the target answered.') })),
});
export type NotificationConfigAnswer = TypeOf<typeof notificationConfigAnswer>;

/** The only answer that shows the secret. */
export const signingSecretAnswer = component('SigningSecret', {
  target: text('Id of the target.'),
  secret: text('The HMAC-SHA256 key that signs its messages. It is shown once.'),
  previous_valid_until: nullable(
    number('Until then (epoch seconds) the previous secret signs too. Null without a previous secret.'),
  ),
});
export type SigningSecretAnswer = TypeOf<typeof signingSecretAnswer>;

const attempt = object({
  at: number('Epoch seconds.'),
  outcome: oneOf(['delivered', 'failed']),
  detail: text('The answer of the target, or why it could not be reached.'),
  duration_ms: number('How long it took.'),
});

const DELIVERY_STATES = ['pending', 'delivered', 'dead'] as const;

/** One message to one target. */
export const deliveryAnswer = component('Delivery', {
  id: text('The value of the header `Idempotency-Key` of its messages.'),
  target: text('Id of the target.'),
  config_target: nullable(text('Id of the target within the named configuration; null otherwise.')),
  channel: oneOf(['SLACK', 'WEBHOOK', 'EMAIL', ...URL_CHANNELS]),
  environment: nullable(text('Name of the environment at that time; null for a test, and for a message about a flow.')),
  flow: nullable(text('Name of the flow at that time; null for a test, and for a message about an environment.')),
  trail: nullable(text('Name of the trail of the message; null if there is none.')),
  snapshot_index: nullable(integer('The snapshot of the message; null if there is none.')),
  event_types: list(text(), 'The triggers of its events, each once.'),
  events: integer('The number of events in the message.'),
  state: oneOf(DELIVERY_STATES),
  created_at: number('Epoch seconds.'),
  next_attempt_at: nullable(number('The earliest time of the next attempt, in epoch seconds; null if there is none.')),
  reason: nullable(text('Why it was given up.')),
  attempts: list(attempt, 'The newest 20, oldest first.'),
  attempts_count: integer('How many attempts there were.'),
});
export type DeliveryAnswer = TypeOf<typeof deliveryAnswer>;

export const deliveryPage = component('DeliveryPage', {
  deliveries: list(deliveryAnswer, 'Newest first.'),
  next: nullable(text('The value of `before` for the next page; null on the last page.')),
});
export type DeliveryPage = TypeOf<typeof deliveryPage>;
