import type { AllowlistPage } from '@assurance/contracts/environments/answers/allowlist';
import type { AuditLogPage } from '@assurance/contracts/audit/answers/audit-log';
import type { Caller } from '../support/caller';
import { BOOTSTRAP } from '../support/declared';
import { eventually } from '../support/eventually';
import { Place, type Process } from '../support/process';
import { digest, environment } from '../support/samples';
import { worldOf } from '../support/world';

/** How many allowances end at one moment. */
const MANY = 120;
/** Longer than a busy machine takes to change that many (seconds). */
const LEAD_S = 20;

describe('a service that is killed while allowances end', () => {
  let place: Place;
  beforeEach(() => (place = new Place()));
  afterEach(() => place.clear());

  it('records each end once, whenever it was killed', async () => {
    const settings = {
      ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP),
      ASSURANCE_LOG_LEVEL: 'error',
    };
    const start = async (): Promise<{ readonly service: Process; readonly caller: Caller }> => {
      const service = place.start(settings);
      return { service, caller: (await worldOf({ url: await service.url() })).as('admin') };
    };
    let { service, caller } = await start();
    const env = await environment(caller);
    const prints = Array.from({ length: MANY }, (_, i) => digest(`${env} ${i}`));
    const allow = (artifact_fingerprint: string, expires_at: number) =>
      caller.send('PUT', `/allowlists/acme/${env}`, { json: { artifact_fingerprint, expires_at } });
    for (const print of prints) await allow(print, 4_102_444_800);
    const end = Math.ceil(Date.now() / 1_000) + LEAD_S;
    for (const print of prints) await allow(print, end);
    const left = async () => (await caller.get<AllowlistPage>(`/allowlists/acme/${env}?per_page=1`)).total_count;
    expect(await left()).toBe(MANY);

    // The first time as soon as ends are recorded, then whenever more of them are.
    for (let kills = 0, before = MANY; kills < 3; kills += 1) {
      before = await eventually(left, (count) => count < before || count === 0);
      await service.kill();
      ({ service, caller } = await start());
    }
    await eventually(left, (count) => count === 0);
    const ended = new Set<string>();
    let count = 0;
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const query = `per_page=100&page=${page}&type=allowance_ended`;
      const result = await caller.get<AuditLogPage>(`/audit-log/acme?${query}`);
      pages = result.total_pages;
      for (const { after } of result.entries) {
        count += 1;
        for (const field of Object.keys(after)) ended.add(field);
      }
    }
    expect([count, ended.size]).toEqual([MANY, MANY]);
    expect(await service.stop()).toBe(0);
  }, 150_000);
});
