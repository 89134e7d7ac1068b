import { Readable } from 'node:stream';
import { verifyPackage } from '@assurance/audit/package/verify/verify';
import type { RetentionAnswer } from '@assurance/contracts/audit/answers/retention';
import type { AttestationAnswer } from '@assurance/contracts/evidence/answers/attestation';
import type { Caller } from './support/caller';
import { startAtTime } from './support/deployments';
import { eventually } from './support/eventually';
import type { RunningService } from './support/running';
import { digest, environment, flow, flowForm, item, report } from './support/samples';
import { TestClock } from './support/test-clock';
import { worldOf } from './support/world';

const DAY = 86_400_000;
const NEVER = { attachments_days: null, payloads_days: null, snapshots_days: null, holds: [], dropped: [] };

describe('retention', () => {
  let running: RunningService;
  let admin: Caller;
  const clock = new TestClock();
  const later = (ms: number) => clock.set(clock.now + ms);

  beforeAll(async () => {
    running = await startAtTime(clock);
    admin = (await worldOf(running)).as('admin');
  }, 60_000);
  afterAll(async () => {
    await running.stop();
    expect(running.faults).toEqual([]);
  });

  const attest = async (flowName: string, userData: unknown, content: string) => {
    const form = flowForm({ attestation_name: 'scan', is_compliant: true, user_data: userData });
    form.set('attachment_file', new Blob([content], { type: 'application/octet-stream' }), 'evidence.txt');
    await admin.expect(201, 'POST', `/attestations/acme/${flowName}/trail/build-1/generic`, { form });
    await later(1_000);
  };
  const attested = async (flowName: string) => {
    const [result] = await admin.get<AttestationAnswer[]>(`/attestations/acme/${flowName}/trail/build-1/scan`);
    if (result === undefined) throw new Error('it is not there');
    return result;
  };
  const evidence = ({ flow_name, attestation_id }: AttestationAnswer) =>
    `/attestations/acme/${flow_name}/trail/build-1/attestation/${attestation_id}/evidence`;
  const verified = async () => (await running.operator.run('verify')).outcome;
  const packaged = async (flowName: string) => {
    const { content } = await admin.bytes(`/trails/acme/${flowName}/build-1/audit_package`);
    return { content, ...(await verifyPackage(Readable.from([content]), null)) };
  };
  const goes = async (flowName: string) => {
    const refusal = await eventually(
      async () => {
        await later(600_000);
        return attested(flowName);
      },
      ({ dropped }) => dropped !== undefined,
    );
    await admin.refused(410, 'GET', evidence(refusal));
    return refusal;
  };

  it('is set by administrators only, in days', async () => {
    expect(await admin.get('/retention/acme')).toEqual(NEVER);
    await admin.refused(400, 'PUT', '/retention/acme', { json: { payloads_days: 0 } });
    // A misspelt field would mean that nothing is dropped.
    await admin.refused(400, 'PUT', '/retention/acme', { json: { payload_days: 30 } });
    await admin.refused(404, 'PUT', '/retention/acme/holds/nothing', { json: { reason: 'x' } });
    const member = (await worldOf(running)).as('member');
    await member.refused(403, 'PUT', '/retention/acme', { json: { payloads_days: 1 } });
    await member.refused(403, 'GET', '/retention/acme');
  });

  it('drops old data that is not held; verify and packages name the rule', async () => {
    const [old, heldFlow] = [await flow(admin), await flow(admin)];
    await attest(old, { secret: 'of old' }, 'evidence of old');
    await attest(old, { secret: 'shared' }, 'shared');
    await attest(heldFlow, { secret: 'of held' }, 'shared');
    const env = await environment(admin);
    const [firstDigest, secondDigest] = [digest('one'), digest('other')];
    for (let i = 0; i < 130; i += 1)
      await report(admin, env, [item({ [i % 2 === 0 ? 'a' : 'b']: i % 2 === 0 ? firstDigest : secondDigest })]);
    const trail = `/retention/acme/holds/${heldFlow}/build-1`;
    await admin.expect(200, 'PUT', trail, { json: { reason: 'Case 7' } });
    const days = { attachments_days: 30, payloads_days: 30, snapshots_days: 30 };
    await admin.expect(200, 'PUT', '/retention/acme', { json: days });
    await later(40 * DAY);
    const remainder = await goes(old);
    expect(remainder.user_data).toBeUndefined();
    expect(remainder.is_compliant).toBe(true);
    expect(remainder.attachments).toMatchObject([{ filename: 'evidence.txt', sha256: digest('shared') }]);
    expect(remainder.dropped).toMatchObject([
      { what: 'attachments', older_than_days: 30 },
      { what: 'payloads', older_than_days: 30 },
    ]);
    const attestation = await attested(heldFlow);
    expect([attestation.user_data, attestation.dropped]).toEqual([{ secret: 'of held' }, undefined]);
    expect((await admin.bytes(evidence(attestation))).content.includes('shared')).toBe(true);

    const result = await eventually(
      async () => {
        await later(600_000);
        return verified();
      },
      // The file goes with the next sweep, which may be later.
      (outcome) =>
        (outcome?.details as { dropped: { what: string }[] }).dropped.filter(({ what }) => what !== 'attachments')
          .length === 2,
    );
    expect(result?.summary).toMatch(/ that they name \(retention dropped the data of \d+ events( and 1 attachment)?\)/);
    expect(result).toMatchObject({ ok: true, details: { faults: 0 } });
    expect((result?.details as { dropped: object[] }).dropped).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ what: 'payloads', older_than_days: 30, count: 2 }),
        expect.objectContaining({ what: 'snapshots', older_than_days: 30 }),
      ]),
    );

    const snapshots = await Promise.all(
      [1, 50, 130].map(async (n) => (await admin.send('GET', `/snapshots/acme/${env}/${n}`)).status),
    );
    expect(snapshots).toEqual([200, 410, 200]);
    await admin.refused(410, 'GET', `/env-diff/acme?snappish1=${env}%2350&snappish2=${env}`);
    expect(await report(admin, env, [item({ c: digest('c') })])).toContain('snapshot 131 created');

    const without = await packaged(old);
    expect(without.findings).toEqual([]);
    expect(without.manifest?.dropped).toHaveLength(4);
    expect(without.manifest?.chains.some(({ stream }) => stream.startsWith('retention/'))).toBe(true);
    expect(without.manifest?.files.filter(({ path }) => path.endsWith('payload.json'))).toEqual([]);
    // The newest event of the package is the one that dropped data.
    expect(Date.parse(without.manifest?.when ?? '')).toBeGreaterThan(remainder.created_at * 1_000 + 30 * DAY);
    const whole = await packaged(heldFlow);
    expect([whole.findings, whole.manifest?.dropped]).toEqual([[], undefined]);
    const single = await admin.bytes(
      `/attestations/acme/${old}/trail/build-1/attestation/${remainder.attestation_id}/audit_package`,
    );
    expect((await verifyPackage(Readable.from([single.content]), null)).findings).toEqual([]);

    await admin.expect(200, 'DELETE', trail);
    await admin.expect(200, 'DELETE', trail);
    await later(DAY);
    await goes(heldFlow);
    const answer = await admin.get<RetentionAnswer>('/retention/acme');
    expect([answer.holds, answer.dropped.length]).toEqual([[], 3]);
    expect(await verified()).toMatchObject({ ok: true, details: { faults: 0 } });
  }, 120_000);

  it('keeps what a hold finds that is placed after the decision, and says what was gone before', async () => {
    const [old, late] = [await flow(admin), await flow(admin)];
    await attest(old, { secret: 'of old' }, 'evidence of old, again');
    await attest(late, { secret: 'of late' }, 'evidence of late');
    await later(40 * DAY);
    // Dropped, and removed an hour later.
    expect((await goes(late)).user_data).toBeUndefined();
    const hold = (flowName: string) => `/retention/acme/holds/${flowName}`;
    await admin.expect(200, 'PUT', hold(late), { json: { reason: 'Case 8' } });
    /** How many payloads and attachments are gone from the storage, by all tests. A sweep may rest for a day. */
    const removed = async () => {
      await later(2 * 3_600_000);
      const { dropped } = (await verified())?.details as { dropped: { what: string; count: number }[] };
      return ['payloads', 'attachments'].map((kind) =>
        dropped.filter(({ what }) => what === kind).reduce((sum, { count }) => sum + count, 0),
      );
    };
    // Three of the test before, and those of `old`.
    const all = [4, 4];
    expect(await eventually(removed, (counts) => JSON.stringify(counts) === JSON.stringify(all), 60_000)).toEqual(all);
    await admin.expect(200, 'PUT', hold(old), { json: { reason: 'Case 8' } });
    for (let i = 0; i < 30; i += 1) expect(await removed()).toEqual(all);
    expect((await attested(old)).dropped?.map(({ what }) => what)).toEqual(['attachments', 'payloads']);
    await admin.refused(410, 'GET', evidence(await attested(old)));
    const kept = await attested(late);
    expect([kept.user_data, kept.dropped]).toEqual([{ secret: 'of late' }, undefined]);
    expect((await admin.bytes(evidence(kept))).content.includes('evidence of late')).toBe(true);
    const { holds } = await admin.get<RetentionAnswer>('/retention/acme');
    expect(holds.map(({ flow: name, dropped_before }) => [name, dropped_before.map(({ what }) => what)])).toEqual([
      [old, ['attachments', 'payloads']],
      [late, ['attachments', 'payloads']],
    ]);
    const [whole, without] = [await packaged(late), await packaged(old)];
    expect([whole.findings, whole.manifest?.dropped]).toEqual([[], undefined]);
    expect([without.findings, without.manifest?.dropped?.length]).toEqual([[], 2]);
    expect(await verified()).toMatchObject({ ok: true, details: { faults: 0 } });
    await admin.expect(200, 'DELETE', hold(late));
    await goes(late);
  }, 180_000);
});
