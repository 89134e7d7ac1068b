import { setTimeout } from 'node:timers/promises';
import type { AttestationAnswer } from '@assurance/contracts/evidence/answers/attestation';
import type { Caller } from './caller';
import { BOOTSTRAP } from './declared';
import { eventually } from './eventually';
import { Installation, type RunningRoles } from './installation';
import type { Operator } from './operator';
import type { Place, Process } from './process';
import type { Settings } from './running';
import { flow, flowForm } from './samples';
import { worldOf } from './world';

const HOUR = 3_600_000;
/** How many attestations retention drops the payload and the file of, and how many a hold protects. */
const OLD = 60;
const HELD = 3;
/** More than a commit holds: payloads are stored outside of it. */
const PAYLOAD_CHARS = 70_000;
/** How long a removal may take to begin, and to end (milliseconds). */
const PATIENCE_MS = 60_000;

/** How many there are in the storage itself. */
interface StoredCounts {
  payloads(): number | Promise<number>;
  files(): number | Promise<number>;
}

/** The program that removes what was dropped, the settings that say where it is stored, and how often the program is killed at most. */
interface KilledProgram {
  readonly app: string;
  readonly settings: Settings;
  readonly kills: number;
}

/** Has retention drop old evidence, kills the process that removes it, and checks that the removal ends as if nothing was killed. */
export async function droppedDespiteKills(
  place: Place,
  { app, settings, kills }: KilledProgram,
  stored: StoredCounts,
): Promise<void> {
  let ahead = -40 * 24 * HOUR;
  const counts = async () => [await stored.payloads(), await stored.files()];
  /** All roles in this process; the clock is as far ahead as `ahead` says now. */
  async function running<T>(use: (started: RunningRoles, admin: Caller) => Promise<T>): Promise<T> {
    const installation = new Installation(settings, () => Date.now() + ahead);
    try {
      const result = await installation.running(async (started) => use(started, (await worldOf(started)).as('admin')));
      expect(installation.log).toEqual([]);
      return result;
    } finally {
      await installation.clear();
    }
  }
  /** A process whose clock is ahead, so that it can take the leases of a killed one at once. */
  const start = () => {
    const shift = encodeURIComponent(`const now=Date.now;Date.now=()=>now()+${ahead}`);
    return place.start(
      {
        ...settings,
        NODE_OPTIONS: `--import=data:text/javascript,${shift}`,
        ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP),
        ASSURANCE_LOG_LEVEL: 'error',
      },
      [],
      app,
    );
  };
  const evidence = await running((_, admin) => storeEvidence(admin));
  expect(await counts()).toEqual([OLD + HELD, OLD + HELD]);
  // What is dropped here is removed an hour later.
  ahead = -2 * HOUR;
  const dropped = () =>
    running((_, admin) =>
      eventually(
        async () => (await attested(admin, evidence.old, 0)).dropped?.length,
        (kinds) => kinds === 2,
      ),
    );
  expect([await dropped(), await counts()]).toEqual([2, [OLD + HELD, OLD + HELD]]);
  ahead = 0;
  for (let left = OLD + HELD, killed = 0; left > HELD && killed < kills; left = await stored.payloads(), killed += 1) {
    const service = start();
    await service.url();
    await fewer(stored, left, service);
    await service.kill();
    expect(service.err).toBe('');
    ahead += 2 * HOUR;
  }
  await running(async ({ operator }, admin) => {
    // Without days, nothing more is dropped. Otherwise each day that passes here drops again, and a sweep right after a drop keeps all files for an hour.
    await admin.expect(200, 'PUT', '/retention/acme', { json: {} });
    // A sweep rests for a day at most, and GridFS gives space back in the sweep after the one that removed a file.
    const left = async () => {
      ahead += 25 * HOUR;
      return (await counts()).join();
    };
    expect(await eventually(left, (text) => text === `${HELD},${HELD}`, PATIENCE_MS)).toBe(`${HELD},${HELD}`);
    await expectDropped(admin, operator, evidence);
  });
}

/** Waits until there are fewer payloads, and polls without a pause, so that a kill happens in the middle of a removal. */
async function fewer(stored: StoredCounts, than: number, service: Process): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while ((await stored.payloads()) === than) {
    const { exitCode } = service.child;
    if (exitCode !== null || Date.now() > end)
      throw new Error(`${than} payloads stay, and the exit code is ${exitCode}: ${service.err}`);
    await setTimeout(1);
  }
}

/** Flows with attestations. */
interface Evidence {
  readonly old: string;
  readonly held: string;
}

/** Attests in two flows, holds one of them, and has the organization keep payloads and files for 30 days. */
async function storeEvidence(admin: Caller): Promise<Evidence> {
  const [old, heldFlow] = [await flow(admin), await flow(admin)];
  for (let i = 0; i < OLD; i += 1) await attest(admin, old, i);
  for (let i = 0; i < HELD; i += 1) await attest(admin, heldFlow, i);
  await admin.expect(200, 'PUT', `/retention/acme/holds/${heldFlow}`, { json: { reason: 'Case 7' } });
  await admin.expect(200, 'PUT', '/retention/acme', { json: { attachments_days: 30, payloads_days: 30 } });
  return { old, held: heldFlow };
}

/** Checks what the service answers when all that is to be dropped was removed, and that `verify` finds no fault. */
async function expectDropped(admin: Caller, operator: Operator, { old, held: heldFlow }: Evidence): Promise<void> {
  for (let i = 0; i < OLD; i += 1) {
    const { dropped = [] } = await attested(admin, old, i);
    expect(dropped.map(({ what }) => what)).toEqual(['attachments', 'payloads']);
  }
  for (let i = 0; i < HELD; i += 1) {
    const { dropped, user_data, attestation_id } = await attested(admin, heldFlow, i);
    expect([dropped, JSON.stringify(user_data).length > PAYLOAD_CHARS]).toEqual([undefined, true]);
    const path = `/attestations/acme/${heldFlow}/trail/build-1/attestation/${attestation_id}/evidence`;
    expect((await admin.bytes(path)).content.includes(`evidence ${heldFlow} ${i}`)).toBe(true);
  }
  const { outcome } = await operator.run('verify');
  expect(outcome).toMatchObject({ ok: true, details: { faults: 0 } });
  const { dropped } = outcome?.details as { dropped: { what: string; count: number }[] };
  expect(dropped.map(({ what, count }) => `${count} ${what}`).sort()).toEqual([
    `${OLD} attachments`,
    `${OLD} payloads`,
  ]);
}

async function attest(admin: Caller, flowName: string, number: number): Promise<void> {
  const userData = { text: `${flowName} ${number} `.padEnd(PAYLOAD_CHARS, 'x') };
  const form = flowForm({ attestation_name: `scan-${number}`, is_compliant: true, user_data: userData });
  form.set('attachment_file', new Blob([`evidence ${flowName} ${number}`]), 'evidence.txt');
  await admin.expect(201, 'POST', `/attestations/acme/${flowName}/trail/build-1/generic`, { form });
}

async function attested(admin: Caller, flowName: string, number: number): Promise<AttestationAnswer> {
  const path = `/attestations/acme/${flowName}/trail/build-1/scan-${number}`;
  const [result] = await admin.get<AttestationAnswer[]>(path);
  if (result === undefined) throw new Error(`there is no ${path}`);
  return result;
}
