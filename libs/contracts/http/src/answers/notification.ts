import { TRIGGERS } from '@assurance/contracts-events';
import { either, flag, integer, list, named, nullable, number, object, oneOf, type Of, text } from '../shape';

const id = text('Names the target. Given back in a PUT, the target stays the one it was.');
const times = {
  last_success_at: number('Epoch seconds; left out before the first.'),
  last_failure_at: number('Epoch seconds; left out before the first.'),
};
const url = {
  webhook: text('Always empty: the URL is never shown. Given back so in a PUT, or left out, the URL stays.'),
  webhook_hint: nullable(text('Asterisks and the last four characters of the URL; null where there is none.')),
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
    signing_secret: nullable(text('Asterisks and its last four characters; null: its messages are not signed.')),
  },
  times,
);
const emailTarget = object({ id, type: oneOf(['EMAIL']), emails: text('Addresses with commas between.') }, times);
const nestedTarget = object(
  { id, type: oneOf(['NESTED_CONFIG']), config: text('Name of a target configuration.') },
  times,
);

/** One target inside a configuration. */
const channelTarget = named('ChannelTarget', either(either(slackTarget, webhookTarget), emailTarget));
export type ChannelTargetAnswer = Of<typeof channelTarget>;

const target = named(
  'NotificationTarget',
  either(either(slackTarget, webhookTarget), either(emailTarget, nestedTarget)),
);
export type TargetAnswer = Of<typeof target>;

export const notificationAnswer = named(
  'EnvironmentNotification',
  object({
    name: text(),
    type: oneOf(['env']),
    number: integer('Counts up in the organization; never given out again.'),
    environments: list(text(), 'Names as they are now.'),
    triggers: list(oneOf(TRIGGERS)),
    targets: list(target),
    created_by: text('Name of a user or a service account.'),
    is_created_from_slack_app: flag(),
    is_failing: flag('Whether the last attempts to send to one of its targets failed.'),
    created_at: number('Epoch seconds.'),
    last_modified_at: number('Epoch seconds.'),
  }),
);
export type NotificationAnswer = Of<typeof notificationAnswer>;
export const notificationList = list(notificationAnswer);

export const targetConfigAnswer = named(
  'TargetConfig',
  object({
    name: text(),
    targets: list(channelTarget),
    created_by: text('Name of a user or a service account.'),
    created_at: number('Epoch seconds.'),
    last_modified_at: number('Epoch seconds.'),
  }),
);
export type TargetConfigAnswer = Of<typeof targetConfigAnswer>;
export const targetConfigList = list(targetConfigAnswer);

/** The only time that the secret is shown. */
export const signingSecretAnswer = named(
  'SigningSecret',
  object({
    target: text('Id of the target.'),
    secret: text('Key of the HMAC-SHA256 by which its messages are signed. It is not shown again.'),
    previous_valid_until: nullable(number('Epoch seconds: until then the secret before signs too. Null without one.')),
  }),
);
export type SigningSecretAnswer = Of<typeof signingSecretAnswer>;

const attempt = object({
  at: number('Epoch seconds.'),
  outcome: oneOf(['delivered', 'failed']),
  detail: text('What the target said, or why it could not be reached.'),
  duration_ms: number('How long it took.'),
});

export const DELIVERY_STATES = ['pending', 'delivered', 'dead'] as const;

/** One message to one target. */
export const deliveryAnswer = named(
  'Delivery',
  object({
    id: text('What the header `Idempotency-Key` of its messages says.'),
    target: text('Id of the target.'),
    config_target: nullable(text('Id of the target inside the configuration that the target names; null otherwise.')),
    channel: oneOf(['SLACK', 'WEBHOOK', 'EMAIL']),
    environment: nullable(text('Name of the environment then; null for a test.')),
    snapshot_index: nullable(integer('The snapshot that it tells of, null where it tells of none.')),
    event_types: list(text(), 'Of what it tells, each once.'),
    events: integer('Of how many events it tells.'),
    state: oneOf(DELIVERY_STATES),
    created_at: number('Epoch seconds.'),
    next_attempt_at: nullable(number('Epoch seconds, at the earliest; null when there will be none.')),
    reason: nullable(text('Why it is dead.')),
    attempts: list(attempt, 'The newest 20, oldest first.'),
    attempts_count: integer('How many there were on all.'),
  }),
);
export type DeliveryAnswer = Of<typeof deliveryAnswer>;

export const deliveryPage = named(
  'DeliveryPage',
  object({
    deliveries: list(deliveryAnswer, 'Newest first.'),
    next: nullable(text('What `before` has to be for the next page; null on the last.')),
  }),
);
export type DeliveryPage = Of<typeof deliveryPage>;
