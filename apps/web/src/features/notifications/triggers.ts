import type { Schemas } from '../../api/client';

export type Notification = Schemas['EnvironmentNotification'];
export type Target = Notification['targets'][number];

/** The triggers of notifications, in words. */
export const TRIGGERS = [
  ['ON_NON_COMPLIANT_ENV', 'An environment stops complying'],
  ['ON_COMPLIANT_ENV', 'An environment complies again'],
  ['ON_STARTED_ARTIFACT', 'An artifact starts'],
  ['ON_EXITED_ARTIFACT', 'An artifact stops'],
  ['ON_SCALED_ARTIFACT', 'The number of instances changes'],
  ['ON_ALLOWED_ARTIFACT', 'An artifact is allowed'],
] as const satisfies readonly (readonly [Notification['triggers'][number], string])[];

/** The triggers of one notification, as one sentence. */
export function triggersText(triggers: Notification['triggers']): string {
  const text = TRIGGERS.flatMap(([name, words]) => (triggers.includes(name) ? [words.toLowerCase()] : [])).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Where a target sends, as far as it may be shown. */
export function targetText(target: Target): string {
  switch (target.type) {
    case 'EMAIL':
      return target.emails;
    case 'NESTED_CONFIG':
      return target.config;
    default:
      return target.webhook_hint ?? 'an address that is not shown';
  }
}

export const CHANNELS = { SLACK: 'Slack', WEBHOOK: 'Webhook', EMAIL: 'Mail', NESTED_CONFIG: 'Configuration' } as const;
