import type { Attack } from '../attack';
import { makeFlows, readBy } from '../list-readers';
import { OTHERS } from '../readers';

const CONNECTIONS = 8;
const FLOWS = 500;

/** Lists of all flows: a report of others once waited for 1.7 s. */
export const attack: Attack = {
  name: `${CONNECTIONS} connections read ${FLOWS} flows`,
  async prepare(target) {
    await makeFlows(target, FLOWS);
    return { probe: OTHERS, run: () => readBy(target, CONNECTIONS, '/api/v2/flows/acme', 'reader') };
  },
};
