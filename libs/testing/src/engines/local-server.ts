import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { RunningServer } from './running';

/**
 * The engines, also with required TLS and users. `mongodb-set` is a replica set of three members, `kafka-cluster` three brokers, `s3` a server of
 * the S3 protocol.
 */
export type EngineName =
  'mongodb' | 'kafka' | 'mongodb-secured' | 'kafka-secured' | 'mongodb-set' | 'kafka-cluster' | 's3';

/** A server of our own. What kills its processes does not remove its data. */
export interface LocalServer extends RunningServer {
  /** Its data is in `data` there, unless it has several processes. */
  readonly folder: string;
  /** Of its first process. */
  pid(): number;
  /** Kills it, and waits for its end. */
  kill(): Promise<void>;
  /** Starts the processes that were killed, and waits until it is ready. */
  start(): Promise<void>;
}

/** Kafkajs sets timers with negative times there, too; services patch it. */
const QUIET = '--disable-warning=TimeoutNegativeWarning';
const KEEP = resolve(__dirname, '../../../../tools/engines/kept-server.ts');

/**
 * A server of our own, fetched where it is not there yet, on a free port, its data in a temporary folder; it goes when we go, however
 * we end. Ready when it resolves.
 *
 * @throws when it does not start; why is on standard error
 */
export async function localServer(engine: EngineName): Promise<LocalServer> {
  const supervisor = spawn(process.execPath, [QUIET, KEEP, engine], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(supervisor, 'exit');
  const lines = createInterface(supervisor.stdout)[Symbol.asyncIterator]();
  const told = async () => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`there is no ${engine} to test with; what is missing is said above`);
    return JSON.parse(String(value)) as Pick<LocalServer, 'url' | 'settings' | 'folder'> & { readonly pid: number };
  };
  let current = await told();
  const send = async (line: string) => {
    supervisor.stdin.write(`${line}\n`);
    current = await told();
  };
  return {
    url: current.url,
    settings: current.settings,
    folder: current.folder,
    pid: () => current.pid,
    kill: () => send('kill'),
    start: () => send('start'),
    async stop() {
      supervisor.stdin.end();
      await exit;
    },
  };
}
