import { each, need, range } from '../../common/api.ts';
import { artifactOf, fingerprintOf } from '../../common/made-up.ts';
import { caller, ORG } from '../../common/stage.ts';
import { alternating, makeEnvironments, report, reportPath } from '../bodies.ts';
import { type Embedded, readFrom, startEmbedded } from '../embedded.ts';
import { type Read, startLimit } from '../limits.ts';
import { load, request } from '../load.ts';
import {
  against,
  alternate,
  compared,
  type Contender,
  type Goal,
  type How,
  type Result,
  type Rounds,
  type Row,
} from '../measure.ts';

const DAY = 86_400;
/** The period of the deployments; it ends yesterday. */
const DAYS = 28;
const PER_PAGE = 50;
const CONNECTIONS = 4;
const now = Math.floor(Date.now() / 1000);
const start = now - (DAYS + 2) * DAY;

/** What is read of one size: requests in turn, what each answer must match, and the same rows as the limit reads them. */
interface Reading {
  readonly size: number;
  readonly service: Embedded;
  readonly paths: readonly string[];
  readonly expect: RegExp;
  readonly file: string;
  readonly reads: readonly Read[];
}

/**
 * Reads the first, middle and last page of the organization's deployments with counts. Compares large with small numbers of rows, and each page
 * with its rows read by id. The caller has not written recently, like a viewer of a dashboard.
 */
export async function pages(how: How): Promise<Result> {
  const started: Embedded[] = [];
  try {
    for (const rows of how.rows) {
      const service = await startEmbedded();
      started.push(service);
      await seed(service, rows, how.say);
    }
    const places = { first: () => 1, middle: (last: number) => Math.ceil(last / 2), last: (last: number) => last };
    const parts = Object.entries(places).map(([which, at]) =>
      withLimit(
        `deployments, ${which} page of`,
        'rows by id',
        how,
        async (size, i) => {
          const service = started[i] as Embedded;
          const page = at(Math.ceil(size / PER_PAGE));
          const path = `/deployments/${ORG}?page=${page}&per_page=${PER_PAGE}&start_ts=${start}&end_ts=${now}`;
          const expect = new RegExp(`"total_count":${size}\\b[^]*"deployments":\\[\\{`);
          const reads = [await readFrom(service.derived, (db) => rowsById(db, page))];
          return { size, service, paths: [path], expect, file: service.derived, reads };
        },
        how.rows,
      ),
    );
    return await together(parts);
  } finally {
    for (const { close } of started) await close();
  }
}

/** Reads snapshots of an environment with few and with many: the newest five in turn, and older ones spread over all, beside their commits by key. */
export async function snapshots(how: How): Promise<Result> {
  const service = await startEmbedded();
  try {
    for (const count of how.kept) await keep(service, count, how.say);
    await service.settled();
    const chosen = {
      newest: (size: number) => range(Math.min(5, size)).map((i) => size - i),
      any: (size: number) => range(50).map((i) => 1 + ((i * 7919) % size)),
    };
    const parts = Object.entries(chosen).map(([which, of]) =>
      withLimit(
        `${which} snapshot of`,
        'its commit by key',
        how,
        async (size) => {
          const indexes = of(size);
          const stream = await readFrom(service.file, (db) => streamOf(db, size));
          const sql = 'SELECT body AS doc FROM commits WHERE stream = ? AND snapshot = ? ORDER BY seq LIMIT 1';
          const reads = indexes.map((index) => ({ sql, values: [stream, index] }));
          const paths = indexes.map((index) => `/snapshots/${ORG}/kept-${size}/${index}`);
          return { size, service, paths, expect: /"is_latest"/, file: service.file, reads };
        },
        how.kept,
      ),
    );
    return await together(parts);
  } finally {
    await service.close();
  }
}

