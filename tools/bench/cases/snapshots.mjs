import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { against, growthOf } from '../measure/against.mjs';
import { alternating } from '../measure/bodies.mjs';
import { startChild } from '../../setup/child.mjs';
import { makeEnvironments, reportPath } from '../measure/client.mjs';
import { load, request } from '../measure/load.mjs';
import { alternate } from '../measure/rounds.mjs';
import { ORG, startService } from '../measure/service.mjs';

const ARTIFACTS = 10;
const CONNECTIONS = 4;

/**
 * Reads snapshots of an environment with `small` snapshots and of one with `large`: the newest five in turn, and older ones spread over all. Compares
 * each with the same number of commits read by key.
 */
export async function snapshots({ rounds, seconds, kept: [small, large], say }) {
  const service = await startService();
  try {
    for (const count of [small, large]) await seed(service, count, say);
    await service.settled();
    const results = [];
    for (const which of ['newest', 'any']) {
      const contenders = {};
      const limits = [];
      for (const count of [small, large]) {
        const indexes = which === 'newest' ? last(count, 5) : spreadOver(count, 50);
        const limit = await startChild(rawRead(service.file, count, indexes));
        limits.push(limit);
        const requests = indexes.map((index) =>
          request('GET', `/api/v2/snapshots/${ORG}/kept-${count}/${index}`, service.reader),
        );
        contenders[count] = { pid: service.pid, run: reading(service.url, requests, seconds, /"is_latest"/) };
        contenders[`${count} raw`] = {
          pid: limit.pid,
          run: reading(limit.url, [request('GET', '/', '')], seconds, /"rows"/),
        };
      }
      for (const { run } of Object.values(contenders)) await run();
      const all = await alternate({ rounds, say: (text) => say(`${which}: ${text}`) }, contenders);
      for (const { stop } of limits) await stop();
      const beside = (count) => ({
        name: `${which} snapshot of ${count.toLocaleString('en')}`,
        rival: 'its commit by key',
        ...against(all, count, `${count} raw`),
      });
      results.push({
        name: `${which} snapshot`,
        rows: [beside(small), beside(large)],
        growth: growthOf(all, small, large),
        rounds: all,
      });
    }
    return results;
  } finally {
    await service.stop();
  }
}

const last = (count, many) => Array.from({ length: Math.min(many, count) }, (_, i) => count - i);
const spreadOver = (count, many) => Array.from({ length: many }, (_, i) => 1 + Math.floor((i * 7919) % count));

function reading(url, requests, seconds, expect) {
  let turn = 0;
  const next = () => requests[turn++ % requests.length];
  return () => load(url, { connections: CONNECTIONS, seconds, least: CONNECTIONS, next, expect });
}

/** Sends one report after another. Each creates a snapshot. */
async function seed(service, count, say) {
  say(`seeding ${count} snapshots`);
  const name = `kept-${count}`;
  await makeEnvironments(service, [name]);
  const requests = alternating(ARTIFACTS).map((body) => request('PUT', reportPath(name), service.writer, body));
  let turn = 0;
  const next = () => requests[turn++ % 2];
  await load(service.url, { connections: 1, seconds: 0, least: count, next, expect: /snapshot \d+ created/ });
}

/** Reads the commits of these snapshots, one at a time. */
function rawRead(file, count, indexes) {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const newest = 'SELECT stream, max(snapshot) AS most FROM commits WHERE snapshot IS NOT NULL GROUP BY stream';
    const { stream } = db
      .prepare(newest)
      .all([])
      .find(({ most }) => most === count);
    const reads = indexes.map((index) => ({
      sql: 'SELECT body AS doc FROM commits WHERE stream = ? AND snapshot = ? ORDER BY seq LIMIT 1',
      values: [stream, index],
    }));
    return [fileURLToPath(new URL('../limits/rows.mjs', import.meta.url)), file, JSON.stringify(reads)];
  } finally {
    db.close();
  }
}
