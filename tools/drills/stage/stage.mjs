import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { engineOf } from '../../engines/engines.mjs';
import { freePorts } from '../../engines/wait.mjs';
import { Server } from './server.mjs';
import { apps, Service } from './service.mjs';

/** The organization of all drills. */
export const ORG = 'drills';
const PAIR = 2;

/**
 * Starts MongoDB, Kafka and two instances of every service as processes, in a temporary folder.
 *
 * @param {number} members of MongoDB's replica set
 * @param {object} how
 * @param {string} [how.org] the organization
 * @param {number | Record<string, number>} [how.copies] how many instances of every service, or of some; two unless given
 * @param {boolean} [how.brief] whether the servers run for minutes and are not measured; Kafka then needs less CPU time
 * @param {string} [how.logLevel]
 * @param {string} [how.release] the folder `apps` of another release than this one
 * @param {boolean} [how.secured] whether the servers require TLS and a user; MongoDB has one member then
 */
export async function setStage(
  members,
  { org = ORG, copies = PAIR, brief = false, logLevel = 'warn', release, secured = false } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'assurance-drills-'));
  const [mongodbName, kafkaName] = secured ? ['mongodb-secured', 'kafka-secured'] : ['mongodb', 'kafka'];
  const ports = await freePorts(members + engineOf(kafkaName).ports);
  const set = ports.slice(0, members);
  const server = (name, place, own) => new Server(name, join(folder, place), own, { brief });
  const mongodb = set.map((port) => server(mongodbName, `mongodb-${port}`, [port]));
  const kafka = server(kafkaName, 'kafka', ports.slice(members));
  const keys = { writer: newKey(), reader: newKey() };
  const servers = [...mongodb, kafka];
  const services = [];
  const close = async () => {
    // Services first: without their servers they would wait for answers until they are killed.
    for (const group of [services, servers]) await Promise.all(group.map((one) => one.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  try {
    await Promise.all(servers.map((server) => server.start()));
    await Promise.all([mongodb[0].ready(set), kafka.ready()]);
    const mongodbUrl = mongodb[0].engine.url(set, mongodb[0].folder).replace('/?', '/drills?');
    const env = {
      MONGODB_URL: mongodbUrl,
      KAFKA_BROKERS: kafka.engine.url(kafka.ports, kafka.folder),
      ...kafka.engine.settings(kafka.ports, kafka.folder),
      ASSURANCE_SECRET: newKey(),
      ASSURANCE_PUBLIC_URL: 'http://localhost:1',
      ASSURANCE_LOG_LEVEL: logLevel,
      ASSURANCE_BOOTSTRAP_FILE: bootstrap(folder, org, keys),
    };
    const some = async (role, more = {}) => {
      const count = typeof copies === 'number' ? copies : (copies[role] ?? PAIR);
      const all = Array.from({ length: count }, () => new Service(role, folder, { ...env, ...more }, release));
      services.push(...all);
      await Promise.all(all.map((one) => one.start()));
      return all;
    };
    const [ingestion, projection, packages] = await Promise.all(
      ['ingestion', 'projection', 'audit-package'].map((role) => some(role)),
    );
    const urls = (services) => services.map(({ url }) => url).join(',');
    const gateway = await some('gateway', {
      ASSURANCE_INGESTION_URL: urls(ingestion),
      ASSURANCE_PROJECTION_URL: urls(projection),
      ASSURANCE_AUDIT_PACKAGE_URL: urls(packages),
    });
    return { folder, mongodb, mongodbUrl, kafka, gateway, ingestion, projection, packages, keys, close };
  } catch (cause) {
    const said = lastWords(folder);
    await close();
    throw new Error(`the services of the drill did not start; their output:\n${said}`, { cause });
  }
}

/** How many lines of their faults are shown. */
const FAULTS_MAX = 20;

/** Faults that the services logged, and their last log lines. */
export function lastWords(folder) {
  const log = join(folder, 'services.log');
  const said = existsSync(log) ? readFileSync(log, 'utf8') : '';
  const faults = said.split('\n').filter((line) => /^\{"level":[56]0,/.test(line));
  return [...faults.slice(0, FAULTS_MAX), said.slice(-5_000)].join('\n');
}

/**
 * Runs an operation through a service, as an operator does.
 *
 * @returns its result
 * @throws if it fails
 */
export async function operate({ settings }, ...words) {
  const run = [join(apps, 'operate/dist/main.js'), ...words];
  const { stdout } = await promisify(execFile)(process.execPath, run, {
    env: { PATH: process.env.PATH, ...settings },
  });
  return stdout.trim();
}

/** Generates an API key or a secret. */
export function newKey() {
  return randomBytes(32).toString('base64url');
}

/** Declares the organization of the drills, with a member for each key. */
export function bootstrap(folder, org, keys) {
  const names = Object.keys(keys);
  const users = names.map((name) => ({
    name,
    email: `${name}@example.com`,
    api_keys: [{ key: keys[name], description: 'drills' }],
  }));
  const organizations = [{ name: org, members: names.map((user) => ({ user, role: 'member' })) }];
  const file = join(folder, 'bootstrap.yaml');
  // JSON is valid YAML.
  writeFileSync(file, JSON.stringify({ users, organizations }), { mode: 0o600 });
  return file;
}
