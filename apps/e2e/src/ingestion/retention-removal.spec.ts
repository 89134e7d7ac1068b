import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { verifyPackage } from '@assurance/audit/package/verify/verify';
import { index } from '@assurance/contracts/events/aggregate';
import type { AttestationAnswer } from '@assurance/contracts/evidence/answers/attestation';
import { commitAt, storedText } from '@assurance/event-sourcing/sealing/read';
import type { WorkItem } from '@assurance/event-sourcing/work-queue/work-queue';
import { type AttestationDocument, attestations } from '@assurance/flows/domain/attestation';
import type { Documents, Engines } from '@assurance/storage-ports';
import { loosen } from '@assurance/testing/loose/loosen';
import { eventually } from '../support/eventually';
import { Installation } from '../support/installation';
import { digest, flow, flowForm } from '../support/samples';
import { seededRandom } from '../support/seeded';
import { worldOf } from '../support/world';

const [HOUR, DAY] = [3_600_000, 86_400_000];

it('removes old payloads of all sizes and attachments, whatever step fails, and nothing recent', async () => {
  let ahead = 0;
  let failures = 3;
  let engines: Engines | null = null;
  const installation = new Installation({}, () => Date.now() + ahead);
  await installation.open((plain) => {
    engines = plain;
    const onStep = (step: string) => {
      if (step !== 'events.drop-data' || failures === 0) return;
      failures -= 1;
      throw new Error('the process was killed here');
    };
    return loosen(plain, { random: seededRandom(7), onStep });
  });
  const { events, documents, blobs } = engines as unknown as Engines;
  const admin = (await worldOf(await installation.start())).as('admin');
  const name = await flow(admin);
  const attest = async (content: string, userData: unknown) => {
    const form = flowForm({ attestation_name: 'scan', is_compliant: true, user_data: userData });
    form.set('attachment_file', new Blob([content], { type: 'application/octet-stream' }), 'evidence.txt');
    await admin.expect(201, 'POST', `/attestations/acme/${name}/trail/build-1/generic`, { form });
  };
  const stored = async ({ org, stream, seq }: AttestationDocument) => {
    const commit = await commitAt(events, stream, seq);
    const texts = commit.events.map((event) => storedText(events, { org }, event));
    return (await Promise.all(texts)).map((text) => text !== null);
  };
  await attest('old small', { a: 1 });
  await attest('old large', { a: 'x'.repeat(100_000) });
  await admin.expect(200, 'PUT', '/retention/acme', { json: { attachments_days: 30, payloads_days: 30 } });
  ahead = 40 * DAY;
  await attest('young', { a: 2 });
  const all = async () => (await documents.collection(attestations).scan(null, 100)).documents.map(({ doc }) => doc);
  const results = (await all()).sort((a, b) => a.at - b.at);
  const org = results[0]?.org ?? '';
  // The trail begins in the commit of its first attestation.
  const expected = [
    [true, true, false],
    [true, false],
    [true, true],
  ];
  const left = async () => {
    ahead += 600_000;
    return Promise.all(results.map(stored));
  };
  expect(await eventually(left, (texts) => JSON.stringify(texts) === JSON.stringify(expected))).toEqual(expected);
  // Without days, nothing more is dropped: a sweep within an hour of a drop keeps all files.
  await admin.expect(200, 'PUT', '/retention/acme', { json: {} });
  ahead += 2 * HOUR;
  expect(await sweptOnceMore(documents)).toBe(true);
  const contents = ['old small', 'old large', 'young'].map((content) => blobs.stat(org, digest(content)));
  expect((await Promise.all(contents)).map((info) => info !== null)).toEqual([false, false, true]);
  expect(failures).toBe(0);
  await installation.clear();
}, 60_000);

it('completes a package that began before the drop, and removes nothing that it reads for an hour', async () => {
  let ahead = 0;
  const installation = new Installation({}, () => Date.now() + ahead);
  const { documents, blobs } = await installation.open();
  const admin = (await worldOf(await installation.start())).as('admin');
  const name = await flow(admin);
  // More than sockets and streams hold, so that the package waits for its reader. Payloads of this size are stored outside of commits.
  const scans = ['scan-0', 'scan-1', 'scan-2', 'scan-3'];
  for (const scan of scans) {
    const form = flowForm({ attestation_name: scan, is_compliant: true, user_data: { text: 'x'.repeat(100_000) } });
    form.set('attachment_file', new Blob([randomBytes(6_000_000)]), 'evidence.txt');
    await admin.expect(201, 'POST', `/attestations/acme/${name}/trail/build-1/generic`, { form });
  }
  await admin.expect(200, 'PUT', '/retention/acme', { json: { attachments_days: 30, payloads_days: 30 } });
  const org = (await documents.collection(attestations).scan(null, 1)).documents[0]?.doc.org ?? '';
  const attachments = async () => {
    let count = 0;
    for await (const _ of blobs.list(org)) count += 1;
    return count;
  };
  const begun = await admin.open(`/trails/acme/${name}/build-1/audit_package`);
  ahead = 40 * DAY;
  const path = `/attestations/acme/${name}/trail/build-1/scan-3`;
  const dropped = async () => (await admin.get<AttestationAnswer[]>(path))[0]?.dropped?.length;
  expect(await eventually(dropped, (kinds) => kinds === 2)).toBe(2);
  const runs = documents.collection<{ done: boolean }>({ name: 'retention_runs', indexes: [] });
  const isDone = async () => (await runs.get('newest'))?.done;
  expect(await eventually(isDone, (done) => done === true)).toBe(true);
  expect(await sweptOnceMore(documents)).toBe(true);
  const { findings, manifest } = await verifyPackage(Readable.fromWeb(begun.body as never), null);
  expect([findings, manifest?.dropped, await attachments()]).toEqual([[], undefined, scans.length]);
  await admin.expect(200, 'PUT', '/retention/acme', { json: {} });
  ahead += 2 * HOUR;
  expect([await sweptOnceMore(documents), await attachments()]).toEqual([true, 0]);
  await installation.clear();
}, 60_000);

/** Has a sweep of blobs begin now, however long the one before rests, and says whether it ended. */
async function sweptOnceMore(documents: Documents): Promise<boolean> {
  const rounds = documents.collection<{ number: number; place: { phase: string } }>({
    name: 'blob_rounds',
    indexes: [],
  });
  const items = documents.collection<WorkItem<object>>({
    name: 'blob_sweeps',
    indexes: [index('by_time', 'due', 'notBefore')],
  });
  const before = (await rounds.get('newest'))?.number ?? 0;
  const isSwept = async () => {
    await items.merge(['blobs'], (item) => (item?.holder === null ? { ...item, notBefore: 0 } : undefined));
    const newest = await rounds.get('newest');
    return newest !== null && newest.number > before && newest.place.phase === 'done';
  };
  return eventually(isSwept, (swept) => swept);
}
