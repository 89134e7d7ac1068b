import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { SMTPServer } from 'smtp-server';
import type { NewApiKey, RotatedApiKey } from '@assurance/contracts/access/answers/access';
import type { SigningSecretAnswer } from '@assurance/contracts/notifications/answers/notification';
import type { Caller } from '../support/caller';
import { eventually } from '../support/eventually';
import { everyPath } from '../support/every-get';
import { Installation, type RunningRoles } from '../support/installation';
import { arrived, deliveries, notification, NOTIFICATIONS, TARGET_CONFIGS, test, webhook } from '../support/notifying';
import { Receiver } from '../support/receiver';
import { digest, environment, item, report } from '../support/samples';
import { worldOf } from '../support/world';

const TOKEN = 'xoxb-planted-token';
const PASSWORD = 'planted-smtp-password';
const HOOKS = [
  'planted-webhook-path',
  'planted-slack-path',
  'planted-config-path',
  'planted-moved-path',
  'planted-old-path',
];
/** Shown in the place of the whole: the last four characters. */
const LAST = '/last';

describe('the secrets of notifications', () => {
  const planted = [TOKEN, PASSWORD, ...HOOKS];
  let installation: Installation;
  let receiver: Receiver;
  let smtp: SMTPServer;
  let started: RunningRoles;
  let member: Caller;
  let admin: Caller;

  beforeAll(async () => {
    receiver = await Receiver.start();
    smtp = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        password === PASSWORD ? done(null, { user: username }) : done(new Error('who are you?')),
      onData: (stream, _session, done) => void stream.resume().on('end', () => done()),
    });
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
    installation = new Installation({
      ASSURANCE_LOG_LEVEL: 'trace',
      ASSURANCE_TARGET_NETWORKS: '127.0.0.0/8',
      ASSURANCE_SLACK_TOKEN: TOKEN,
      ASSURANCE_SLACK_API_URL: receiver.url('/slack-api'),
      ASSURANCE_SMTP_URL: `smtp://assurance:${PASSWORD}@127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    });
    started = await installation.start();
    const world = await worldOf(started);
    [member, admin] = [world.as('member'), world.as('admin')];
  }, 90_000);
  afterAll(async () => {
    await installation.clear();
    await receiver.stop();
    await new Promise<void>((resolve) => smtp.close(resolve));
  }, 90_000);

  /** Which of them a text holds. */
  const secretsIn = (text: string | Buffer) => planted.filter((word) => text.includes(word));
  const files = (path: string): string[] =>
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));

  it('are in no file, log, metric, export or answer', async () => {
    const env = await environment(member);
    // Targets that return the request, as error pages do.
    for (const hook of HOOKS) {
      receiver.on(`/${hook}${LAST}`, (response, { path, headers }) => {
        response.writeHead(500).end(`Cannot POST ${path} ${headers['x-assurance-signature'] ?? ''}`);
      });
    }
    receiver.on(`/planted-moved-path${LAST}`, (response, { path }) =>
      response.writeHead(302, { location: path }).end(path),
    );
    receiver.on('/slack-api/chat.postMessage', (response, { headers }) =>
      response.writeHead(403).end(`no: ${headers.authorization}`),
    );
    const url = (hook: string) => receiver.url(`/${hook}${LAST}`);
    const config = { name: 'shared', targets: [webhook(url('planted-config-path'))] };
    await member.expect(201, 'PUT', TARGET_CONFIGS, { json: config });
    const answer = await notification(member, {
      environments: [env],
      targets: [
        webhook(url('planted-old-path')),
        webhook(url('planted-webhook-path')),
        webhook(url('planted-moved-path')),
        { type: 'SLACK', webhook: url('planted-slack-path') },
        { type: 'SLACK', context: { channel_id: 'C1' } },
        { type: 'EMAIL', emails: 'ops@example.com' },
        { type: 'NESTED_CONFIG', config: 'shared' },
      ],
    });
    const { number } = answer;
    await member.expect(200, 'PUT', `${NOTIFICATIONS}/${number}`, { json: { targets: answer.targets.slice(1) } });
    for (let times = 0; times < 2; times += 1) {
      const json = { target: answer.targets[1]?.id };
      const path = `${NOTIFICATIONS}/${number}/signing_secret`;
      planted.push((await member.expect<SigningSecretAnswer>(201, 'POST', path, { json })).secret);
    }
    const keys = '/service-accounts/acme/ci-reader/api-keys';
    const first = await admin.expect<NewApiKey>(201, 'POST', keys, { json: { description: 'planted' } });
    const second = await admin.expect<RotatedApiKey>(201, 'POST', `${keys}/${first.id}/rotate`, { json: {} });
    planted.push(first.key, second.key);
    await report(member, env, [item({ 'web:1': digest(env) })]);
    await test(member, number);
    const tried = await eventually(
      () => deliveries(member, number, '?per_page=50'),
      ({ deliveries: all }) => all.length === 12 && all.every(({ attempts_count }) => attempts_count > 0),
    );
    expect(tried.deliveries.map(({ state }) => state).filter((state) => state === 'delivered')).toHaveLength(2);
    expect(tried.deliveries.map(({ attempts }) => attempts[0]?.detail)).toContain('answered 500: Cannot POST ****');
    await arrived(receiver, '/slack-api/chat.postMessage', 1);

    const answers = [NOTIFICATIONS, `${NOTIFICATIONS}/${number}`, `${NOTIFICATIONS}/${number}/deliveries?per_page=50`]
      .concat(TARGET_CONFIGS, `${TARGET_CONFIGS}/shared`, keys, `${keys}/${first.id}`, await everyPath(admin))
      .map(async (path) => secretsIn((await admin.send('GET', path)).text));
    expect(new Set((await Promise.all(answers)).flat())).toEqual(new Set());
    expect(secretsIn(await (await fetch(`${started.operations.url}/metrics`)).text())).toEqual([]);
    for (const words of [[], ['--with-secrets']]) {
      const to = join(installation.folder, `export${words.length}`);
      const { outcome, error } = await started.operator.run('export', '--to', to, ...words);
      expect([outcome?.ok, error]).toEqual([true, null]);
      const exported = gunzipSync(readFileSync(to));
      expect([secretsIn(exported), exported.includes('ops@example.com')]).toEqual([[], true]);
    }
    await started.operator.run('verify');
    // Searches for removed and overwritten data too: in the files while the service runs, and after its end.
    const searched = () => files(installation.data).flatMap((path) => secretsIn(readFileSync(path)));
    expect(searched()).toEqual([]);
    // The search finds what is not sealed, and what is sealed is there.
    expect(files(installation.data).some((path) => readFileSync(path).includes('ops@example.com'))).toBe(true);
    const resealed = await started.operator.run('reseal-secrets');
    expect(resealed.outcome).toMatchObject({ ok: true, details: { seen: 6, unreadable: 0 } });
    await installation.stop();
    expect(searched()).toEqual([]);
    expect(installation.log.flatMap((line) => secretsIn(line))).toEqual([]);
    expect(installation.log.length).toBeGreaterThan(50);
  }, 120_000);
});
