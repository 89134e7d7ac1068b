import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { join } from 'node:path';
import { makeCertificates } from '../../support/certificates';
import { Place } from '../../support/process';
import { leave, silentConnections, withFiles } from '../../support/silent';
import type { Attack } from '../attack';
import type { ProbeResult } from '../probe/call';

const CONNECTIONS = 1_300;
/** Fewer than the connections, as on many systems. */
const FILES = 1_024;
const CALLS = 20;

/**
 * Connections to a listener with a certificate that never begin their handshake. They once stayed for good, took all files that the process
 * may open, and kept it from ending.
 */
export const attack: Attack = {
  name: `${CONNECTIONS} connections to a listener with a certificate say nothing`,
  prepare: async () => {
    const place = new Place();
    const { server } = makeCertificates(join(place.folder, 'certificates'));
    const own = { ASSURANCE_TLS_CERTIFICATE_FILE: server, ASSURANCE_TLS_KEY_FILE: server };
    const service = place.start({ ...own, ASSURANCE_LOG_LEVEL: 'error' }, withFiles(FILES));
    const url = await service.url();
    const call = async (): Promise<readonly [number, number]> => {
      const at = Date.now();
      const request = get(`${url}/api/v2/openapi.json`, { agent: false, rejectUnauthorized: false });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.destroy();
      if (response.statusCode !== 200) throw new Error(`somebody else was answered ${response.statusCode}`);
      return [at, Date.now() - at];
    };
    const calls = async () => {
      const all = [];
      for (let i = 0; i < CALLS; i += 1) all.push(await call());
      return all;
    };
    const run = async (): Promise<ProbeResult> => {
      const before = Math.max(...(await calls()).map(([, waited]) => waited));
      const sockets = await silentConnections(url, CONNECTIONS);
      const during = await calls();
      await Promise.all(sockets.map(leave));
      during.push(...(await calls()));
      await silentConnections(url, CALLS);
      const code = await service.stop();
      if (code !== 0) throw new Error(`the service ended with ${code}: ${service.err.slice(-2_000)}`);
      return { name: 'connection', before, during, refused: {} };
    };
    return { run: () => run().finally(() => place.clear()) };
  },
};
