import { against } from '../measure/against.mjs';
import { alternating } from '../measure/bodies.mjs';
import { load } from '../measure/load.mjs';
import { alternate } from '../measure/rounds.mjs';
import { startService } from '../measure/service.mjs';
import { startImmudb } from '../limits/immudb.mjs';
import { plan, prepare, WARM } from './reports.mjs';

const ARTIFACTS = 10;

/**
 * Compares changed reports of 10 artifacts with immudb, which stores the same reports as documents with an index of their environment and syncs them
 * before it answers. It does not compare reports and has no snapshots, deployments or provenance.
 */
export async function others({ rounds, seconds, connections, say }) {
  const service = await startService();
  const started = [service];
  try {
    const immudb = await startImmudb();
    started.push(immudb);
    const planned = plan(service.writer, 'changed', ARTIFACTS, connections);
    await prepare(service, planned, ARTIFACTS, say);
    const runner = (url, next, expect) => () => load(url, { connections, seconds, least: connections, next, expect });
    const contenders = {
      service: {
        pid: service.pid,
        run: runner(service.url, planned.sender(), /snapshot \d+ created/),
        settle: service.settled,
      },
      immudb: { pid: immudb.pid, run: runner(immudb.url, documents(immudb), /"documentIds":\["\w/) },
    };
    for (let warm = 0; warm < WARM; warm += 1) for (const { run } of Object.values(contenders)) await run();
    await service.settled();
    const all = await alternate({ rounds, say }, contenders);
    return {
      name: 'changed reports, 10 artifacts',
      rival: 'immudb',
      ...against(all, 'service', 'immudb'),
      rounds: all,
    };
  } finally {
    for (const { stop } of started.reverse()) await stop();
  }
}

/** The documents that each connection inserts: the reports of its environment in turn. */
function documents({ path, session }) {
  const reports = alternating(ARTIFACTS).map((body) => JSON.parse(body.toString()));
  const headers = Object.entries(session).map(([name, value]) => `${name}: ${value}\r\n`);
  let turn = 0;
  return (connection) => {
    const document = { environment: `bench-${connection}`, ...reports[turn++ % reports.length] };
    const body = Buffer.from(JSON.stringify({ documents: [document] }));
    const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${headers.join('')}content-length: ${body.length}\r\n\r\n`;
    return [Buffer.from(head), body];
  };
}
