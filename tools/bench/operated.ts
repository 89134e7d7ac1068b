// The service of `npm start` with a second port, through which the benchmark starts a rebuild, or a read of all events, in the process that
// has the engine open.
import auditPackage from '@assurance/audit-package/role';
import gateway from '@assurance/gateway/role';
import ingestion from '@assurance/ingestion/role';
import notification from '@assurance/notification-dispatcher/role';
import projection from '@assurance/projection/role';
import runtime from '@assurance/runtime';
import records from '@assurance/event-sourcing/sealing/read';
import sqlite from '@assurance/storage-sqlite';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
const VIEW = 'deployments';
const PAGE = 100;
const folder = process.env['ASSURANCE_DATA_DIR'] ?? '';

const engines = await sqlite.openEmbedded({ folder, now: Date.now, random: randomBytes });
const { notificationDispatcher } = notification;
const roles = [
  gateway.gateway,
  ingestion.ingestion,
  projection.projection,
  notificationDispatcher,
  auditPackage.auditPackage,
];
const served = await runtime.serve(roles, { engines });

async function operate(name: string, ...args: readonly string[]): Promise<number> {
  const { url, token } = served.operations;
  const answer = await fetch(`${url}/operations/${name}`, {
    ...{ method: 'POST', headers: { authorization: `Bearer ${token}` }, body: JSON.stringify({ args }) },
  });
  const last = (await answer.text()).trim().split('\n').at(-1) ?? '{}';
  const { outcome, error } = JSON.parse(last) as Partial<{
    outcome: { ok: boolean; summary: string; details: { commits: number } };
    error: string;
  }>;
  if (outcome?.ok !== true) throw new Error(error ?? outcome?.summary ?? `answered with ${answer.status}`);
  return outcome.details.commits;
}

async function readAll(): Promise<number> {
  let many = 0;
  for (let after: Parameters<typeof engines.events.scan>[0] = null; ;) {
    const { commits, next } = await engines.events.scan(after, PAGE);
    for (const commit of commits) await records.eventsOf(engines.events, commit);
    many += commits.length;
    if (next === null) return many;
    after = next;
  }
}

const TASKS: Readonly<Record<string, () => Promise<number>>> = {
  rebuild: () => operate('rebuild', VIEW),
  read: readAll,
};

const control = createServer((request, response) => {
  const begun = performance.now();
  const task = TASKS[request.url?.slice(1) ?? ''] ?? readAll;
  task().then(
    (commits) => response.end(JSON.stringify({ commits, seconds: (performance.now() - begun) / 1000 })),
    (fault: unknown) => response.writeHead(500).end(String(fault)),
  );
});
control.listen(0, '127.0.0.1', () => {
  console.log(`takes tasks on http://127.0.0.1:${(control.address() as AddressInfo).port}`);
  console.log(`  operations  ${served.operations.url}`);
  console.log(`listens on ${served.url}`);
});
process.once('SIGTERM', () => {
  control.close();
  void served
    .close()
    .then(() => engines.close())
    .then(() => process.exit(0));
});
