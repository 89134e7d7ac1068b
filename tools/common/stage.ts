import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../engines/wait.ts';
import { engineOf } from '../engines/engines.ts';
import { first, range, type Service } from './api.ts';
import { Instance, type Program, programOf } from './instance.ts';
import { temporaryFolder } from './root.ts';
import { Server } from './server.ts';

/** The organization of drills and benchmarks. */
export const ORG = 'acme';
/** How many lines of faults are shown. */
const FAULTS_MAX = 20;
type Settings = Readonly<Record<string, string>>;

/**
 * Running services with their folder, and the keys of two members; the writer's is an administrator's. They end, and the folder is removed, with the
 * scope that has them with `await using`.
 */
export interface Stage extends AsyncDisposable {
  readonly folder: string;
  readonly env: Settings;
  readonly keys: { readonly writer: string; readonly reader: string };
  gateway: Instance[];
  readonly ingestion: Instance[];
  readonly projection: Instance[];
  readonly packages: Instance[];
  /** The bucket of attachments, if the stage has one. */
  readonly bucket: Server | null;
  /** The members of MongoDB's replica set, and its brokers of Kafka; none on the embedded engine. */
  readonly mongodb: readonly Server[];
  readonly mongodbUrl: string;
  readonly kafka: readonly Server[];
}

export interface StageOptions {
  readonly members?: number;
  /** How many instances of gateway, ingestion and projection; two unless given. */
  readonly copies?: number;
  /** Whether the servers run for minutes and are not measured; Kafka then needs less CPU time. */
  readonly brief?: boolean;
  readonly logLevel?: string;
  readonly program?: Program;
  /** Whether the servers require TLS and a user; MongoDB has one member then. */
  readonly secured?: boolean;
  /** Whether attachments are in a bucket. */
  readonly bucket?: boolean;
}

/** Who calls the first gateway of a stage. */
export const caller = ({ gateway, keys }: Stage, who: 'writer' | 'reader' = 'writer'): Service => ({
  url: first(gateway, 'gateway').url,
  key: keys[who],
  org: ORG,
});

/** Starts one process on the embedded engine, in a temporary folder. */
export async function setEmbedded({ logLevel = 'warn' }: StageOptions = {}): Promise<Stage> {
  const { folder, keys, env } = prepared(logLevel);
  const service = new Instance('standalone', folder, { ...env, ASSURANCE_DATA_DIR: join(folder, 'data') });
  return opened(folder, [service], [], async () => {
    await service.start();
    const servers = { mongodb: [], mongodbUrl: '', kafka: [], bucket: null };
    // One process has every role.
    const roles = { gateway: [service], ingestion: [service], projection: [service], packages: [] };
    return { ...roles, env: service.settings, keys, ...servers };
  });
}

/** Starts MongoDB, Kafka and instances of every service as processes, in a temporary folder. */
export async function setServers(options: StageOptions = {}): Promise<Stage> {
  const { members = 1, copies = 2, brief = false, logLevel = 'warn', program = programOf(), secured = false } = options;
  const { folder, keys, env } = prepared(logLevel);
  const [mongodbName, kafkaName] = secured ? ['mongodb-secured', 'kafka-secured'] : ['mongodb', 'kafka'];
  const kafkaPorts = engineOf(kafkaName).ports;
  const ports = await freePorts(members + kafkaPorts + 1);
  const set = ports.slice(0, members);
  const server = (name: string, place: string, own: readonly number[]) =>
    new Server(name, join(folder, place), own, { brief });
  const mongodb = set.map((port) => server(mongodbName, `mongodb-${port}`, [port]));
  const kafka = server(kafkaName, 'kafka', ports.slice(members, members + kafkaPorts));
  const bucket = options.bucket === true ? server('s3', 'bucket', ports.slice(members + kafkaPorts)) : null;
  const servers = [...mongodb, kafka, ...(bucket === null ? [] : [bucket])];
  const services: Instance[] = [];
  return opened(folder, services, servers, async () => {
    await Promise.all(servers.map((one) => one.start()));
    const member = first(mongodb);
    await Promise.all([member.ready(set), kafka.ready(), bucket?.ready()]);
    const mongodbUrl = member.engine.url(set, member.folder).replace('/?', '/drills?');
    const stored = bucket === null ? {} : bucket.engine.settings(bucket.ports, bucket.folder);
    const engines = { MONGODB_URL: mongodbUrl, KAFKA_BROKERS: kafka.url, ...stored };
    const all = { ...env, ...engines, ...kafka.engine.settings(kafka.ports, kafka.folder), ASSURANCE_SECRET: newKey() };
    const some = async (role: string, more: Settings = {}, count = copies): Promise<Instance[]> => {
      const own = range(count).map(() => new Instance(role, folder, { ...all, ...more }, program));
      services.push(...own);
      await Promise.all(own.map((one) => one.start()));
      return own;
    };
    const [ingestion, projection, packages] = await Promise.all([
      some('ingestion'),
      some('projection'),
      some('audit-package', {}, 1),
    ] as const);
    const urls = (instances: readonly Instance[]) => instances.map(({ url }) => url).join(',');
    const gateway = await some('gateway', {
      ASSURANCE_INGESTION_URL: urls(ingestion),
      ASSURANCE_PROJECTION_URL: urls(projection),
      ASSURANCE_AUDIT_PACKAGE_URL: urls(packages),
    });
    const roles = { gateway, ingestion, projection, packages };
    return { env: all, keys, ...roles, mongodb, mongodbUrl, kafka: [kafka], bucket };
  });
}

/** A folder with a file that declares the organization and a member for each key. */
function prepared(logLevel: string) {
  const folder = temporaryFolder('stage');
  const keys = { writer: newKey(), reader: newKey() };
  const names = ['writer', 'reader'] as const;
  const users = names.map((name) => {
    const api_keys = [{ key: keys[name], description: 'stage' }];
    return { name, email: `${name}@example.com`, api_keys };
  });
  const members = names.map((user) => ({ user, role: user === 'writer' ? 'admin' : 'member' }));
  const file = join(folder, 'bootstrap.yaml');
  // JSON is valid YAML.
  writeFileSync(file, JSON.stringify({ users, organizations: [{ name: ORG, members }] }), { mode: 0o600 });
  const own = { ASSURANCE_PUBLIC_URL: 'http://localhost:1', ASSURANCE_LOG_LEVEL: logLevel };
  return { folder, keys, env: { ...own, ASSURANCE_BOOTSTRAP_FILE: file } };
}

async function opened(
  folder: string,
  services: readonly Instance[],
  servers: readonly Server[],
  start: () => Promise<Omit<Stage, 'folder' | typeof Symbol.asyncDispose>>,
): Promise<Stage> {
  const close = async (): Promise<void> => {
    // Services first: without their servers they would wait for answers until they are killed.
    for (const group of [services, servers]) await Promise.all(group.map((one) => one.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { ...(await start()), folder, [Symbol.asyncDispose]: close };
  } catch (cause) {
    const printed = lastWords(folder);
    await close();
    throw new Error(`the services did not start; their output:\n${printed}`, { cause });
  }
}

/** Faults that the services logged, and their last log lines. */
export function lastWords(folder: string): string {
  const log = join(folder, 'services.log');
  const text = existsSync(log) ? readFileSync(log, 'utf8') : '';
  const faults = text.split('\n').filter((line) => /^\{"level":[56]0,/.test(line));
  return [...faults.slice(0, FAULTS_MAX), text.slice(-5_000)].join('\n');
}

const newKey = () => randomBytes(32).toString('base64url');
