import { spawn } from 'node:child_process';

const STOP_MS = 20_000;

/**
 * Runs `npm start` and waits until it takes requests.
 *
 * @param root the repository
 * @param env settings, over an environment that has none
 * @returns its address, the first key (null when it printed none), and `stop`, which resolves to its exit code
 */
export async function npmStart(root, env) {
  // A process group of its own, so that npm and what it started can be ended by that group's id.
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...withoutSettings(process.env), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = new Promise((done) => child.once('close', done));
  const signal = (name) => {
    try {
      process.kill(-child.pid, name);
    } catch (fault) {
      if (fault.code !== 'ESRCH') throw fault;
    }
  };
  const stop = async () => {
    const kill = setTimeout(() => signal('SIGKILL'), STOP_MS);
    if (child.exitCode === null) signal('SIGTERM');
    const code = await ended;
    clearTimeout(kill);
    return code;
  };
  try {
    const said = await greeting(child, ended);
    return { host: / listens on (\S+)/.exec(said)[1], key: /API key[^]*?\n {4}(\S+)\n/.exec(said)?.[1] ?? null, stop };
  } catch (fault) {
    await stop();
    throw fault;
  }
}

function greeting(child, ended) {
  return new Promise((found, failed) => {
    let said = '';
    child.once('error', failed);
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
      if (/ listens on \S+\n/.test(said)) found(said);
    });
    void ended.then((code) => failed(new Error(`npm start ended with ${code} before it took requests`)));
  });
}

function withoutSettings(env) {
  const ours = /^(ASSURANCE_|MONGODB_URL$|KAFKA_BROKERS$|npm_)/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ours.test(name)));
}
