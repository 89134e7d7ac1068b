import type { ServerResponse } from 'node:http';
import { times } from './support/deployments';
import { eventually } from './support/eventually';
import { arrived, ledger, notification, webhook } from './support/notifying';
import { Receiver } from './support/receiver';
import { digest, environment, fresh, item, report, YESTERDAY } from './support/samples';
import { onEveryDeployment } from './support/world';

const EVENTS = times(60);

let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start();
});
afterAll(() => receiver.stop());

onEveryDeployment((world) => {
  const member = () => world().as('member');
  const messagesAt = (path: string) => new Set(receiver.at(path).map(({ headers }) => headers['idempotency-key'])).size;

  it('delay nobody else: a target that does not answer, refuses, breaks off or redirects has its own queue', async () => {
    const env = await environment(member());
    const bad = ['silent', 'limited', 'broken', 'away'].map((kind) => `/${fresh(kind)}`);
    const [silent = '', limited = '', broken = '', away = ''] = bad;
    const waiting: ServerResponse[] = [];
    receiver.on(silent, (response) => waiting.push(response));
    receiver.on(limited, (response) => response.writeHead(429, { 'retry-after': '3600' }).end());
    receiver.on(broken, (response) => response.destroy());
    receiver.on(away, (response) => response.writeHead(307, { location: receiver.url('/inside') }).end());
    const numbers = new Map<string, number>();
    const good = `/${fresh('good')}`;
    // A notification each, and all of them as targets of one.
    for (const path of [...bad, good]) {
      const targets = [webhook(receiver.url(path))];
      numbers.set(path, (await notification(member(), { environments: [env], targets })).number);
    }
    const together = `/${fresh('together')}`;
    const targets = [...bad, together].map((path) => webhook(receiver.url(path)));
    await notification(member(), { environments: [env], targets });

    const artifacts = Array.from({ length: EVENTS }, (_, i) =>
      item({ [`web-${i}`]: digest(`${env} ${i}`) }, YESTERDAY),
    );
    await report(member(), env, artifacts);
    for (const path of [good, together]) expect((await arrived(receiver, path, EVENTS)).length).toBe(EVENTS);
    // One message of each of the two notifications, and then nothing for an hour.
    await eventually(
      () => Promise.resolve(messagesAt(limited)),
      (count) => count === 2,
    );
    expect(messagesAt(limited)).toBe(2);
    expect(messagesAt(silent)).toBeLessThan(2 * EVENTS);
    expect(receiver.at('/inside')).toEqual([]);
    const states = async (path: string) =>
      new Set((await ledger(member(), numbers.get(path) ?? 0)).map(({ state }) => state));
    // A delivery is in the ledger once its answer was read.
    const settled = (path: string) =>
      eventually(
        () => states(path),
        (all) => !all.has('pending'),
      );
    expect(await settled(good)).toEqual(new Set(['delivered']));
    expect(await states(limited)).toEqual(new Set(['pending']));
    // Nothing follows a redirect, and none is tried again.
    expect(await settled(away)).toEqual(new Set(['dead']));

    receiver.on(silent, (response) => response.writeHead(204).end());
    for (const response of waiting) response.writeHead(204).end();
    await eventually(
      () => Promise.resolve(messagesAt(silent)),
      (count) => count === 2 * EVENTS,
    );
    expect(messagesAt(silent)).toBe(2 * EVENTS);
  });
});
