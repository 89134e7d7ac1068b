import { routes } from '@assurance/contracts/http/routes/routes';
import type { ForwardingTargets, Role } from '@assurance/http';
import type { Config, Service } from './config';

/** The roles behind a gateway that answer routes of the API. */
const OWNERS = [...new Set(Object.values(routes).map(({ owner }) => owner))].filter((owner) => owner !== 'gateway');

/**
 * Checks whether one process can run these roles, with the other roles in other processes.
 *
 * @param shared whether other processes can use the same engines
 * @returns the problem in one sentence, with the setting to change; null if there is none
 */
export function problemOfRoles(
  roles: readonly Role[],
  { storage, services, publicUrl }: Pick<Config, 'storage' | 'services' | 'publicUrl'>,
  shared = storage.kind === 'scaled',
): string | null {
  const names = roles.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `The role ${twice} is named twice.`;
  const missingServices = (['gateway', ...OWNERS] as const).filter((name) => !names.includes(name));
  if (missingServices.length === 0) return null;
  if (!shared) {
    return (
      `The embedded engine serves one process, and this one runs ${names.join(', ')} without ${missingServices.join(', ')}: ` +
      'set MONGODB_URL and KAFKA_BROKERS to run the services apart, or run all of them in one process with npm start.'
    );
  }
  if (!names.includes('gateway') && publicUrl === null) {
    return (
      `ASSURANCE_PUBLIC_URL is not set, but this process runs ${names.join(', ')} without gateway: ` +
      'set it to where callers find the gateway, the same on all services.'
    );
  }
  const unknownService = remoteServices(roles).find((name) => services[name] === null);
  if (unknownService === undefined) return null;
  return (
    `${settingOf(unknownService)} is not set, but this process runs the gateway without ${unknownService}: ` +
    `set it to where ${unknownService} listens, such as http://${unknownService}:8001, or to several such addresses with commas between.`
  );
}

/** The services that get requests from the gateway of this process because no role here answers them. */
export function servicesOf(
  roles: readonly Role[],
  { services }: Pick<Config, 'services'>,
): ForwardingTargets['services'] {
  return new Map(remoteServices(roles).map((name) => [name, services[name] ?? []]));
}

function remoteServices(roles: readonly Role[]): readonly Service[] {
  const names = roles.map(({ name }) => name);
  return names.includes('gateway') ? OWNERS.filter((owner) => !names.includes(owner)) : [];
}

function settingOf(service: Service): string {
  return `ASSURANCE_${service.toUpperCase().replaceAll('-', '_')}_URL`;
}