/** Measures the reading of a small and of a large size in the same rounds, each beside its limit. */
function withLimit(
  name: string,
  rival: string,
  how: How,
  readingOf: (size: number, i: number) => Promise<Reading>,
  sizes: readonly [number, number],
): () => Promise<Result> {
  return async () => {
    const contenders: Record<string, Contender> = {};
    const limits = [];
    for (const [i, size] of sizes.entries()) {
      const { service, paths, expect, file, reads } = await readingOf(size, i);
      const limit = await startLimit('rows', file, JSON.stringify(reads));
      limits.push(limit);
      let turn = 0;
      const requests = paths.map((path) => request('GET', `/api/v2${path}`, service.keys.reader));
      const run = (url: string, next: () => readonly Buffer[], expect: RegExp) => () =>
        load(url, { connections: CONNECTIONS, seconds: how.seconds, next, expect });
      const raw = request('GET', '/', '');
      const ofService = run(service.url, () => requests[turn++ % requests.length] ?? [], expect);
      contenders[`${size}`] = { pid: service.pid, run: ofService };
      contenders[`${size} raw`] = { pid: limit.pid, run: run(limit.url, () => raw, /"rows":\[\{/) };
    }
    for (const { run } of Object.values(contenders)) await run();
    const rounds: Rounds = await alternate({ ...how, say: (text) => how.say(`${name} ${text}`) }, contenders);
    for (const { stop } of limits) await stop();
    const rows = sizes.map((size): Row => {
      return { name: `${name} ${size.toLocaleString('en')}`, rival, ...against(rounds, `${size}`, `${size} raw`) };
    });
    const [small, large] = sizes;
    const goals = ['p50', 'cpu'].map((figure): Goal => {
      const times = compared(rounds, `${large}`, `${small}`, figure);
      return { goal: `${name} ${large}: ${figure} less than 1.5 times that of ${small}`, figure: times, most: 1.5 };
    });
    return { rows, goals, rounds: [rounds] };
  };
}

async function together(parts: readonly (() => Promise<Result>)[]): Promise<Result> {
  const all: Result[] = [];
  for (const part of parts) all.push(await part());
  const of = <K extends keyof Result>(key: K) => all.flatMap((one) => [...one[key]]) as unknown as Result[K];
  return { rows: of('rows'), goals: of('goals'), rounds: of('rounds') };
}

type Db = Parameters<Parameters<typeof readFrom>[1]>[0];

/** The statement that reads a page's rows by ids that were found before. */
function rowsById(db: Db, page: number): Read {
  // There is only one generation.
  const tables = `SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'documents_view_deployments*' ORDER BY length(name) DESC`;
  const table = db.prepare(tables).get()?.['name'];
  const order = ['deployedAt DESC', 'snapshot DESC', 'environmentName', 'fingerprint']
    .map((field) => field.replace(/\w+/, (name) => `doc ->> '${name}'`))
    .join(', ');
  const ids = db
    .prepare(`SELECT id FROM ${table} WHERE doc IS NOT NULL ORDER BY ${order} LIMIT ? OFFSET ?`)
    .all(PER_PAGE, (page - 1) * PER_PAGE)
    .map(({ id }) => id);
  const sql = `SELECT doc FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`;
  return { sql, values: [JSON.stringify(ids)] };
}

/** The stream with so many snapshots. */
function streamOf(db: Db, count: number): string {
  const newest = 'SELECT stream, max(snapshot) AS most FROM commits WHERE snapshot IS NOT NULL GROUP BY stream';
  return String(
    db
      .prepare(newest)
      .all()
      .find(({ most }) => most === count)?.['stream'],
  );
}

/** Makes an environment with so many snapshots. */
async function keep(service: Embedded, count: number, say: How['say']): Promise<void> {
  say(`making ${count} snapshots`);
  await makeEnvironments(service, [`kept-${count}`]);
  const path = `/api/v2${reportPath(`kept-${count}`)}`;
  const requests = alternating(10).map((body) => request('PUT', path, service.keys.writer, body));
  let turn = 0;
  const next = () => requests[turn++ % requests.length] ?? [];
  await load(service.url, { connections: 1, seconds: 0, least: count, next, expect: /snapshot \d+ created/ });
}

/** Creates deployments of artifacts with provenance through the API: the same artifacts start in one environment after another. */
async function seed(service: Embedded, rows: number, say: How['say']): Promise<void> {
  const artifacts = Math.min(rows > 10_000 ? 1_000 : 100, rows);
  const names = range(Math.ceil(rows / artifacts)).map((i) => `seeded-${i}`);
  const by = caller(service);
  const built = (number: number) =>
    artifactOf({
      fingerprint: fingerprintOf(number),
      filename: `shop/service-${number}:1.4`,
      trail: `build-${number}`,
      commit: `${number % 40}`,
      at: start,
    });
  say(`seeding ${rows} deployments: ${artifacts} artifacts in ${names.length} environments`);
  await need(by, 'PUT', '/flows/{org}', { name: 'shop' });
  await each(range(artifacts), (number) => need(by, 'POST', '/artifacts/{org}/shop', built(number)), 32);
  await makeEnvironments(service, names);
  const starts = names.map((name, at) => ({ name, at }));
  await each(
    starts,
    async ({ name, at }) => {
      // Nothing ran before, so that what runs later counts as a deployment.
      await need(by, 'PUT', `${reportPath(name)}?observed_at=${start}`, { artifacts: [] });
      const createdAt = (number: number) => now - DAY - ((at * artifacts + number * 7919) % (DAYS * DAY));
      await need(by, 'PUT', reportPath(name), report(range(artifacts), createdAt));
    },
    4,
  );
  await service.settled();
}
