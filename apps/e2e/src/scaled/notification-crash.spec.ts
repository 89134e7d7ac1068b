import type { Caller } from '../support/caller';
import { Installation, ROLES, type RunningRoles } from '../support/installation';
import { notification, settledLedger, webhook } from '../support/notifying';
import { Place, type Process } from '../support/process';
import { Receiver } from '../support/receiver';
import { digest, environment, item, report, YESTERDAY } from '../support/samples';
import { servers } from '../support/servers';
import { worldOf } from '../support/world';

/** Fewer than on the embedded engine: each delivery costs 15 ms of CPU time here. */
const BURST = 300;
const PATHS = ['/one', '/two'];
/** Leases and Kafka's sessions of processes that were killed have to end first. */
const PATIENCE_MS = 150_000;

const artifacts = Array.from({ length: BURST }, (_, i) => item({ [`web-${i}`]: digest(`web-${i}`) }, YESTERDAY));
const OTHERS = ROLES.filter(({ name }) => name !== 'notification-dispatcher');

describe('dispatchers that are killed while they send', () => {
  const settings = { ...servers(), ASSURANCE_TARGET_NETWORKS: '127.0.0.0/8', ASSURANCE_LOG_LEVEL: 'error' };
  let place: Place;
  let receiver: Receiver;
  let installation: Installation;
  let others: RunningRoles;
  let member: Caller;
  beforeAll(async () => {
    place = new Place();
    receiver = await Receiver.start();
    installation = new Installation(settings);
    others = await installation.start({}, OTHERS);
    member = (await worldOf(others)).as('member');
  }, 90_000);
  afterAll(async () => {
    await installation.clear();
    await place.clear();
    await receiver.stop();
    expect(installation.log).toEqual([]);
  }, 90_000);

  const dispatcher = () =>
    place.start({ ...settings, ASSURANCE_PUBLIC_URL: others.url }, [], 'notification-dispatcher');
  /** Killed when so many messages have arrived, counted by the receiver itself. */
  const killedAt = (process: Process, count: number) =>
    new Promise<void>((resolve, reject) => {
      let isKilled = false;
      for (const path of PATHS) {
        receiver.on(path, (response) => {
          response.writeHead(204).end();
          if (isKilled || receiver.received.length < count) return;
          isKilled = true;
          process.kill().then(resolve, reject);
        });
      }
    });

  it('deliver each of 300 events to each target at least once, as their ledger shows', async () => {
    const [first, second] = [dispatcher(), dispatcher()];
    await Promise.all([first.url(), second.url()]);
    const env = await environment(member);
    const targets = PATHS.map((path) => webhook(receiver.url(path)));
    const { number } = await notification(member, { environments: [env], targets });
    const killed = killedAt(first, 100);
    await report(member, env, artifacts);
    await killed;
    // The other continues with the work of the first one, until it is killed too.
    await killedAt(second, 300);
    const last = dispatcher();
    await last.url();
    const all = await settledLedger(member, number, { receiver, count: BURST * 2, patienceMs: PATIENCE_MS });
    expect([all.length, new Set(all.map(({ state }) => state))]).toEqual([BURST * 2, new Set(['delivered'])]);
    for (const path of PATHS) {
      const names = receiver
        .at(path)
        .map(({ body }) => (JSON.parse(body) as { artifact: { name: string } }).artifact.name);
      expect(new Set(names).size).toBe(BURST);
    }
    expect(new Set(receiver.received.map(({ headers }) => headers['idempotency-key']))).toEqual(
      new Set(all.map(({ id }) => id)),
    );
    expect(receiver.received.length).toBeLessThan(BURST * 2 + 10);
    expect([await last.stop(), last.err]).toEqual([0, '']);
  }, 300_000);
});
