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
