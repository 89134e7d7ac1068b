import * as os from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { VulnerabilityList } from '@assurance/contracts/vulnerabilities/answers/vulnerabilities';
import { vulnerabilities } from '@assurance/vulnerabilities/domain/imports';
import { MongoClient } from 'mongodb';
import { BOOTSTRAP } from '../support/declared';
import { eventually } from '../support/eventually';
import { Installation } from '../support/installation';
import { Place, type Process } from '../support/process';
import { Receiver } from '../support/receiver';
import { servers } from '../support/servers';
import { importVulnerabilities, npmEntry, runAndNotify } from '../support/vulnerable';
import { worldOf } from '../support/world';

/** Entries about the package that runs: more than one event holds. */
const FOUND = 250;
/** Entries about other packages, so that the import takes several commits. */
const OTHERS = 1_500;
const MINUTE = 60_000;
const PATIENCE_MS = 60_000;

const entries = Array.from({ length: FOUND + OTHERS }, (_, i) =>
  npmEntry(`CVE-2024-${10_000 + i}`, i < FOUND ? 'lib' : `other-${i}`),
);
const names = entries.slice(0, FOUND).map(({ id }) => id);

describe('a process that is killed while it imports and while it tells, on MongoDB and Kafka', () => {
  const settings: Record<string, string> = {
    ...servers(),
    ASSURANCE_PUBLIC_URL: 'http://localhost:1',
    ASSURANCE_TARGET_NETWORKS: '127.0.0.0/8',
    ASSURANCE_LOG_LEVEL: 'error',
  };
  const client = new MongoClient(settings['MONGODB_URL'] ?? '', { runtimeAdapters: { os } });
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
  afterAll(() => client.close());

  const start = () => place.start({ ...settings, ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP) });
  /** Waits until an import has begun, and polls without a pause, so that a kill happens in its middle. */
  const begun = async () => {
    const states = client.db().collection(`documents_${vulnerabilities.states.name}`);
    for (const end = Date.now() + PATIENCE_MS; (await states.countDocuments()) === 0; await setTimeout(1)) {
      if (Date.now() > end) throw new Error('no import began');
    }
  };
  /** Kills a process in the moment in which the first message arrives. */
  const killedAtFirst = (process: Process) =>
    new Promise<void>((resolve, reject) =>
      receiver.on('/', (response) => {
        receiver.on('/', (answer) => answer.writeHead(204).end());
        response.destroy();
        process.kill().then(resolve, reject);
      }),
    );
  const messages = () =>
    new Map(
      receiver.received.map(({ headers, body }) => {
        const { vulnerability } = JSON.parse(body) as { readonly vulnerability: { readonly id: string } };
        return [headers['idempotency-key'], vulnerability.id];
      }),
    );

  it('lists each vulnerability, and tells each once', async () => {
    const first = start();
    const world = await worldOf({ url: await first.url() });
    await runAndNotify(world, receiver);
    // Nothing is sent before the second process.
    receiver.on('/', (response) => response.writeHead(503).end());
    // Its connection ends, unless it was answered before.
    const importing = importVulnerabilities(world.as('admin'), entries).catch(() => null);
    await begun();
    await first.kill();
    await importing;

    const second = start();
    const again = await worldOf({ url: await second.url() });
    const killed = killedAtFirst(second);
    await importVulnerabilities(again.as('admin'), entries);
    await killed;
    expect([first.err, second.err]).toEqual(['', '']);

    let now = Date.now();
    const installation = new Installation(settings, () => now);
    const started = await installation.start();
    const admin = (await worldOf(started)).as('admin');
    expect(await importVulnerabilities(admin, entries)).toMatchObject({ imported: false, unread: 0 });
    const count = () => {
      now += MINUTE;
      return new Set(messages().values()).size;
    };
    await eventually(count, (seen) => seen >= FOUND, PATIENCE_MS);
    expect([...messages().values()].sort()).toEqual(names);
    const list = await admin.get<VulnerabilityList>('/vulnerabilities/acme');
    expect(list.total_count).toBe(FOUND);
    const { outcome } = await started.operator.run('verify');
    expect(outcome).toMatchObject({ ok: true, details: { faults: 0 } });
    await installation.clear();
    expect(installation.log).toEqual([]);
  }, 180_000);
});
