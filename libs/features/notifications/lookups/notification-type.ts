import { RefusalError } from '@assurance/http';
import { input } from '@assurance/kernel';

/**
 * Checks the type of a configuration from a path.
 *
 * @throws RefusalError if the type does not exist
 */
export function checkNotificationType(type: string): void {
  if (type === 'api_key_expiry') return;
  const text = `Input should be 'api_key_expiry' ${input(type)}`;
  throw new RefusalError({ kind: 'invalid', errors: { notification_type: text } });
}
