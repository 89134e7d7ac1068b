// Does what a build of the Dockerfile does, without containers: each step in a folder of its own in the place of a stage, then its command and
// its health check, and each service of the compose file far enough to see that it loads. Exit code 1 when something of it does not work.
//   npm run check:image
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { certificates } from '../engines/certificates.mjs';
import { startChild } from '../setup/child.mjs';
import { stagesOf } from './image/parse.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const place = mkdtempSync(join(tmpdir(), 'assurance-image-'));
const [build, image] = stagesOf(readFileSync(join(root, 'Dockerfile'), 'utf8'));
const folders = { build: join(place, 'build'), image: join(place, 'image') };

function run(command, args, options) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', ...options });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}\n${stderr}`);
  return stdout;
}

/** The files of the repository with changes. The image's .dockerignore omits what git ignores. */
function copyContext(to) {
  const files = run('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, maxBuffer: 2 ** 26 });
  for (const file of files.split('\0').filter(Boolean)) cpSync(join(root, file), join(to, file), { recursive: true });
}

function passes(check) {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

try {
  mkdirSync(folders.build);
  mkdirSync(folders.image);
  copyContext(folders.build);
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_ENV|CI$)/.test(name)));
  for (const { text } of build.filter(({ step }) => step === 'RUN')) {
    console.log(`RUN ${text}`);
    run('sh', ['-c', text], { cwd: folders.build, env });
  }
  for (const { text } of image.filter(({ step }) => step === 'COPY')) {
    const [from, to] = text.replace(/^--from=build /, '').split(' ');
    const inside = from.replace(/^\/srv\/assurance\//, '');
    cpSync(join(folders.build, inside), join(folders.image, to === './' ? inside : to), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
  const [command] = image.filter(({ step }) => step === 'CMD').map(({ text }) => JSON.parse(text));
  const health = image.find(({ step }) => step === 'HEALTHCHECK').text;
  const [node, ...args] = JSON.parse(health.slice(health.indexOf('[')));
  const plain = { NODE_ENV: 'production', ASSURANCE_DATA_DIR: join(place, 'data'), ASSURANCE_PORT: '0' };
  const { server } = await certificates(join(place, 'certificates'));
  const secure = { ...plain, ASSURANCE_TLS_CERTIFICATE_FILE: server, ASSURANCE_TLS_KEY_FILE: server };
  for (const [kind, settings] of Object.entries({ http: plain, https: secure })) {
    const service = await startChild([...command.slice(1, -1), join(folders.image, command.at(-1))], { env: settings });
    const port = new URL(service.operations).port;
    const check = () => run(node, args, { env: { ...process.env, ...settings, ASSURANCE_OPERATIONS_PORT: port } });
    try {
      check();
      console.log(`${command.join(' ')} serves ${kind}, and its health check passes`);
    } finally {
      await service.stop();
    }
    if (passes(check)) throw new Error(`the health check of ${kind} passes although the service has ended`);
  }
  for (const role of ['gateway', 'ingestion', 'projection', 'notification-dispatcher', 'audit-package']) {
    const { stderr } = spawnSync(process.execPath, [`apps/${role}/dist/main.js`], {
      cwd: folders.image,
      env: { PATH: env.PATH },
      encoding: 'utf8',
    });
    if (!stderr.includes('set MONGODB_URL and KAFKA_BROKERS')) throw new Error(`${role} does not load: ${stderr}`);
  }
  console.log('every service loads and needs its engines');
} catch (fault) {
  console.error(fault.message);
  process.exitCode = 1;
} finally {
  rmSync(place, { recursive: true, force: true });
}
