import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { RunningServer } from './running';

/** The engines, also with required TLS and users. `kafka-cluster` is three brokers, `s3` a server of the S3 protocol. */
export type EngineName = 'mongodb' | 'kafka' | 'mongodb-secured' | 'kafka-secured' | 'kafka-cluster' | 's3';

/** Kafkajs sets timers with negative times there, too; services patch it. */
const QUIET = '--disable-warning=TimeoutNegativeWarning';
const KEEP = resolve(__dirname, '../../../../tools/engines/kept-server.ts');

/**
 * A server of our own, fetched where it is not there yet, on a free port, its data in a temporary folder; it goes when we go, however
 * we end. Ready when it resolves.
 *
 * @throws when it does not start; why is on standard error
 */
export async function localServer(engine: EngineName): Promise<RunningServer> {
  const supervisor = spawn(process.execPath, [QUIET, KEEP, engine], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(supervisor, 'exit');
  const first = once(createInterface(supervisor.stdout), 'line').then(([line]) => String(line));
  const failed = exit.then(() => {
    throw new Error(`there is no ${engine} to test with; what is missing is said above`);
  });
  const firstLine = await Promise.race([first, failed]);
  failed.catch(() => undefined);
  return {
    ...(JSON.parse(firstLine) as Pick<RunningServer, 'url' | 'settings'>),
    async stop() {
      supervisor.stdin.end();
      await exit;
    },
  };
}
