import { spawn } from 'node:child_process';

const STOP_MS = 20_000;

/**
 * Runs `npm start` and waits until the service answers requests.
 *
 * @param root the repository
 * @param env settings; no others apply
 * @returns its address, the first key (null if none was printed), and `stop`, which resolves to the exit code
 */
export async function npmStart(root, env) {
  // Starts a process group, so that npm and its children can be ended together.
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
