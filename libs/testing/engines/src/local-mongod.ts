import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MongoClient } from 'mongodb';
import type { RunningMongo } from './running';

const INSTALL = resolve(__dirname, '../../../../tools/engines/install.mjs');
/** A loaded machine is slow; a server that is not up by then will not be. */
const START_MS = 90_000;
const SET = 'rs0';

/**
 * Runs mongod, then removes its folder (all but the log, where it failed). Standard input is a pipe from us: when we end,
 * however that happens, it closes and the server goes too, so that no run leaves one behind. A signal to the whole group
 * does not end the shell, which stays to tidy up.
 */
const KEEPER = `
trap : INT TERM HUP
exec 3<&0
folder=$1; shift
mkdir "$folder/data"
"$@" >"$folder/mongod.out" 2>&1 &
server=$!
(cat <&3 >/dev/null; kill $server 2>/dev/null) &
while kill -0 $server 2>/dev/null; do wait $server; code=$?; done
if [ $code -eq 0 ]; then rm -rf "$folder"; else rm -rf "$folder/data"; fi
exit $code
`;

/** A mongod of our own on a free port: a replica set of one, its data in a temporary folder. Writable when it resolves. */
export async function localMongod(): Promise<RunningMongo> {
  const binary = installed();
  const folder = mkdtempSync(join(tmpdir(), 'assurance-mongod-'));
  const port = await freePort();
  const server = spawn('/bin/sh', ['-c', KEEPER, 'mongod', folder, binary, ...options(folder, port)], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  try {
    await becomePrimary(server, port);
  } catch (cause) {
    const said = lastWords(folder);
    await end(server);
    throw new Error(`mongod did not start; it said:\n${said}`, { cause });
  }
  return { url: `mongodb://127.0.0.1:${port}/?replicaSet=${SET}`, stop: () => end(server) };
}

function options(folder: string, port: number): string[] {
  return [
    ...['--dbpath', join(folder, 'data'), '--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket'],
    ...['--replSet', SET, '--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '128'],
  ];
}

function installed(): string {
  const { status, stdout } = spawnSync(process.execPath, [INSTALL, 'mongodb'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error('there is no mongod to test with; what is missing is said above');
  return stdout.trim();
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function becomePrimary(server: ChildProcess, port: number): Promise<void> {
  const until = Date.now() + START_MS;
  for (let why: unknown; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    if (server.exitCode !== null) throw new Error(`mongod ended with code ${server.exitCode}`);
    if (Date.now() > until) throw new Error(`mongod was not writable after ${START_MS} ms`, { cause: why });
    try {
      if (await isPrimary(port)) return;
    } catch (error) {
      // Not listening yet, or not done with what it was asked: look again.
      why = error;
    }
  }
}

/** Asks with a client of its own: one whose first connection fails is of no use any more. */
async function isPrimary(port: number): Promise<boolean> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1_000,
  });
  try {
    const admin = client.db('admin');
    const { setName, isWritablePrimary } = await admin.command({ hello: 1 });
    if (setName === undefined) {
      const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
      await admin.command({ replSetInitiate: { _id: SET, members } });
    }
    return isWritablePrimary === true;
  } finally {
    await client.close();
  }
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, 'exit');
  server.stdin?.end();
  await gone;
}

function lastWords(folder: string): string {
  const log = join(folder, 'mongod.out');
  return existsSync(log) ? readFileSync(log, 'utf8').slice(-4_000) : '(nothing)';
}
