import type { NotificationAnswer } from '@assurance/contracts/notifications/answers/notification';
import { BOOTSTRAP } from '../support/declared';
import { settledLedger } from '../support/notifying';
import { Place, type Process } from '../support/process';
import { Receiver } from '../support/receiver';
import { digest, environment, item, report, YESTERDAY } from '../support/samples';
import { worldOf } from '../support/world';

const ALL = '/organizations/acme/environments_notifications';
const BURST = 1_000;
/** The lease of the process that was killed has to end first. */
const PATIENCE_MS = 90_000;

const artifacts = Array.from({ length: BURST }, (_, i) => item({ [`web-${i}`]: digest(`web-${i}`) }, YESTERDAY));
const told = ({ received }: Receiver) =>
  received.map(({ body }) => (JSON.parse(body) as { artifact: { name: string } }).artifact.name);

describe('a service that is killed while it sends', () => {
  let place: Place;
  let receiver: Receiver;
  beforeEach(async () => {
    place = new Place();
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    await place.clear();
    await receiver.stop();
  });
  const start = () =>
    place.start({
      ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP),
      ASSURANCE_LOG_LEVEL: 'error',
      ASSURANCE_TARGET_NETWORKS: '127.0.0.0/8',
    });
  const callerOf = async (service: Process) => (await worldOf({ url: await service.url() })).as('member');

  /** Killed each time so many more have arrived; what arrives is counted by the receiver itself. */
  const killAfter = (service: Process, count: number) =>
    new Promise<void>((resolve, reject) => {
      receiver.on('/hook', (response) => {
        response.writeHead(204).end();
        if (receiver.received.length === count) service.kill().then(resolve, reject);
      });
    });

  it('delivers each of 1,000 events at least once, as its ledger shows', async () => {
    const first = start();
    const caller = await callerOf(first);
    const env = await environment(caller);
    const targets = [{ type: 'WEBHOOK', webhook: receiver.url('/hook') }];
    const json = { name: 'burst', environments: [env], triggers: ['ON_STARTED_ARTIFACT'], targets };
    await caller.expect(201, 'PUT', ALL, { json });
    const killed = killAfter(first, 100);
    await report(caller, env, artifacts);
    await killed;
    await killAfter(start(), 500);
    const last = start();
    receiver.on('/hook', (response) => response.writeHead(204).end());
    const now = await callerOf(last);
    const ledger = await settledLedger(now, 1, { receiver, count: BURST, patienceMs: PATIENCE_MS });
    expect([ledger.length, new Set(ledger.map(({ state }) => state))]).toEqual([BURST, new Set(['delivered'])]);
    expect(new Set(told(receiver)).size).toBe(BURST);
    // Whatever came twice says by its key that it is the same.
    expect(new Set(receiver.received.map(({ headers }) => headers['idempotency-key']))).toEqual(
      new Set(ledger.map(({ id }) => id)),
    );
    expect(receiver.received.length).toBeLessThan(BURST + 10);
    const { is_failing } = await now.get<NotificationAnswer>(`${ALL}/1`);
    expect([is_failing, await last.stop(), last.err]).toEqual([false, 0, '']);
  }, 240_000);
});
