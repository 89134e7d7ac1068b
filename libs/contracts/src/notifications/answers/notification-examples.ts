import type {
  ActionAnswer,
  DeliveryPage,
  NotificationAnswer,
  NotificationConfigAnswer,
  SigningSecretAnswer,
  TargetConfigAnswer,
} from './notification';

const TARGET = '018bcfe5-6800-7000-8000-00000000000a';
const webhook = {
  id: TARGET,
  type: 'WEBHOOK',
  webhook: '',
  webhook_hint: '****shop',
  payload_version: '1.0',
  signing_secret: '****9x2c',
  last_success_at: 1700000889.5,
} as const;

export const notificationExample: NotificationAnswer = {
  name: 'shop-alerts',
  type: 'env',
  number: 1,
  environments: ['production'],
  triggers: ['ON_STARTED_ARTIFACT', 'ON_NON_COMPLIANT_ENV'],
  targets: [webhook],
  created_by: 'ada',
  is_created_from_slack_app: false,
  is_failing: false,
  created_at: 1700000000,
  last_modified_at: 1700000000,
};

export const actionExample: ActionAnswer = {
  ...notificationExample,
  name: 'shop-trails',
  type: 'flow',
  number: 2,
  environments: null,
  flows: ['shop'],
  triggers: ['ON_STARTED_TRAIL', 'ON_ATTESTATION'],
};

const { last_success_at: _, ...plain } = webhook;
export const targetConfigExample: TargetConfigAnswer = {
  name: 'on-call',
  targets: [plain],
  created_by: 'ada',
  created_at: 1700000000,
  last_modified_at: 1700000000,
};

export const notificationConfigExample: NotificationConfigAnswer = {
  notification_type: 'api_key_expiry',
  scope: null,
  targets: [plain],
  detection: { days_before: [14, 1] },
  last_notified_at: 1700000889.5,
  last_failure: null,
};

export const signingSecretExample: SigningSecretAnswer = {
  target: TARGET,
  secret: 'whsec_Zm9yIHRoZSBleGFtcGxlIGFsb25lLCBubyBzZWNyZXQ',
  previous_valid_until: 1700086400,
};

export const deliveriesExample: DeliveryPage = {
  deliveries: [
    {
      id: '5f1c0f1dc0de5f1c0f1dc0de5f1c0f1d',
      target: TARGET,
      config_target: null,
      channel: 'WEBHOOK',
      environment: 'production',
      flow: null,
      trail: null,
      snapshot_index: 42,
      event_types: ['ARTIFACT_STARTED'],
      events: 1,
      state: 'delivered',
      created_at: 1700000889.25,
      next_attempt_at: null,
      reason: null,
      attempts: [{ at: 1700000889.5, outcome: 'delivered', detail: 'answered 204', duration_ms: 12 }],
      attempts_count: 1,
    },
  ],
  next: null,
};
