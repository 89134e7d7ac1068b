import { routes } from '@assurance/contracts-http';
import type { Role } from '@assurance/http';
import type { Storage } from './config';

/** Who answers a route of the API, and the door before them. */
const NEEDED = [...new Set<Role['name']>(['gateway', ...Object.values(routes).map(({ owner }) => owner)])];

/**
 * Whether these roles can work together, and alone: the one place that asks who else is in this process.
 *
 * @returns the sentence that says which setting to change; null when they can
 */
export function problemOfRoles(roles: readonly Role[], storage: Storage): string | null {
  const names = roles.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `The role ${twice} is named twice.`;
  if (storage.kind === 'scaled') return null;
  const missing = NEEDED.filter((name) => !names.includes(name));
  if (missing.length === 0) return null;
  return (
    `The embedded engine serves one process, and this one runs ${names.join(', ')} without ${missing.join(', ')}: ` +
    'set MONGODB_URL and KAFKA_BROKERS to run the services apart, or run all of them in one process with npm start.'
  );
}
