import { setTimeout as sleep } from 'node:timers/promises';
import { against, growthOf } from '../measure/against.mjs';
import { load } from '../measure/load.mjs';
import { cpuSeconds } from '../measure/process.mjs';
import { alternate } from '../measure/rounds.mjs';
import { startService } from '../measure/service.mjs';
import { plan, prepare, WARM } from './reports.mjs';

const ARTIFACTS = 10;
const READY_MS = 600_000;

/**
 * Measures what earlier reports cost: compares changed reports after many and after few of them, and the start of a service with them, until it is
 * ready, with the start of an empty one.
 */
export async function history({ rounds, seconds, connections, earlier: [few, many], say }) {
  const started = [];
  const begin = async () => {
    const service = await startService();
    started.push(service);
    return service;
  };
  try {
    const contenders = {};
    const services = { none: await begin() };
    for (const commits of [few, many]) {
      const service = await begin();
      services[commits] = service;
      const run = await reported(service, commits, { seconds, connections, say });
      contenders[commits] = { pid: service.pid, run, settle: service.settled };
    }
    const reports = await alternate({ rounds, say: (text) => say(`reports after ${text}`) }, contenders);
    const starts = await alternate(
      { rounds, say: (text) => say(`starts: ${text}`) },
      Object.fromEntries(Object.entries(services).map(([name, service]) => [name, { pid: [], run: startOf(service) }])),
    );
    const written = (count) => count.toLocaleString('en');
    const after = {
      name: `changed, 10 artifacts, after ${written(many)} reports`,
      rival: `after ${written(few)}`,
      ...against(reports, many, few),
    };
    const start = {
      name: `start with ${written(many)} commits (p50 is the whole)`,
      rival: 'with none',
      ...against(starts, many, 'none'),
    };
    return [
      {
        name: `changed after ${written(many)} reports`,
        rows: [after],
        growth: growthOf(reports, few, many),
        rounds: reports,
      },
      {
        name: `start with ${written(many)} commits`,
        rows: [start],
        growth: growthOf(starts, 'none', many),
        rounds: starts,
      },
    ];
  } finally {
    for (const { stop } of started) await stop();
  }
}

/** Sends changed reports to a service. @returns a function that sends more */
async function reported(service, commits, { seconds, connections, say }) {
  const planned = plan(service.writer, 'changed', ARTIFACTS, connections);
  await prepare(service, planned, ARTIFACTS, say);
  const next = planned.sender();
  const run = (least, seconds) =>
    load(service.url, { connections, seconds, least, next, expect: /snapshot \d+ created/ });
  say(`making ${commits} reports`);
  await run(commits, 0);
  for (let warm = 0; warm < WARM; warm += 1) await run(connections, seconds);
  await service.settled();
  return () => run(connections, seconds);
}

/** Restarts a service and measures the time until it is ready and the CPU of all its threads until then. */
export function startOf(service) {
  return async () => {
    await service.end();
    const begun = performance.now();
    await service.begin();
    for (const until = begun + READY_MS; !(await fetch(`${service.url}/ready`)).ok; await sleep(5)) {
      if (performance.now() > until) throw new Error('the service was not ready in ten minutes');
    }
    const took = (performance.now() - begun) / 1000;
    const cpu = cpuSeconds(service.pid);
    return { requests: 1, seconds: took, perSecond: 1 / took, p50: took * 1000, p99: took * 1000, cpuSeconds: cpu };
  };
}
