import type { Attack } from '../attack';
import { makeFlows, readBy } from '../list-readers';
import { OTHERS } from '../readers';

const CONNECTIONS = 240;
const TRAILS = 100;

/** Pages of trails with their statuses: a new connection of others once waited for 28 s. */
export const attack: Attack = {
  name: `${CONNECTIONS} connections read pages of trails`,
  onServices: true,
  async prepare(target) {
    await makeFlows(target, TRAILS);
    const path = `/api/v2/trails/acme?per_page=${TRAILS}&compliance_status=true`;
    return { probe: OTHERS, run: () => readBy(target, CONNECTIONS, path, 'reader') };
  },
};
