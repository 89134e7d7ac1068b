import { hash } from 'node:crypto';
import { callApi } from '@assurance/web/requests';
import { each, range } from '../../common/api.ts';
import { caller, ORG } from '../../common/stage.ts';
import { alternating, ANSWERS, fingerprintOf, makeEnvironments, report, reportPath } from '../bodies.ts';
import { type Embedded, startEmbedded } from '../embedded.ts';
import { inTurn, load, request } from '../load.ts';
import { against, alternate, compared, type Contender, type Goal, type How, type Result } from '../measure.ts';

const DAY = 86_400;
/** The period of the deployments; it ends yesterday. */
const DAYS = 28;
const PER_PAGE = 50;
const CONNECTIONS = 4;
const now = Math.floor(Date.now() / 1000);
const start = now - (DAYS + 2) * DAY;

/** What is read: requests in turn, and what each answer must match. */
interface Pages {
  readonly paths: readonly string[];
  readonly expect: RegExp;
}

/** What is read of one size. */
interface Reading extends Pages {
  readonly service: Embedded;
}

/**
 * Reads the first, middle and last page of the organization's deployments with counts, among few rows and among many. The caller has not written
 * recently, like a viewer of a dashboard.
 */
export async function pages(how: How): Promise<Result> {
  const started = new Map<number, Embedded>();
  await using open = new AsyncDisposableStack();
  for (const rows of how.rows) {
    const service = open.use(await startEmbedded());
    started.set(rows, service);
    await seed(service, rows, how.say);
  }
  const places = { first: () => 1, middle: (last: number) => Math.ceil(last / 2), last: (last: number) => last };
  const parts = Object.entries(places).map(
    ([which, at]) =>
      () =>
        grown(`deployments, ${which} page of`, how, how.rows, (size) => {
          const page = at(Math.ceil(size / PER_PAGE));
          return { service: started.get(size) as Embedded, ...pageOf(size, page) };
        }),
  );
  return await together(parts);
}

/** Reads snapshots of an environment with few and with many: the newest five in turn, and older ones spread over all. */
export async function snapshots(how: How): Promise<Result> {
  await using service = await startEmbedded();
  for (const count of how.kept) await keep(service, count, how.say);
  await service.settled();
  const chosen = {
    newest: (size: number) => range(Math.min(5, size)).map((i) => size - i),
    any: (size: number) => range(50).map((i) => 1 + ((i * 7919) % size)),
  };
  const parts = Object.entries(chosen).map(
    ([which, of]) =>
      () =>
        grown(`${which} snapshot of`, how, how.kept, (size) => {
          const paths = of(size).map((index) => `/snapshots/${ORG}/kept-${size}/${index}`);
          return { service, paths, expect: /"is_latest"/ };
        }),
  );
  return await together(parts);
}

/** Measures the reading of a large size beside that of a small one. */
async function grown(
  name: string,
  how: How,
  sizes: readonly [number, number],
  readingOf: (size: number) => Reading,
): Promise<Result> {
  const contenders: Record<string, Contender> = {};
  for (const size of sizes) {
    contenders[`${size}`] = reader(readingOf(size), how);
  }
  for (const { run } of Object.values(contenders)) await run();
  const rounds = await alternate({ ...how, say: (text) => how.say(`${name} ${text}`) }, contenders);
  const [small, large] = sizes.map(String) as [string, string];
  const goals = ['p50', 'cpu'].map((figure): Goal => {
    const times = compared(rounds, large, small, figure);
    return { goal: `${name} ${large}: ${figure} less than 1.5 times that of ${small}`, figure: times, most: 1.5 };
  });
  const row = { name: `${name} ${large}`, rival: `that of ${small}`, ...against(rounds, large, small) };
  return { rows: [row], goals, rounds: [rounds] };
}

/** A service with so many deployments of today, whose first page is read. */
export async function firstPage(service: Embedded, rows: number, how: How): Promise<Contender> {
  await seed(service, rows, how.say, '');
  return reader({ service, ...pageOf(rows, 1) }, how);
}

function pageOf(rows: number, page: number): Pages {
  const path = `/deployments/${ORG}?page=${page}&per_page=${PER_PAGE}&start_ts=${start}&end_ts=${now + DAY}`;
  return { paths: [path], expect: new RegExp(`"total_count":${rows}\\b[^]*"deployments":\\[\\{`) };
}

function reader({ service, paths, expect }: Reading, { seconds }: How): Contender {
  const requests = paths.map((path) => request('GET', `/api/v2${path}`, service.keys.reader));
  const plan = { connections: CONNECTIONS, seconds, next: inTurn(requests), expect };
  return { pid: service.pid, run: () => load(service.url, plan) };
}

async function together(parts: readonly (() => Promise<Result>)[]): Promise<Result> {
  const all: Result[] = [];
  for (const part of parts) all.push(await part());
  const of = <K extends keyof Result>(key: K) => all.flatMap((one) => [...one[key]]) as unknown as Result[K];
  return { rows: of('rows'), goals: of('goals'), rounds: of('rounds') };
}

/** Makes an environment with so many snapshots. */
async function keep(service: Embedded, count: number, say: How['say']): Promise<void> {
  say(`making ${count} snapshots`);
  await makeEnvironments(service, [`kept-${count}`]);
  const path = `/api/v2${reportPath(`kept-${count}`)}`;
  const requests = alternating(10).map((body) => request('PUT', path, service.keys.writer, body));
  const plan = { connections: 1, seconds: 0, least: count, next: inTurn(requests), expect: ANSWERS.changed };
  await load(service.url, plan);
}

/**
 * Creates deployments of artifacts with provenance through the API: the same artifacts start in one environment after another.
 *
 * @param observed the query of the first report of an environment. Without a time, all deployments are of today, as older commits know no other.
 */
async function seed(
  service: Embedded,
  rows: number,
  say: How['say'],
  observed = `?observed_at=${start}`,
): Promise<void> {
  const artifacts = Math.min(rows > 10_000 ? 1_000 : 100, rows);
  const names = range(Math.ceil(rows / artifacts)).map((i) => `seeded-${i}`);
  const by = caller(service);
  const built = (number: number) => {
    const sha1 = hash('sha1', `${number % 40}`);
    return {
      fingerprint: fingerprintOf(number),
      filename: `shop/service-${number}:1.4`,
      trail_name: `build-${number}`,
      template_reference_name: 'web',
      git_commit: sha1,
      git_commit_info: { sha1, message: 'Sell tea', author: 'Ada <ada@example.com>', branch: 'main', timestamp: start },
      repo_info: { name: 'acme/shop', url: 'https://github.com/acme/shop', provider: 'github', id: '4711' },
    };
  };
  say(`seeding ${rows} deployments: ${artifacts} artifacts in ${names.length} environments`);
  await callApi(by, 'PUT', '/flows/{org}', { name: 'shop' });
  await each(range(artifacts), (number) => callApi(by, 'POST', '/artifacts/{org}/shop', built(number)), 32);
  await makeEnvironments(service, names);
  const starts = names.map((name, at) => ({ name, at }));
  await each(
    starts,
    async ({ name, at }) => {
      // Nothing ran before, so that what runs later counts as a deployment.
      await callApi(by, 'PUT', `${reportPath(name)}${observed}`, { artifacts: [] });
      const createdAt = (number: number) => now - DAY - ((at * artifacts + number * 7919) % (DAYS * DAY));
      await callApi(by, 'PUT', reportPath(name), report(range(artifacts), createdAt));
    },
    4,
  );
  await service.settled();
}
