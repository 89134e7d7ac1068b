import { performance } from 'node:perf_hooks';
import { against, growthOf } from '../measure/against.mjs';
import { report } from '../measure/bodies.mjs';
import { call, makeEnvironments, reportNothing, reportPath } from '../measure/client.mjs';
import { load, request } from '../measure/load.mjs';
import { cpuSeconds } from '../measure/process.mjs';
import { alternate } from '../measure/rounds.mjs';
import { ORG, startService } from '../measure/service.mjs';
import { seed } from './pages.mjs';

const DAY = 86_400;
const DAYS = 30;
const CONNECTIONS = 4;

const start = Math.floor(Date.now() / 1_000);
/** A time of yesterday (epoch seconds), later with each deployment. */
const yesterday = (deployed) => start - 1.5 * DAY + deployed;

/**
 * Reads the delivery metrics of 30 days by days, of `large` and of `small` numbers of deployments: the first time after an import, again, and each
 * time after one more deployment.
 */
export async function metrics({ rounds, seconds, rows: [small, large], say }) {
  const started = [];
  try {
    const again = {};
    const after = {};
    for (const rows of [small, large]) {
      const service = await startService();
      started.push(service);
      await seed(service, rows, say);
      await makeEnvironments(service, ['now']);
      await reportNothing(service, 'now', yesterday(0));
      await first(service, rows, say);
      again[rows] = { pid: service.pid, run: reading(service, rows, seconds) };
      after[rows] = { pid: service.pid, run: deploying(service, rows, seconds) };
    }
    const results = [];
    for (const [name, contenders] of Object.entries({
      'metrics of 30 days': again,
      'metrics after a deployment': after,
    })) {
      const all = await alternate({ rounds, say: (text) => say(`${name}: ${text}`) }, contenders);
      const row = { name: `${name}, of ${large.toLocaleString('en')}`, rival: small.toLocaleString('en') };
      const growth = growthOf(all, small, large);
      results.push({ name, rows: [{ ...row, ...against(all, large, small) }], growth, rounds: all });
    }
    return results;
  } finally {
    for (const { stop } of started) await stop();
  }
}

function path() {
  const now = Math.floor(Date.now() / 1_000);
  return `/deployments/${ORG}/metrics?start_ts=${now - DAYS * DAY}&end_ts=${now}`;
}

/** The first request computes all days. */
async function first(service, rows, say) {
  const [begun, cpu] = [performance.now(), cpuSeconds(service.pid)];
  const { totals } = await call(service, 'GET', path());
  if (totals.deployments !== rows) throw new Error(`${totals.deployments} deployments instead of ${rows}`);
  const [ms, used] = [performance.now() - begun, cpuSeconds(service.pid) - cpu];
  say(`first metrics of ${rows}: ${ms.toFixed(0)} ms, ${used.toFixed(2)} s of CPU`);
}

function reading(service, rows, seconds) {
  const parts = request('GET', `/api/v2${path()}`, service.reader);
  const expect = new RegExp(`"totals":\\{"deployments":${rows},`);
  return () => load(service.url, { connections: CONNECTIONS, seconds, least: CONNECTIONS, next: () => parts, expect });
}

/** Reports a deployment, then reads the metrics with it; only the reading counts as time. */
function deploying(service, rows, seconds) {
  let deployed = 0;
  return async () => {
    const latencies = [];
    for (const until = performance.now() + seconds * 1_000; latencies.length === 0 || performance.now() < until;) {
      deployed += 1;
      // Yesterday, beside a day's share of all rows.
      const observed = yesterday(deployed);
      await call(
        service,
        'PUT',
        `${reportPath('now').replace('/api/v2', '')}?observed_at=${observed}`,
        report([-deployed], () => observed),
      );
      await service.settled();
      const begun = performance.now();
      const { totals } = await call(service, 'GET', path());
      latencies.push(performance.now() - begun);
      if (totals.deployments !== rows + deployed)
        throw new Error(`${totals.deployments} deployments after ${deployed}`);
    }
    latencies.sort((a, b) => a - b);
    const at = (part) => latencies[Math.ceil(part * latencies.length) - 1];
    const requests = latencies.length;
    return { requests, perSecond: requests / seconds, p50: at(0.5), p99: at(0.99) };
  };
}
