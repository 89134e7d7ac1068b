// The service of `npm start` with a second port, through which the benchmark starts a rebuild, an export, or a read of all events, in the process that
// has the engine open.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

// Resolves packages from the standalone app's folder, as the app does.
const require = createRequire(new URL('../../../apps/standalone/dist/main.js', import.meta.url));
const { serve } = require('@assurance/runtime');
const { openEmbedded } = require('@assurance/storage-sqlite');
const { eventsOf } = require('@assurance/storage-records');
const { gateway } = require('@assurance/gateway-role');
const { ingestion } = require('@assurance/ingestion-role');
const { projection } = require('@assurance/projection-role');
const { notificationDispatcher } = require('@assurance/notification-role');
const { auditPackage } = require('@assurance/audit-package-role');

const VIEW = 'deployments';
const PAGE = 100;

const engines = await openEmbedded({ folder: process.env.ASSURANCE_DATA_DIR, now: Date.now, random: randomBytes });
const served = await serve([gateway, ingestion, projection, notificationDispatcher, auditPackage], { engines });

async function operate(name, ...args) {
  const { url, token } = served.operations;
  const answer = await fetch(`${url}/operations/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ args }),
  });
  const { outcome, error } = JSON.parse((await answer.text()).trim().split('\n').at(-1));
  if (outcome?.ok !== true) throw new Error(error ?? outcome?.summary ?? `answered with ${answer.status}`);
  return outcome.details.commits;
}

const tasks = {
  rebuild: () => operate('rebuild', VIEW),
  export: async () => {
    const file = join(process.env.ASSURANCE_DATA_DIR, 'export');
    try {
      return await operate('export', '--to', file);
    } finally {
      rmSync(file, { force: true });
    }
  },
  read: async () => {
    let many = 0;
    for (let after = null; ;) {
      const { commits, next } = await engines.events.scan(after, PAGE);
      for (const commit of commits) await eventsOf(engines.events, commit);
      many += commits.length;
      if (next === null) return many;
      after = next;
    }
  },
};

const control = createServer((request, response) => {
  const begun = performance.now();
  tasks[request.url.slice(1)]().then(
    (commits) => response.end(JSON.stringify({ commits, seconds: (performance.now() - begun) / 1000 })),
    (fault) => response.writeHead(500).end(String(fault)),
  );
});
control.listen(0, '127.0.0.1', () => {
  console.log(`takes tasks on http://127.0.0.1:${control.address().port}`);
  console.log(`listens on ${served.url}`);
});
process.once('SIGTERM', async () => {
  control.close();
  await served.close();
  await engines.close();
  process.exit(0);
});
