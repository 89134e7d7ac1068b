import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { notificationDispatcher } from '@assurance/notification-dispatcher/role';
import { MAIL_CONNECTIONS } from '@assurance/notifications/channels/email/mailer';
import { SMTPServer } from 'smtp-server';
import { eventually } from './support/eventually';
import { Installation } from './support/installation';
import { ledger, notification, test as sendTest } from './support/notifying';
import { servers } from './support/servers';
import { worldOf } from './support/world';

const ON_SERVERS = process.env['ASSURANCE_TEST_DEPLOYMENT'] === 'scaled';
const START_MS = 90_000;
/** Of each notification. */
const TARGETS = 8;
const DELIVERIES = 3 * TARGETS;
/** Less than the lease of a destination, and more than half of it. */
const MOST_OF_A_LEASE_MS = 15_000;

/** A server that has a mail for as long as the test wants. */
class SlowServer {
  /** Ids of messages, as they came. */
  readonly came: string[] = [];
  private readonly held: (() => void)[] = [];
  private open = false;
  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      let text = '';
      stream.on('data', (piece: Buffer) => (text += piece.toString()));
      stream.on('end', () => {
        this.came.push(/^Message-ID: (.*)$/im.exec(text)?.[1] ?? 'none');
        if (this.open) done();
        else this.held.push(done);
      });
    },
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  stop = () => new Promise<void>((resolve) => this.server.close(resolve));

  /** Accepts those that it has. */
  accept(): void {
    for (const done of this.held.splice(0)) done();
  }

  acceptAll(): void {
    this.open = true;
    this.accept();
  }

  async has(count: number): Promise<void> {
    await eventually(
      () => Promise.resolve(this.held.length),
      (waiting) => waiting >= count,
    );
  }
}

/** Two processes on one store. On MongoDB and Kafka where Jest's project `scaled` runs. */
describe('mail to many addresses by a slow server', () => {
  const smtp = new SlowServer();
  let ahead = 0;
  const installation = new Installation(ON_SERVERS ? servers() : {}, () => Date.now() + ahead);
  afterAll(async () => {
    await installation.clear();
    await smtp.stop();
  }, START_MS);

  it('is sent once to each address, although leases could expire while messages wait for a connection', async () => {
    const settings = { ASSURANCE_SMTP_URL: await smtp.start() };
    if (!ON_SERVERS) await installation.open();
    const first = await installation.start(settings);
    const member = (await worldOf(first)).as('member');
    const targets = Array.from({ length: TARGETS }, (_, i) => ({ type: 'EMAIL', emails: `a${i}@example.com` }));
    const numbers: number[] = [];
    for (let count = 0; count < DELIVERIES; count += TARGETS) {
      numbers.push((await notification(member, { targets })).number);
    }
    for (const number of numbers) await sendTest(member, number);
    const listed = async () => (await Promise.all(numbers.map((number) => ledger(member, number)))).flat();

    await smtp.has(MAIL_CONNECTIONS);
    ahead += MOST_OF_A_LEASE_MS;
    smtp.accept();
    await smtp.has(MAIL_CONNECTIONS);
    // Leases of those that the process sends now go on; of all that it had taken with the first, they would have passed.
    ahead += MOST_OF_A_LEASE_MS - 5_000;
    await installation.start({ ...settings, ASSURANCE_PUBLIC_URL: first.url }, [notificationDispatcher]);
    await smtp.has(2 * MAIL_CONNECTIONS);
    await setImmediate();
    expect(smtp.came.length).toBe(3 * MAIL_CONNECTIONS);
    smtp.acceptAll();

    await eventually(listed, (all) => all.length === DELIVERIES && all.every(({ state }) => state === 'delivered'));
    expect([smtp.came.length, new Set(smtp.came).size]).toEqual([DELIVERIES, DELIVERIES]);
    expect((await listed()).filter((delivery) => delivery.attempts_count !== 1)).toEqual([]);
  });
});
