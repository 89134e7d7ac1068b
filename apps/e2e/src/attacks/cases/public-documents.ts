import type { Attack } from '../attack';
import { readBy } from '../list-readers';
import { OTHERS } from '../readers';

const CONNECTIONS = 32;
const PATHS = ['/api/v2/openapi.json', '/api/v2/doc/swagger-ui-bundle.js', '/schemas/policy/v1'];

/** Documents that need no key: a list of others once waited for 4 s. */
export const attack: Attack = {
  name: `${CONNECTIONS} connections without a key read each public document`,
  prepare: (target) => {
    // A request that waits for too long behind others of its address is told to retry.
    const run = async () => void (await Promise.all(PATHS.map((path) => readBy(target, CONNECTIONS, path, null, 503))));
    return Promise.resolve({ probe: OTHERS, run });
  },
};
