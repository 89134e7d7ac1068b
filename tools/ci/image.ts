// Does what a build of the Dockerfile does, without containers: each step in a folder of its own in the place of a stage, then its command and
// its health check, every command that documents and runbooks name for operators, and each service of the compose file far enough to see that it
// loads. Exit code 1 when something of it does not work.
//   npm run check:image
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { first } from '../common/api.ts';
import { startChild } from '../common/child.ts';
import { environment, must, run } from '../common/command.ts';
import { read, root, temporaryFolder } from '../common/root.ts';
import { certificates } from '../engines/certificates.ts';
import { documentedCommands, type Place, runDocumented, runScripts } from './image/operations.ts';

const place = temporaryFolder('image');
const [build, image] = read('Dockerfile')
  .replace(/\\\n\s*/g, '')
  .split(/^FROM .*/m)
  .slice(1);
const folders = { build: join(place, 'build'), image: join(place, 'image') };
/** The texts of a stage's steps of a kind. */
const stepsOf = (stage = '', kind: string) =>
  stage.split('\n').flatMap((line) => (line.startsWith(`${kind} `) ? [line.slice(kind.length).trim()] : []));

/** Runs what the documents name beside a service that runs. */
function checkOperations(inside: Place): void {
  const commands = documentedCommands();
  const problems = [...runScripts(inside), ...runDocumented(commands, inside)];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  if (commands.length < 20) throw new Error(`The documents name ${commands.length} commands only`);
  console.log(
    `the ${commands.length} commands that documents and runbooks name work, and the chart's scripts of archives`,
  );
}

for (const folder of Object.values(folders)) mkdirSync(folder);
// The files of the repository with changes. The image's .dockerignore omits what git ignores.
for (const file of must('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root })
  .split('\0')
  .filter(Boolean))
  cpSync(join(root, file), join(folders.build, file), { recursive: true });
const env = environment();
for (const text of stepsOf(build, 'RUN')) {
  console.log(`RUN ${text}`);
  must('sh', ['-c', text], { cwd: folders.build, env });
}
for (const text of stepsOf(image, 'COPY')) {
  const [from = '', to = ''] = text.replace(/^--from=build /, '').split(' ');
  const inside = from.replace(/^\/srv\/assurance\//, '');
  const target = join(folders.image, to === './' ? inside : to);
  cpSync(join(folders.build, inside), target, { recursive: true, verbatimSymlinks: true });
}
const command = JSON.parse(first(stepsOf(image, 'CMD'))) as string[];
const [health = ''] = stepsOf(image, 'HEALTHCHECK');
const [node = '', ...args] = JSON.parse(health.slice(health.indexOf('['))) as string[];
const plain = { NODE_ENV: 'production', ASSURANCE_DATA_DIR: join(place, 'data'), ASSURANCE_PORT: '0' };
const { server } = await certificates(join(place, 'certificates'));
const secure = { ...plain, ASSURANCE_TLS_CERTIFICATE_FILE: server, ASSURANCE_TLS_KEY_FILE: server };
for (const [kind, settings] of Object.entries({ http: plain, https: secure })) {
  const main = join(folders.image, command.at(-1) ?? '');
  const service = await startChild([...command.slice(1, -1), main], { env: settings });
  const ASSURANCE_OPERATIONS_PORT = new URL(service.operations).port;
  const inside = { ...env, ...settings, ASSURANCE_OPERATIONS_PORT };
  const healthy = () => run(node, args, { env: inside });
  const { ok, out } = healthy();
  try {
    if (ok && kind === 'http') checkOperations({ image: folders.image, place, env: inside });
  } finally {
    await service.stop();
  }
  if (!ok) throw new Error(`the health check of ${kind} fails:\n${out}`);
  if (healthy().ok) throw new Error(`the health check of ${kind} passes although the service has ended`);
  console.log(`${command.join(' ')} serves ${kind}, and its health check passes`);
}
for (const role of ['gateway', 'ingestion', 'projection', 'notification-dispatcher', 'audit-package']) {
  const options = { cwd: folders.image, env: { PATH: env['PATH'] } };
  const { stderr } = run(process.execPath, [`apps/${role}/dist/main.js`], options);
  if (!stderr.includes('set MONGODB_URL and KAFKA_BROKERS')) throw new Error(`${role} does not load: ${stderr}`);
}
console.log('every service loads and needs its engines');
