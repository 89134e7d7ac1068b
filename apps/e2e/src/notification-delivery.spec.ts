import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type {
  DeliveryPage,
  NotificationAnswer,
  SigningSecretAnswer,
} from '@assurance/contracts/notifications/answers/notification';
import { SMTPServer } from 'smtp-server';
import { deployments } from './support/deployments';
import { eventually } from './support/eventually';
import {
  arrived as arrivedAt,
  deliveries as listDeliveries,
  notification,
  NOTIFICATIONS,
  payloads as payloadsAt,
  TARGET_CONFIGS,
  test as sendTest,
  webhook,
} from './support/notifying';
import { Receiver } from './support/receiver';
import { artifact, digest, environment, flow, fresh, item, post, report, YESTERDAY } from './support/samples';
import { onOwnServices } from './support/world';

const STARTED = 'ON_STARTED_ARTIFACT';

let receiver: Receiver;
const mails: string[] = [];
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, _session, done) {
    let text = '';
    stream.on('data', (piece: Buffer) => (text += piece.toString()));
    stream.on('end', () => {
      mails.push(text);
      done();
    });
  },
});

beforeAll(async () => {
  receiver = await Receiver.start();
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await receiver.stop();
  await new Promise<void>((resolve) => smtp.close(resolve));
});

/** The addresses of servers are known only when the service starts. */
const onLoopback = deployments.map((deployment) => ({
  ...deployment,
  start: () => {
    const { port } = smtp.server.address() as AddressInfo;
    const settings = {
      ASSURANCE_TARGET_NETWORKS: '127.0.0.0/8',
      ASSURANCE_SMTP_URL: `smtp://127.0.0.1:${port}`,
      ASSURANCE_SLACK_API_URL: receiver.url('/slack-api'),
      ASSURANCE_SLACK_TOKEN: 'xoxb-secret-token',
    };
    return deployment.start(settings);
  },
}));

