import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { against, growthOf } from '../measure/against.mjs';
import { fingerprintOf, range, report } from '../measure/bodies.mjs';
import { startChild } from '../../setup/child.mjs';
import { call, inParallel, makeEnvironments, reportNothing, reportPath } from '../measure/client.mjs';
import { load, request } from '../measure/load.mjs';
import { alternate } from '../measure/rounds.mjs';
import { derivedOf, ORG, startService } from '../measure/service.mjs';

/** The period of the deployments; it ends yesterday. */
const DAYS = 28;
const DAY = 86_400;
const PER_PAGE = 50;
const CONNECTIONS = 4;
const ARTIFACTS = 100;

/**
 * Reads the first, middle and last page of the organization's deployments with counts. Compares `large` with `small` numbers of rows, and each page
 * with its rows read by id. The caller has not written recently, like a viewer of a dashboard.
 */
export async function pages({ rounds, seconds, rows: [small, large], say }) {
  const started = [];
  try {
    const places = [];
    for (const rows of [small, large]) {
      const service = await startService();
      started.push(service);
      await seed(service, rows, say);
      places.push({ rows, service });
    }
    const results = [];
    for (const which of ['first', 'middle', 'last']) {
      const contenders = {};
      const limits = [];
      for (const { rows, service } of places) {
        const number = { first: 1, middle: Math.ceil(rows / PER_PAGE / 2), last: Math.ceil(rows / PER_PAGE) }[which];
        const limit = await startChild(rawRead(derivedOf(service.file), number));
        limits.push(limit);
        contenders[rows] = { pid: service.pid, run: reading(service.url, path(number), service.reader, rows, seconds) };
        contenders[`${rows} raw`] = { pid: limit.pid, run: reading(limit.url, '/', '', rows, seconds) };
      }
      for (const { run } of Object.values(contenders)) await run();
      const all = await alternate({ rounds, say: (text) => say(`${which} page: ${text}`) }, contenders);
      for (const { stop } of limits) await stop();
      const beside = (rows) => ({
        name: `deployments, ${which} page of ${rows.toLocaleString('en')}`,
        rival: 'rows by id',
        ...against(all, rows, `${rows} raw`),
      });
      results.push({
        name: `deployments, ${which} page`,
        rows: [beside(small), beside(large)],
        growth: growthOf(all, small, large),
        rounds: all,
      });
    }
    return results;
  } finally {
    for (const { stop } of started) await stop();
  }
}

const now = Math.floor(Date.now() / 1000);
const path = (page) =>
  `/api/v2/deployments/${ORG}?page=${page}&per_page=${PER_PAGE}&start_ts=${now - (DAYS + 2) * DAY}&end_ts=${now}`;

function reading(url, target, key, rows, seconds) {
  const parts = request('GET', target, key);
  const expect = target === '/' ? /"rows":\[\{/ : new RegExp(`"total_count":${rows}\\b[^]*"deployments":\\[\\{`);
  return () => load(url, { connections: CONNECTIONS, seconds, least: CONNECTIONS, next: () => parts, expect });
}

/** The statement that reads a page's rows by ids that were found before. */
function rawRead(file, page) {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    // There is only one generation.
    const tables = `SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'documents_view_deployments*' ORDER BY length(name) DESC`;
    const table = db.prepare(tables).get().name;
    const order = ['deployedAt DESC', 'snapshot DESC', 'environmentName', 'fingerprint']
      .map((field) => field.replace(/\w+/, (name) => `doc ->> '${name}'`))
      .join(', ');
    const sql = `SELECT id FROM ${table} WHERE doc IS NOT NULL ORDER BY ${order} LIMIT ? OFFSET ?`;
    const ids = db
      .prepare(sql)
      .all(PER_PAGE, (page - 1) * PER_PAGE)
      .map(({ id }) => id);
    const read = {
      sql: `SELECT doc FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`,
      values: [JSON.stringify(ids)],
    };
    return [fileURLToPath(new URL('../limits/rows.mjs', import.meta.url)), file, JSON.stringify([read])];
  } finally {
    db.close();
  }
}

/** Creates deployments of artifacts with provenance through the API: the same artifacts start in one environment after another. */
export async function seed(service, rows, say) {
  const artifacts = Math.min(ARTIFACTS * (rows > 10_000 ? 10 : 1), rows);
  const environments = Math.ceil(rows / artifacts);
  say(`seeding ${rows} deployments: ${artifacts} artifacts in ${environments} environments`);
  await call(service, 'PUT', `/flows/${ORG}`, { name: 'shop' });
  await inParallel(artifacts, 32, (number) => call(service, 'POST', `/artifacts/${ORG}/shop`, provenance(number)));
  const names = range(environments).map((number) => `seeded-${number}`);
  await makeEnvironments(service, names);
  await inParallel(environments, 4, async (at) => {
    await reportNothing(service, names[at], now - (DAYS + 2) * DAY);
    const createdAt = (number) => now - DAY - ((at * artifacts + number * 7919) % (DAYS * DAY));
    return call(service, 'PUT', reportPath(names[at]).replace('/api/v2', ''), report(range(artifacts), createdAt));
  });
  await service.settled();
}

function provenance(number) {
  const sha1 = fingerprintOf(`commit ${number % 40}`).slice(0, 40);
  const timestamp = now - (DAYS + 2) * DAY;
  return {
    fingerprint: fingerprintOf(number),
    filename: `shop/service-${number}:1.4`,
    trail_name: `build-${number}`,
    template_reference_name: 'web',
    git_commit: sha1,
    git_commit_info: { sha1, message: 'Sell tea', author: 'Ada <ada@example.com>', branch: 'main', timestamp },
    repo_info: { name: 'acme/shop', url: 'https://github.com/acme/shop', provider: 'github', id: '4711' },
  };
}
