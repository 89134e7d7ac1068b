import type { NotificationAnswer } from '@assurance/contracts/notifications/answers/notification';
import type { Caller } from '../support/caller';
import { BOOTSTRAP } from '../support/declared';
import { settledLedger } from '../support/notifying';
import { Place, type Process } from '../support/process';
import { Receiver } from '../support/receiver';
import { digest, environment, flow, flowForm, item, report, YESTERDAY } from '../support/samples';
import { worldOf } from '../support/world';

const ALL = '/organizations/acme/environments_notifications';
const BURST = 1_000;
/** The lease of the process that was killed has to end first. */
const PATIENCE_MS = 90_000;

const artifacts = Array.from({ length: BURST }, (_, i) => item({ [`web-${i}`]: digest(`web-${i}`) }, YESTERDAY));
const messages = ({ received }: Receiver) =>
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
    expect(new Set(messages(receiver)).size).toBe(BURST);
    // A repeated message has the same key.
    expect(new Set(receiver.received.map(({ headers }) => headers['idempotency-key']))).toEqual(
      new Set(ledger.map(({ id }) => id)),
    );
    expect(receiver.received.length).toBeLessThan(BURST + 10);
    const { is_failing } = await now.get<NotificationAnswer>(`${ALL}/1`);
    expect([is_failing, await last.stop(), last.err]).toEqual([false, 0, '']);
  }, 240_000);

  it('delivers each of 300 events of a flow at least once, also those that it had not read yet', async () => {
    const count = 300;
    const first = start();
    const caller = await callerOf(first);
    const shop = await flow(caller);
    const targets = [{ type: 'WEBHOOK', webhook: receiver.url('/hook') }];
    const json = { name: 'trails', flows: [shop], triggers: ['ON_STARTED_TRAIL'], targets };
    await caller.expect(201, 'PUT', '/actions/acme/flows', { json });
    const killed = killAfter(first, 20);
    const names = Array.from({ length: count }, (_, i) => `build-${i}`);
    const begin = (by: Caller, name: string) => by.send('PUT', `/trails/acme/${shop}`, { form: flowForm({ name }) });
    // Requests without an answer before the kill are sent again, as clients do.
    await Promise.allSettled(names.map((name) => begin(caller, name)));
    await killed;
    receiver.on('/hook', (response) => response.writeHead(204).end());
    const last = start();
    const now = await callerOf(last);
    for (const name of names) expect([200, 201]).toContain((await begin(now, name)).status);
    const ledger = await settledLedger(now, 1, { receiver, count, patienceMs: PATIENCE_MS });
    expect([ledger.length, new Set(ledger.map(({ state }) => state))]).toEqual([count, new Set(['delivered'])]);
    const trails = receiver.received.map(({ body }) => (JSON.parse(body) as { trail: { name: string } }).trail.name);
    expect(new Set(trails)).toEqual(new Set(names));
    expect(new Set(receiver.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(count);
    expect([await last.stop(), last.err]).toEqual([0, '']);
  }, 240_000);
});
