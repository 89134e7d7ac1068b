import { CannotStart, type Role } from '@assurance/http';
import { VERSION } from '@assurance/kernel';
import { boundHeap, growYoungGeneration } from './bound-heap';
import { openLog } from './log';
import { serve, type RunningRoles } from './serve';

/** Two signals within this time count as one (milliseconds). Ctrl-C under `npm start` arrives twice, from the terminal and from npm. */
const SAME_SIGNAL_MS = 500;

/**
 * How long a stopping process still accepts requests (milliseconds). It is longer than a gateway keeps an unused connection.
 */
export const LAME_DUCK_MS = 2_500;

/**
 * How long a process may take to end after it has lost its storage (milliseconds). Its requests fail at once, so a short
 * time is enough.
 */
const END_MS = 30_000;

/**
 * Runs a process with these roles until it ends. `--version` prints the release and ends. Otherwise it serves the
 * roles, prints their address, and stops in order on SIGTERM or SIGINT (exit code 0). Background work that does not
 * end in time is given up then. A second signal ends it at once (exit code 1). If the start fails, it prints one
 * sentence; an uncaught error is logged; both exit with code 1. If the process loses its storage, it stops in order
 * with code 1, and its supervisor has to start it again.
 */
export async function run(roles: readonly Role[]): Promise<void> {
  if (process.argv.includes('--version')) return void process.stdout.write(`${VERSION}\n`);
  process.on('uncaughtException', exitOnFault);
  process.on('unhandledRejection', exitOnFault);
  boundHeap();
  try {
    const runningRoles = await serve(roles, { lameDuckMs: LAME_DUCK_MS, ownProcess: true });
    growYoungGeneration();
    endOnSignals(runningRoles);
    void runningRoles.lost.then((why) => exitOnStorageLoss(runningRoles, why));
    process.stdout.write(startMessage(runningRoles));
  } catch (fault) {
    if (!(fault instanceof CannotStart)) return exitOnFault(fault);
    process.stderr.write(`${fault.message}\n`);
    process.exit(1);
  }
}

function exitOnFault(fault: unknown): void {
  openLog('fatal').fatal({ err: fault }, 'a fault that nothing can recover from: the process ends');
  process.exit(1);
}

function exitOnStorageLoss(served: RunningRoles, why: Error): void {
  openLog('fatal').fatal({ err: why }, 'the storage is lost to this process: it ends, and has to be started again');
  process.exitCode = 1;
  setTimeout(() => process.exit(), END_MS);
  // The process ends even if closing fails, because the storage is lost.
  const end = () => process.exit();
  served.close(`the storage is lost, and the service ends: ${why.message}`).then(end, end);
}

function endOnSignals(runningRoles: RunningRoles): void {
  let first: number | null = null;
  const end = () => {
    const now = performance.now();
    if (first === null) {
      first = now;
      setTimeout(() => {
        openLog('warn').warn('the service ends without the rest of its background work: its storage does not answer');
        process.exit();
      }, runningRoles.stopMs);
      runningRoles.close().then(() => process.exit(), exitOnFault);
    } else if (now - first > SAME_SIGNAL_MS) {
      process.exit(1);
    }
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

/** The text that the process prints on standard output when it accepts requests. */
function startMessage({ url, folder, settings, operations }: RunningRoles): string {
  const lines = [
    `Deployment Assurance listens on ${url}`,
    ...(folder === null ? [] : [`  data folder     ${folder}`]),
    `  pages           ${settings.publicUrl}/`,
    `  API             ${settings.publicUrl}/api/v2`,
    `  API reference   ${settings.publicUrl}/api/v2/doc/`,
    `  operations      ${operations.url}`,
    '  where next      README.md: the first five minutes',
  ];
  return `${lines.join('\n')}\n`;
}
