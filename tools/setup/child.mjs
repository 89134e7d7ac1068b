import { spawn } from 'node:child_process';

const STOP_MS = 20_000;
const LISTENS = /listens on (\S+)\n/;

/**
 * A process that says on its standard output where it listens: `listens on URL`. It goes when this one goes.
 *
 * @param {readonly string[]} args of node: options, script, arguments
 * @param {{env?: object, stderr?: number | 'inherit'}} options
 * @returns `pid`, `url`, `operations` and `tasks` (where operators are heard, and where it takes tasks, if it said so), and `stop`,
 *   which ends it in order
 */
export async function startChild(args, { env = {}, stderr = 'inherit' } = {}) {
  const child = spawn(process.execPath, args, {
    env: { ...withoutSettings(process.env), ...env },
    stdio: ['ignore', 'pipe', stderr],
  });
  const ended = new Promise((done) => child.once('exit', done));
  // Whoever is interrupted leaves nothing behind.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  void ended.then(() => process.off('exit', kill));
  const stop = async () => {
    const late = setTimeout(kill, STOP_MS);
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
    clearTimeout(late);
  };
  try {
    const said = await listening(child, ended);
    const [url, operations, tasks] = [LISTENS, /^ +operations +(\S+)$/m, /takes tasks on (\S+)/].map(
      (pattern) => pattern.exec(said)?.[1],
    );
    return { pid: child.pid, url, operations, tasks, stop };
  } catch (fault) {
    await stop();
    throw fault;
  }
}

function listening(child, ended) {
  return new Promise((found, failed) => {
    let said = '';
    child.once('error', failed);
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(-10_000);
      if (LISTENS.test(said)) found(said);
    });
    void ended.then((code) => failed(new Error(`${child.spawnargs.join(' ')} ended with ${code} before it listened`)));
  });
}

/** The environment without settings of a service that is not this one. */
function withoutSettings(env) {
  const ours = /^(ASSURANCE_|MONGODB_URL$|KAFKA_BROKERS$)/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ours.test(name)));
}
