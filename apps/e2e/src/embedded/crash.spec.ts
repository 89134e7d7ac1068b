import { rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { type AcknowledgedReport, complete, reportManyTimes } from '../support/acknowledged';
import { BOOTSTRAP } from '../support/declared';
import { Place, type Process } from '../support/process';
import { environment } from '../support/samples';
import { worldOf } from '../support/world';

const ENVIRONMENTS = 8;
const ROUNDS = 3;
/** How many acknowledgements it waits for before the end: a time would depend on the machine. */
const BUSY = 50;

describe('a service that ends while 32 clients report', () => {
  let place: Place;
  let env: Record<string, string>;
  beforeEach(() => {
    place = new Place();
    env = { ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP), ASSURANCE_LOG_LEVEL: 'error' };
  });
  afterEach(() => place.clear());

  const callerOf = async (service: Process) => (await worldOf({ url: await service.url() })).as('member');
  /** Starts a service, has it work, ends it in this way meanwhile; returns what it had acknowledged until then. */
  const working = async (
    run: string,
    environments: string[],
    before: readonly AcknowledgedReport[],
    end: (service: Process) => Promise<unknown>,
  ) => {
    const service = place.start(env);
    const caller = await callerOf(service);
    await complete(caller, environments, before);
    while (environments.length < ENVIRONMENTS) environments.push(await environment(caller));
    let ended = false;
    void service.ended.then(() => (ended = true));
    const over = () => ended || service.child.killed;
    let enough: () => void = () => undefined;
    const busy = new Promise<void>((resolve) => (enough = resolve));
    const count = (many: number) => {
      if (many >= BUSY) enough();
    };
    const acknowledged = reportManyTimes(caller, { run, environments, over, gone: over, count });
    // A client that fails ends the wait too.
    await Promise.race([busy, acknowledged]);
    await end(service);
    return acknowledged;
  };

  it('keeps each acknowledged report once and without gaps when it is killed repeatedly', async () => {
    const environments: string[] = [];
    const all: AcknowledgedReport[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      all.push(...(await working(`round-${round}`, environments, all, (service) => service.kill())));
    }
    expect(all.length).toBeGreaterThanOrEqual(ROUNDS * BUSY);
    const service = place.start(env);
    await complete(await callerOf(service), environments, all);
    expect(await service.stop()).toBe(0);
    expect(service.err).toBe('');
  }, 150_000);

  it('keeps each acknowledged report when its derived documents are lost, cut short or older after a kill', async () => {
    const derived = join(place.folder, 'data/derived.db');
    const half = (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2));
    const damages = [
      () => rmSync(derived),
      () => [rmSync(`${derived}-wal`), half(derived)],
      () => half(`${derived}-wal`),
      () => half(derived),
    ];
    const environments: string[] = [];
    const all: AcknowledgedReport[] = [];
    for (const [round, damage] of damages.entries()) {
      all.push(...(await working(`round-${round}`, environments, all, (service) => service.kill())));
      damage();
    }
    const service = place.start(env);
    await complete(await callerOf(service), environments, all);
    expect(await service.stop()).toBe(0);
    expect(service.err).toBe('');
  }, 150_000);

  it('keeps each acknowledged report when it is stopped, and exits with 0', async () => {
    const environments: string[] = [];
    const all = await working('asked', environments, [], async (service) => {
      expect(await service.stop()).toBe(0);
      expect(service.err).toBe('');
    });
    expect(all.length).toBeGreaterThanOrEqual(BUSY);
    const service = place.start(env);
    await complete(await callerOf(service), environments, all);
    expect(await service.stop()).toBe(0);
  }, 90_000);
});
