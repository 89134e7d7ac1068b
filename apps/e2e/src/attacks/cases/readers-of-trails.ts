import type { Attack } from '../attack';
import { makeFlows, readBy } from '../list-readers';
import { OTHERS } from '../readers';

const CONNECTIONS = 240;
const TRAILS = 100;

/** Pages of trails with their statuses: a new connection of others once waited for 28 s. Readers beyond their share are told to wait. */
export const attack: Attack = {
  name: `${CONNECTIONS} connections read pages of trails`,
  notOnServices: 'others waited for up to 0.83 s with a processor in three runs: close to the second',
  async prepare(target) {
    await makeFlows(target, TRAILS);
    const path = `/api/v2/trails/acme?per_page=${TRAILS}&compliance_status=true`;
    return { probe: OTHERS, run: () => readBy(target, CONNECTIONS, path, 'reader', [200, 429]) };
  },
};
