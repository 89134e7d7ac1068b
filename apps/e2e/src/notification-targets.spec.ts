import type { AddressInfo } from 'node:net';
import type { NotificationAnswer } from '@assurance/contracts/notifications/answers/notification';
import { SMTPServer } from 'smtp-server';
import { deployments } from './support/deployments';
import { eventually } from './support/eventually';
import {
  arrived,
  deliveries,
  ledger,
  notification,
  NOTIFICATIONS,
  test as sendTest,
  webhook,
} from './support/notifying';
import { Receiver } from './support/receiver';
import { fresh } from './support/samples';
import { onOwnServices } from './support/world';

const PASSWORD = 'planted p@ssword';
const NOBODY = 'gone@example.com';

let receiver: Receiver;
/** The recipients of each mail, by the address that the test chose. */
const mails: string[][] = [];
let refused = new Map<string, number>();
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo({ address }, _session, done) {
    const responseCode = refused.get(address);
    done(responseCode === undefined ? null : Object.assign(new Error('not for this one'), { responseCode }));
  },
  onData(stream, session, done) {
    stream.resume().on('end', () => {
      mails.push(session.envelope.rcptTo.map(({ address }) => address));
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
  start: () =>
    deployment.start({
      ASSURANCE_TARGET_NETWORKS: '127.0.0.0/8',
      ASSURANCE_SMTP_URL: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    }),
}));

onOwnServices(
  (world) => {
    const member = () => world().as('member');
    const tested = async (...targets: object[]) => {
      const { number } = await notification(member(), { targets });
      await sendTest(member(), number);
      return number;
    };
    const ended = async (number: number) => {
      const [delivery] = await eventually(
        () => ledger(member(), number),
        (all) => all.length > 0 && all.every(({ state }) => state !== 'pending'),
      );
      return delivery;
    };
    const readNotification = (number: number) => member().get<NotificationAnswer>(`${NOTIFICATIONS}/${number}`);

    it('name the recipient that the mail server refuses, and send to the others once', async () => {
      const ops = `${fresh('ops')}@example.com`;
      refused = new Map([[NOBODY, 550]]);
      const number = await tested({ type: 'EMAIL', emails: `${ops}, ${NOBODY}` });
      const delivery = await ended(number);
      expect(delivery).toMatchObject({
        state: 'dead',
        attempts_count: 1,
        next_attempt_at: null,
        reason: expect.stringMatching(
          /^gone@example\.com was refused: 550 not for this one; delivered to ops/,
        ) as string,
      });
      await sendTest(member(), number);
      await sendTest(member(), number);
      await eventually(
        () => readNotification(number),
        ({ is_failing }) => is_failing,
      );
      expect((await readNotification(number)).targets[0]).not.toHaveProperty('last_success_at');
      refused = new Map();
      expect((await world().operator.run('redeliver', 'acme', String(number))).outcome?.ok).toBe(true);
      await eventually(
        () => ledger(member(), number),
        (all) => all.length === 3 && all.every(({ state }) => state === 'delivered'),
      );
      const to = (address: string) => mails.filter((recipients) => recipients.includes(address)).length;
      expect([to(ops), mails.filter((recipients) => recipients.join() === NOBODY).length]).toEqual([3, 3]);
    });

    it('send again only to the recipient that the mail server refused for now', async () => {
      const [ops, later] = [`${fresh('ops')}@example.com`, `${fresh('later')}@example.com`];
      refused = new Map([[later, 451]]);
      const number = await tested({ type: 'EMAIL', emails: `${ops},${later}` });
      const [waiting] = await eventually(
        () => ledger(member(), number),
        ([first]) => (first?.attempts_count ?? 0) > 0,
      );
      expect(waiting).toMatchObject({ state: 'pending' });
      expect(waiting?.attempts[0]?.detail).toBe(`${later} is tried again: 451 not for this one; delivered to ${ops}`);
      refused = new Map();
      expect(await ended(number)).toMatchObject({ state: 'delivered' });
      expect(mails.filter((recipients) => recipients.some((recipient) => [ops, later].includes(recipient)))).toEqual([
        [ops],
        [later],
      ]);
    });

    it.each([400, 413, 422])(
      'try a message once that the target refuses with %i, and say why it ended',
      async (status) => {
        const path = `/${fresh('refuses')}`;
        receiver.on(path, (response) => response.writeHead(status).end('Summary or Text is required.'));
        const delivery = await ended(await tested(webhook(receiver.url(path))));
        expect([delivery?.state, delivery?.reason, receiver.at(path).length]).toEqual([
          'dead',
          `given up after 1 try: answered ${status}: Summary or Text is required.`,
          1,
        ]);
      },
    );

    it('authenticate by user and password of the URL, and never show them', async () => {
      const path = `/${fresh('basic')}`;
      receiver.on(path, (response, { headers }) =>
        response.writeHead(400).end(`${headers.authorization} ${atob(headers.authorization?.slice(6) ?? '')}`),
      );
      const secret = receiver.url(path).replace('http://', `http://ci:${encodeURIComponent(PASSWORD)}@`);
      const number = await tested(webhook(secret), { type: 'SLACK', webhook: secret });
      const authorization = `Basic ${btoa(`ci:${PASSWORD}`)}`;
      const requests = await arrived(receiver, path, 2);
      expect(requests.map(({ headers }) => headers.authorization)).toEqual([authorization, authorization]);
      await ended(number);
      const texts = [await deliveries(member(), number), await readNotification(number)].map((answer) =>
        JSON.stringify(answer),
      );
      expect(texts.join()).not.toMatch(/planted|ssword/);
      expect(texts.join()).not.toContain(btoa(`ci:${PASSWORD}`));
      expect(texts[0]).toContain('answered 400: Basic **** ci:****');
    });

    it.each([
      ['http://ci:planted-pass@', 'http://ci:planted-pass@'],
      ['ftp://ci:planted-pass@h', 'ftp://'],
      ['https://ci:planted-pass@a b', 'a b'],
    ])('are refused without a word of their secret: %s', async (url) => {
      const json = { name: fresh('n'), environments: [], triggers: [], targets: [webhook(url)] };
      const { status, text } = await member().send('PUT', NOTIFICATIONS, { json });
      expect([status, text.includes('planted')]).toEqual([400, false]);
      expect(text).toContain('it may have user:password@ before the host');
    });

    it('show of a URL without a path nothing that belongs to its password', async () => {
      const { targets } = await notification(member(), { targets: [webhook('https://ci:pw@h')] });
      expect(targets).toMatchObject([{ webhook: '', webhook_hint: '****://h' }]);
    });
  },
  undefined,
  onLoopback,
);
