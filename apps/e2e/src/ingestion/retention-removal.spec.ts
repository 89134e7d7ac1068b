import { Readable } from 'node:stream';
import { verifyPackage } from '@assurance/audit-package-package';
import type { AttestationAnswer } from '@assurance/contracts-http';
import { attestations, type AttestationDocument } from '@assurance/model';
import { loosen } from '@assurance/testing-suites/loose';
import type { Engines } from '@assurance/storage-ports';
import { commitAt, storedText } from '@assurance/storage-records';
import { eventually } from '../support/eventually';
import { Installation } from '../support/installation';
import { digest, flow, flowForm } from '../support/samples';
import { seeded } from '../support/seeded';
import { worldOf } from '../support/world';

const DAY = 86_400_000;
const HOUR = 3_600_000;

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
    return loosen(plain, { random: seeded(7), onStep });
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
  const all = async () => (await documents.collection(attestations).scan(null, 100)).found.map(({ doc }) => doc);
  const found = (await all()).sort((a, b) => a.at - b.at);
  const org = found[0]?.org ?? '';
  const left = () =>
    eventually(
      async () => {
        ahead += 600_000;
        const contents = ['old small', 'old large', 'young'].map((content) => blobs.stat(org, digest(content)));
        const files = (await Promise.all(contents)).map((info) => info !== null);
        return JSON.stringify([await Promise.all(found.map(stored)), files]);
      },
      (text) => text === expected,
    );
  // The trail begins in the commit of its first attestation.
  const expected = JSON.stringify([
    [
      [true, true, false],
      [true, false],
      [true, true],
    ],
    [false, false, true],
  ]);
  expect(await left()).toBe(expected);
  expect(failures).toBe(0);
  await installation.clear();
}, 60_000);

it('completes a package that began before the drop, and removes nothing until an hour after it', async () => {
  let ahead = 0;
  const installation = new Installation({}, () => Date.now() + ahead);
  const { documents, blobs } = await installation.open();
  const admin = (await worldOf(await installation.start())).as('admin');
  const name = await flow(admin);
  const scan = (i: number) => `scan-${String(i)}`;
  // More than sockets and streams hold, so that the package waits for its reader. Payloads of this size are stored outside of commits.
  const contents = ['0', '1', '2', '3', '4', '5'].map((text) => text.repeat(8_000_000));
  const digests = contents.map(digest);
  for (const [i, content] of contents.entries()) {
    const form = flowForm({ attestation_name: scan(i), is_compliant: true, user_data: { text: 'x'.repeat(100_000) } });
    form.set('attachment_file', new Blob([content]), 'evidence.txt');
    await admin.expect(201, 'POST', `/attestations/acme/${name}/trail/build-1/generic`, { form });
  }
  await admin.expect(200, 'PUT', '/retention/acme', { json: { attachments_days: 30, payloads_days: 30 } });
  const before = await admin.open(`/trails/acme/${name}/build-1/audit_package`);
  ahead = 40 * DAY;
  const org = (await documents.collection(attestations).scan(null, 1)).found[0]?.doc.org ?? '';
  const attested = async () =>
    (await admin.get<AttestationAnswer[]>(`/attestations/acme/${name}/trail/build-1/${scan(5)}`))[0];
  const gone = await eventually(attested, (answer) => answer?.dropped !== undefined);
  expect(gone?.dropped).toHaveLength(2);
  // The run that dropped it has done all that it may.
  const runs = documents.collection<{ done: boolean }>({ name: 'retention_runs', indexes: [] });
  const run = await eventually(
    () => runs.get('newest'),
    (newest) => newest?.done === true,
  );
  expect(run?.done).toBe(true);
  const left = async () => {
    const found = await Promise.all(digests.map((sha256) => blobs.stat(org, sha256)));
    return found.filter((info) => info !== null).length;
  };
  const { findings, manifest } = await verifyPackage(Readable.fromWeb(before.body as never), null);
  expect([findings, manifest?.dropped, await left()]).toEqual([[], undefined, contents.length]);
  const files = await eventually(
    async () => {
      ahead += HOUR;
      return left();
    },
    (count) => count === 0,
    60_000,
  );
  expect(files).toBe(0);
  await installation.clear();
}, 120_000);
