import { randomBytes } from 'node:crypto';
import { existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Service } from '@assurance/web/requests';
import { freePorts } from '../engines/wait.ts';
import { first } from './api.ts';
import { builtApps, type Child, startService } from './child.ts';
import { temporaryFolder } from './root.ts';
import { Server } from './server.ts';

/** The organization of benchmarks. */
export const ORG = 'acme';
/** How many lines of faults are shown. */
const FAULTS_MAX = 20;

/**
 * Running services with their folder, and the keys of two members; the writer's is an administrator's. They end, and the folder is removed, with the
 * scope that has them with `await using`.
 */
export interface Stage extends AsyncDisposable {
  readonly folder: string;
  readonly keys: { readonly writer: string; readonly reader: string };
  readonly gateway: readonly Child[];
  readonly ingestion: readonly Child[];
  readonly projection: readonly Child[];
  readonly packages: readonly Child[];
  /** None on the embedded engine. */
  readonly mongodb: readonly Server[];
  readonly mongodbUrl: string;
  readonly kafka: readonly Server[];
}
type Settings = Readonly<Record<string, string>>;
type Started = Omit<Stage, 'folder' | 'keys' | typeof Symbol.asyncDispose>;
type Start = (app: string, settings: Settings) => Promise<Child>;

/** Who calls the first gateway of a stage. */
export const caller = ({ gateway, keys }: Stage, who: 'writer' | 'reader' = 'writer'): Service => ({
  api: `${first(gateway, 'gateway').url}/api/v2`,
  headers: { authorization: `Bearer ${keys[who]}` },
  org: ORG,
});

/** Starts one process on the embedded engine, in a temporary folder. `apps` is a folder of services of another commit. */
export const setEmbedded = (apps?: string): Promise<Stage> =>
  setStage([], apps, async (start, folder) => {
    const own = [await start('standalone', { ASSURANCE_DATA_DIR: join(folder, 'data') })];
    // One process has every role.
    return { gateway: own, ingestion: own, projection: own, packages: [], mongodb: [], mongodbUrl: '', kafka: [] };
  });

/**
 * Starts MongoDB, Kafka and one of every service as processes, in a temporary folder.
 *
 * @param brief whether the servers run for minutes and are not measured; Kafka then needs less CPU time
 * @param apps a folder of services of another commit
 */
export async function setServers({ brief }: { readonly brief: boolean }, apps?: string): Promise<Stage> {
  const [port = 0, ...kafkaPorts] = await freePorts(3);
  const home = temporaryFolder('servers');
  const mongodb = new Server('mongodb', join(home, 'mongodb'), [port], { brief });
  const kafka = new Server('kafka', join(home, 'kafka'), kafkaPorts, { brief });
  return setStage([mongodb, kafka], apps, async (start) => {
    const mongodbUrl = mongodb.url.replace('/?', '/measured?');
    const engines = { MONGODB_URL: mongodbUrl, KAFKA_BROKERS: kafka.url, ASSURANCE_SECRET: newKey() };
    const [ingestion, projection, packages] = await Promise.all([
      start('ingestion', engines),
      start('projection', engines),
      start('audit-package', engines),
    ]);
    const gateway = await start('gateway', {
      ...engines,
      ASSURANCE_INGESTION_URL: ingestion.url,
      ASSURANCE_PROJECTION_URL: projection.url,
      ASSURANCE_AUDIT_PACKAGE_URL: packages.url,
    });
    const roles = { gateway: [gateway], ingestion: [ingestion], projection: [projection], packages: [packages] };
    return { ...roles, mongodb: [mongodb], mongodbUrl, kafka: [kafka] };
  });
}

/** Starts servers and then services, with a file that declares the organization and a member for each key. */
async function setStage(
  servers: readonly Server[],
  apps = builtApps,
  begin: (start: Start, folder: string) => Promise<Started>,
): Promise<Stage> {
  const folder = temporaryFolder('stage');
  const keys = { writer: newKey(), reader: newKey() };
  const names = ['writer', 'reader'] as const;
  const users = names.map((name) => {
    const api_keys = [{ key: keys[name], description: 'stage' }];
    return { name, email: `${name}@example.com`, api_keys };
  });
  const members = names.map((user) => ({ user, role: user === 'writer' ? 'admin' : 'member' }));
  const bootstrap = join(folder, 'bootstrap.yaml');
  // JSON is valid YAML.
  writeFileSync(bootstrap, JSON.stringify({ users, organizations: [{ name: ORG, members }] }), { mode: 0o600 });
  const common = {
    ASSURANCE_BOOTSTRAP_FILE: bootstrap,
    ASSURANCE_PUBLIC_URL: 'http://localhost:1',
    ASSURANCE_PORT: '0',
    ASSURANCE_OPERATIONS_PORT: '0',
  };
  const log = join(folder, 'services.log');
  const services: Child[] = [];
  const start: Start = async (app, settings) => {
    const service = await startService(app, { env: { ...common, ...settings }, stderr: openSync(log, 'a') }, apps);
    services.push(service);
    return service;
  };
  const close = async (): Promise<void> => {
    // Services first: without their servers they would wait for answers until they are killed.
    await Promise.all(services.map((service) => service.stop()));
    await Promise.all(servers.map((server) => server.kill()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await Promise.all(servers.map((server) => server.start()));
    await Promise.all(servers.map((server) => server.ready()));
    return { ...(await begin(start, folder)), folder, keys, [Symbol.asyncDispose]: close };
  } catch (cause) {
    const printed = lastWords(log);
    await close();
    throw new Error(`the services did not start; their output:\n${printed}`, { cause });
  }
}

/** Faults that services logged, and their last log lines. */
function lastWords(log: string): string {
  const text = existsSync(log) ? readFileSync(log, 'utf8') : '';
  const faults = text.split('\n').filter((line) => /^\{"level":[56]0,/.test(line));
  return [...faults.slice(0, FAULTS_MAX), text.slice(-5_000)].join('\n');
}

const newKey = () => randomBytes(32).toString('base64url');
