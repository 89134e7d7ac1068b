import type { Schemas } from '../../api/client';

export type Notification = Schemas['EnvironmentNotification'];

/** The triggers of notifications, in words. */
export const TRIGGERS = [
  ['ON_NON_COMPLIANT_ENV', 'An environment stops complying'],
  ['ON_COMPLIANT_ENV', 'An environment complies again'],
  ['ON_STARTED_ARTIFACT', 'An artifact starts'],
  ['ON_EXITED_ARTIFACT', 'An artifact stops'],
  ['ON_SCALED_ARTIFACT', 'The number of instances changes'],
  ['ON_ALLOWED_ARTIFACT', 'An artifact is allowed'],
  ['ON_STALE_ENV', 'A report is late'],
  ['ON_VULNERABLE_ENV', 'A vulnerability is found in what runs'],
] as const satisfies readonly (readonly [Notification['triggers'][number], string])[];

/** The triggers of one notification as a sentence. */
export function triggersText(triggers: Notification['triggers']): string {
  const text = TRIGGERS.flatMap(([name, words]) => (triggers.includes(name) ? [words.toLowerCase()] : [])).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
