import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { NO_ORGANIZATION } from '@assurance/contracts-events';
import type { AttestationAnswer } from '@assurance/contracts-http';
import type { Caller } from '../support/caller';
import { BOOTSTRAP } from '../support/declared';
import { eventually } from '../support/eventually';
import { Installation, type Started } from '../support/installation';
import { Place } from '../support/process';
import { flow, flowForm } from '../support/samples';
import { worldOf } from '../support/world';

const HOUR = 3_600_000;
const OLD = 60;
const HELD = 3;
const KILLS = 3;
/** More than a commit holds: it lies in the table `data`. */
const PAYLOAD_CHARS = 70_000;

describe('a service that is killed while it removes what retention dropped', () => {
  let place: Place;
  let ahead = -40 * 24 * HOUR;
  beforeEach(() => (place = new Place()));
  afterEach(() => place.clear());

  /** All roles in this process, on the folder of the killed ones; the clock is as far ahead as `ahead` says now. */
  async function running<T>(use: (started: Started, admin: Caller) => Promise<T>): Promise<T> {
    const settings = { ASSURANCE_DATA_DIR: join(place.folder, 'data') };
    const installation = new Installation(settings, () => Date.now() + ahead);
    try {
      const result = await installation.running(async (started) => use(started, (await worldOf(started)).as('admin')));
      expect(installation.log).toEqual([]);
      return result;
    } finally {
      await installation.clear();
    }
  }

  /** A process whose clock is ahead: what a killed one leased can be taken at once. */
  async function start() {
    const shift = encodeURIComponent(`const now=Date.now;Date.now=()=>now()+${ahead}`);
    const service = place.start({
      NODE_OPTIONS: `--import=data:text/javascript,${shift}`,
      ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP),
      ASSURANCE_LOG_LEVEL: 'error',
    });
    await service.url();
    return service;
  }

  async function attest(admin: Caller, flowName: string, number: number): Promise<void> {
    const userData = { text: `${flowName} ${number} `.padEnd(PAYLOAD_CHARS, 'x') };
    const form = flowForm({ attestation_name: `scan-${number}`, is_compliant: true, user_data: userData });
    form.set('attachment_file', new Blob([`evidence ${flowName} ${number}`]), 'evidence.txt');
    await admin.expect(201, 'POST', `/attestations/acme/${flowName}/trail/build-1/generic`, { form });
  }

  async function attested(admin: Caller, flowName: string, number: number): Promise<AttestationAnswer> {
    const path = `/attestations/acme/${flowName}/trail/build-1/scan-${number}`;
    const [found] = await admin.get<AttestationAnswer[]>(path);
    if (found === undefined) throw new Error(`there is no ${path}`);
    return found;
  }

  /** How many are stored of the organization; signed checkpoints have data of their own. */
  function payloads(): number {
    const db = new DatabaseSync(join(place.folder, 'data/assurance.db'), { readOnly: true });
    try {
      return Number(db.prepare(`SELECT count(*) AS n FROM data WHERE org <> '${NO_ORGANIZATION}'`).get()?.['n']);
    } finally {
      db.close();
    }
  }

  function files(): number {
    const found = readdirSync(join(place.folder, 'data/blobs'), { recursive: true, withFileTypes: true });
    return found.filter((each) => each.isFile()).length;
  }

  it('goes on where it was killed, drops all that it should and nothing that is held, and verify passes', async () => {
    const [old, held] = await running(async (_, admin) => {
      const flows = [await flow(admin), await flow(admin)] as const;
      for (let i = 0; i < OLD; i += 1) await attest(admin, flows[0], i);
      for (let i = 0; i < HELD; i += 1) await attest(admin, flows[1], i);
      await admin.expect(200, 'PUT', `/retention/acme/holds/${flows[1]}`, { json: { reason: 'Case 7' } });
      await admin.expect(200, 'PUT', '/retention/acme', { json: { attachments_days: 30, payloads_days: 30 } });
      return flows;
    });
    expect([payloads(), files()]).toEqual([OLD + HELD, OLD + HELD]);
    ahead = 0;
    for (let left = payloads(), kills = 0; left > HELD && kills < KILLS; left = payloads(), kills += 1) {
      const service = await start();
      while (payloads() === left) await setTimeout(1);
      await service.kill();
      expect(service.err).toBe('');
      ahead += 2 * HOUR;
    }
    await running(async ({ operator }, admin) => {
      const left = await eventually(
        async () => {
          ahead += HOUR / 6;
          return [payloads(), files()].join();
        },
        (counts) => counts === `${HELD},${HELD}`,
      );
      expect(left).toBe(`${HELD},${HELD}`);
      for (let i = 0; i < OLD; i += 1) {
        const { dropped = [] } = await attested(admin, old, i);
        expect(dropped.map(({ what }) => what)).toEqual(['attachments', 'payloads']);
      }
      for (let i = 0; i < HELD; i += 1) {
        const { dropped, user_data, attestation_id } = await attested(admin, held, i);
        expect([dropped, JSON.stringify(user_data).length > PAYLOAD_CHARS]).toEqual([undefined, true]);
        const path = `/attestations/acme/${held}/trail/build-1/attestation/${attestation_id}/evidence`;
        expect((await admin.bytes(path)).content.includes(`evidence ${held} ${i}`)).toBe(true);
      }
      const { outcome } = await operator.run('verify');
      expect(outcome).toMatchObject({ ok: true, details: { faults: 0, dropped: [{ what: 'payloads', count: OLD }] } });
    });
  }, 150_000);
});