onOwnServices(
  (world) => {
    const member = () => world().as('member');

    const notify = (path: string, fields: Readonly<Record<string, unknown>> = {}) =>
      notification(member(), { targets: [webhook(receiver.url(path))], ...fields });
    const runs = (env: string, ...names: string[]) =>
      report(
        member(),
        env,
        names.map((name) => item({ [name]: digest(name) }, YESTERDAY)),
      );
    const arrived = (path: string, count: number) => arrivedAt(receiver, path, count);
    const payloads = (path: string, count: number) => payloadsAt(receiver, path, count);
    const deliveries = (number: number, query = '') => listDeliveries(member(), number, query);
    const delivered = (number: number, expected: (page: DeliveryPage) => boolean) =>
      eventually(() => deliveries(number), expected);
    /** Sends a message that arrives after all earlier ones, and waits for it. */
    async function waitForEarlier(): Promise<void> {
      const path = `/${fresh('last')}`;
      const env = await environment(member());
      await notify(path, { environments: [env] });
      await runs(env, fresh('last'));
      await arrived(path, 1);
    }

    it('send one payload for each event of the listed environments and triggers to webhooks', async () => {
      const [env, other, path] = [await environment(member()), await environment(member()), `/${fresh('hook')}`];
      const { number } = await notify(path, { environments: [env], triggers: [STARTED, 'ON_EXITED_ARTIFACT'] });
      const [firstImage, secondImage] = [fresh('web'), fresh('web')];
      const name = await flow(member());
      await post(member(), name, artifact(digest(firstImage), { filename: firstImage }));
      await runs(other, firstImage, secondImage);
      await runs(env, firstImage, secondImage);
      await runs(env, firstImage);
      const all = await payloads(path, 3);
      await waitForEarlier();
      expect(receiver.at(path).length).toBe(3);
      expect(all.map(({ environment: its, event_type }) => [its, event_type])).toEqual([
        [env, 'ARTIFACT_STARTED'],
        [env, 'ARTIFACT_STARTED'],
        [env, 'ARTIFACT_EXITED'],
      ]);
      const existing = all.find((each) => JSON.stringify(each).includes(name));
      expect(existing).toMatchObject({
        version: '1.0',
        org: 'acme',
        description: '1 instance started running (from 0 to 1)',
        snapshot: { index: '1', status: null },
        artifact: { name: firstImage, fingerprint: digest(firstImage), provenance: { flow: name } },
      });
      const page = await delivered(number, ({ deliveries: some }) => some.every(({ state }) => state === 'delivered'));
      expect(
        page.deliveries.map(({ state, attempts_count, event_types, environment: its }) => [
          state,
          attempts_count,
          event_types,
          its,
        ]),
      ).toEqual([
        ['delivered', 1, ['ARTIFACT_EXITED'], env],
        ['delivered', 1, ['ARTIFACT_STARTED'], env],
        ['delivered', 1, ['ARTIFACT_STARTED'], env],
      ]);
      const keys = receiver.at(path).map(({ headers }) => headers['idempotency-key']);
      expect(new Set(keys)).toEqual(new Set(page.deliveries.map(({ id }) => id)));
      const first = await deliveries(number, '?per_page=2');
      expect([first.deliveries.length, typeof first.next]).toEqual([2, 'string']);
      const second = await deliveries(number, `?per_page=2&before=${String(first.next)}`);
      expect([...first.deliveries, ...second.deliveries]).toEqual(page.deliveries);
      expect(second.next).toBeNull();
      const target = (await member().get<NotificationAnswer>(`${NOTIFICATIONS}/${number}`)).targets[0];
      expect(target).toHaveProperty('last_success_at');
      expect(target).not.toHaveProperty('last_failure_at');
    });

    it('follow a renamed environment, and send nothing about events before their creation', async () => {
      const [env, path] = [await environment(member()), `/${fresh('hook')}`];
      await runs(env, fresh('before'));
      await notify(path, { environments: [env] });
      const now = fresh('renamed');
      await member().expect(200, 'PUT', `/environments/acme/${env}/rename`, { json: { new_name: now } });
      const after = fresh('after');
      await runs(now, after);
      const all = await payloads(path, 1);
      expect(all).toMatchObject([{ environment: now, artifact: { name: after } }]);
    });

    it('report scaling where the environment includes it', async () => {
      const path = `/${fresh('hook')}`;
      const [env, other] = [await environment(member(), { include_scaling: true }), await environment(member())];
      await notify(path, { environments: [env, other], triggers: ['ON_SCALED_ARTIFACT'] });
      const name = fresh('web');
      for (const environmentName of [env, other]) {
        await runs(environmentName, name);
        await runs(environmentName, name, name, name);
      }
      expect(await payloads(path, 1)).toMatchObject([
        { environment: env, event_type: 'ARTIFACT_SCALED', description: '2 instances started running (from 1 to 3)' },
      ]);
      await waitForEarlier();
      expect(receiver.at(path).length).toBe(1);
    });

    it('send one message for a snapshot to Slack, to Teams and to mail addresses', async () => {
      const [env, hook, workflow] = [await environment(member()), `/${fresh('slack')}`, `/${fresh('teams')}`];
      receiver.on('/slack-api/chat.postMessage', (response) => response.writeHead(200).end('{"ok":true}'));
      const targets = [
        { type: 'SLACK', webhook: receiver.url(hook) },
        { type: 'TEAMS', webhook: receiver.url(workflow) },
        { type: 'SLACK', context: { channel_id: fresh('C') } },
        { type: 'EMAIL', emails: 'ops@example.com, dev@example.com' },
      ];
      const { number } = await notify('', { environments: [env], targets });
      await runs(env, ...Array.from({ length: 30 }, () => fresh('<web>')));
      const page = await delivered(
        number,
        ({ deliveries: some }) => some.length === 4 && some.every(({ state }) => state === 'delivered'),
      );
      expect(page.deliveries.map(({ channel, events }) => [channel, events]).sort()).toEqual([
        ['EMAIL', 30],
        ['SLACK', 30],
        ['SLACK', 30],
        ['TEAMS', 30],
      ]);
      const [request] = await arrived(hook, 1);
      expect(request?.body).toContain(`${env} #1: 30 started`);
      expect(request?.body).toContain('and 10 more');
      expect(request?.body).not.toContain('<web>');
      const [card] = await payloads(workflow, 1);
      expect(card).toMatchObject({ type: 'message', attachments: [{ content: { type: 'AdaptiveCard' } }] });
      expect(JSON.stringify(card)).toContain(`${env} #1: 30 started`);
      expect(receiver.at('/slack-api/chat.postMessage').at(-1)?.headers.authorization).toBe('Bearer xoxb-secret-token');
      expect(mails.filter((mail) => mail.includes(env)).length).toBe(1);
      expect(mails.at(-1)).toContain('30 started');
    });

    it('send to the current target of a shared configuration', async () => {
      const [env, path, config] = [await environment(member()), `/${fresh('shared')}`, fresh('config')];
      const put = (to: string, status: number) => {
        const json = { name: config, targets: [{ type: 'WEBHOOK', webhook: receiver.url(to) }] };
        return member().expect(status, 'PUT', TARGET_CONFIGS, { json });
      };
      await put('/nowhere', 201);
      const { number } = await notify('', { environments: [env], targets: [{ type: 'NESTED_CONFIG', config }] });
      await put(path, 200);
      await runs(env, fresh('web'));
      await arrived(path, 1);
      const { targets } = await eventually(
        () => member().get<NotificationAnswer>(`${NOTIFICATIONS}/${number}`),
        (notificationAnswer) => notificationAnswer.targets[0]?.last_success_at !== undefined,
      );
      expect(targets).toMatchObject([{ type: 'NESTED_CONFIG', config, last_success_at: expect.any(Number) as number }]);
    });

    it('sign payloads of webhooks, with the old secret too during its change', async () => {
      const path = `/${fresh('signed')}`;
      const { number, targets } = await notify(path);
      const issue = async () => {
        const json = { target: targets[0]?.id };
        return (
          await member().expect<SigningSecretAnswer>(201, 'POST', `${NOTIFICATIONS}/${number}/signing_secret`, { json })
        ).secret;
      };
      const test = () => sendTest(member(), number);
      await test();
      await arrived(path, 1);
      const first = await issue();
      await test();
      await arrived(path, 2);
      const second = await issue();
      await test();
      const all = await arrived(path, 3);
      const [unsigned, withOneSecret, withBothSecrets] = all.map(({ headers, body }) => ({
        header: headers['x-assurance-signature'],
        body,
      }));
      expect(unsigned?.header).toBeUndefined();
      const expected = (actual: typeof withOneSecret, ...secrets: string[]) => {
        const seconds = /^t=(\d+),/.exec(String(actual?.header))?.[1];
        const hex = (secret: string) => createHmac('sha256', secret).update(`${seconds}.${actual?.body}`).digest('hex');
        return [`t=${seconds}`, ...secrets.map((secret) => `v1=${hex(secret)}`)].join(',');
      };
      expect(withOneSecret?.header).toBe(expected(withOneSecret, first));
      expect(withBothSecrets?.header).toBe(expected(withBothSecrets, second, first));
      expect(JSON.parse(withBothSecrets?.body ?? '')).toMatchObject({
        event_type: 'TEST',
        snapshot: null,
        artifact: null,
      });
    });

    it('repeat failed deliveries when the target asks for it, and delay no other target', async () => {
      const [env, bad, good] = [await environment(member()), `/${fresh('bad')}`, `/${fresh('good')}`];
      const times: number[] = [];
      receiver.on(bad, (response) => {
        times.push(Date.now());
        if (times.length === 1) response.writeHead(500).end('broken');
        else if (times.length === 2) response.writeHead(429, { 'retry-after': '1' }).end();
        else if (times.length === 3) response.destroy();
        else response.writeHead(200).end();
      });
      const targets = [bad, good].map((path) => ({ type: 'WEBHOOK', webhook: receiver.url(path) }));
      const { number } = await notify('', { environments: [env], targets });
      await runs(env, fresh('web'));
      await arrived(good, 1);
      expect(receiver.at(bad).length).toBeLessThan(4);
      const failing = await eventually(
        () => member().get<NotificationAnswer>(`${NOTIFICATIONS}/${number}`),
        (target) => target.is_failing,
      );
      expect(failing.is_failing).toBe(true);
      const page = await delivered(number, ({ deliveries: some }) => some.every(({ state }) => state === 'delivered'));
      const slow = page.deliveries.find(({ attempts_count }) => attempts_count > 1);
      expect(slow?.attempts.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'failed', 'delivered']);
      expect(slow?.attempts.slice(0, 2).map(({ detail }) => detail)).toEqual(['answered 500: broken', 'answered 429']);
      expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThanOrEqual(990);
      expect(new Set(receiver.at(bad).map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
      // Its state is written after the ledger.
      const healed = await eventually(
        () => member().get<NotificationAnswer>(`${NOTIFICATIONS}/${number}`),
        (target) => !target.is_failing,
      );
      expect([healed.is_failing, typeof healed.targets[0]?.last_failure_at]).toEqual([false, 'number']);
    });

    it('give up messages that cannot be sent, until an operator sends them again', async () => {
      const [env, path] = [await environment(member()), `/${fresh('moved')}`];
      receiver.on(path, (response) => response.writeHead(302, { location: receiver.url('/inside') }).end());
      const { number } = await notify(path, { environments: [env] });
      await runs(env, fresh('web'));
      const page = await delivered(number, ({ deliveries: [delivery] }) => delivery?.state === 'dead');
      expect(page.deliveries).toMatchObject([
        { reason: 'answered 302: redirects are not followed', next_attempt_at: null },
      ]);
      expect(receiver.at('/inside')).toEqual([]);
      const dead = async () => {
        const texts = world().operator.addresses.map(async ({ url }) => (await fetch(`${url}/metrics`)).text());
        return Number(/^assurance_dead_deliveries (\d+)$/m.exec((await Promise.all(texts)).join('\n'))?.[1]);
      };
      expect(await eventually(dead, (count) => count >= 1)).toBeGreaterThanOrEqual(1);
      receiver.on(path, (response) => response.writeHead(200).end());
      const { outcome } = await world().operator.run('redeliver', 'acme', String(number));
      expect(outcome).toEqual({ ok: true, summary: '1 dead message is sent again.', details: { messages: 1 } });
      const again = await delivered(number, ({ deliveries: [delivery] }) => delivery?.state === 'delivered');
      expect(again.deliveries[0]?.attempts_count).toBe(2);
      expect((await world().operator.run('redeliver', 'acme')).error).toContain('redeliver takes');
    });

    it('send nothing to internal addresses that are not permitted', async () => {
      const env = await environment(member());
      const targets = [{ type: 'WEBHOOK', webhook: 'http://[::1]:9/' }];
      const { number } = await notify('', { environments: [env], targets });
      await runs(env, fresh('web'));
      const page = await delivered(number, ({ deliveries: [delivery] }) => delivery?.state === 'dead');
      expect(page.deliveries[0]?.reason).toContain('the address ::1 is not public');
    });
  },
  undefined,
  onLoopback,
);
