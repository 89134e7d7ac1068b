import type { Notification } from '@assurance/model';
import type { Occurrence } from './occurrences';

/** The events of an environment that a notification sends; none if it does not list the environment. */
export function heard(
  { deleted, environments, triggers }: Pick<Notification, 'deleted' | 'environments' | 'triggers'>,
  environment: string,
  occurrences: readonly Occurrence[],
): readonly Occurrence[] {
  if (deleted || !environments.includes(environment)) return [];
  return occurrences.filter(({ trigger }) => triggers.includes(trigger));
}
