import type { NewApiKey } from '@assurance/contracts/access/answers/access';
import { userKeyOf } from '../support/declared';
import { fresh } from '../support/samples';
import type { Target } from './attack';

const ORGANIZATIONS = 4;
const ACCOUNTS = 8;

/** An organization, and the keys of its service accounts. */
export interface OwnOrganization {
  readonly name: string;
  readonly keys: readonly string[];
}

const cache = new WeakMap<Target, Promise<readonly OwnOrganization[]>>();

/** Organizations that one user made, with service accounts; all attacks on a service share them. */
export function organizationsOfOneUser(target: Target): Promise<readonly OwnOrganization[]> {
  const cached = cache.get(target) ?? make(target);
  cache.set(target, cached);
  return cached;
}

async function make(target: Target): Promise<readonly OwnOrganization[]> {
  const user = target.as('member').withKey(userKeyOf('member'));
  const all: OwnOrganization[] = [];
  for (let i = 0; i < ORGANIZATIONS; i += 1) {
    const name = fresh('own');
    await user.expect(201, 'POST', '/organizations', { json: { name } });
    const keys: string[] = [];
    for (let account = 0; account < ACCOUNTS; account += 1) {
      const json = { name: `ci-${account}`, privilege: 'member', description: '' };
      await user.expect(201, 'POST', `/service-accounts/${name}`, { json });
      const path = `/service-accounts/${name}/ci-${account}/api-keys`;
      keys.push((await user.expect<NewApiKey>(201, 'POST', path, { json: { description: '' } })).key);
    }
    all.push({ name, keys });
  }
  return all;
}
