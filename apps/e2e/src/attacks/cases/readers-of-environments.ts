import type { Attack } from '../attack';
import { makeEnvironments, readBy } from '../list-readers';
import { OTHERS } from '../readers';

const CONNECTIONS = 32;
const ENVIRONMENTS = 500;

/** Lists of all environments: a list of others once waited for 7.3 s. */
export const attack: Attack = {
  name: `${CONNECTIONS} connections read ${ENVIRONMENTS} environments`,
  async prepare(target) {
    await makeEnvironments(target, ENVIRONMENTS);
    return { probe: OTHERS, run: () => readBy(target, CONNECTIONS, '/api/v2/environments/acme', 'reader') };
  },
};
