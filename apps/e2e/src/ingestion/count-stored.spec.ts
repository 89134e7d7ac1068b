import { organization } from '@assurance/access/domain/organization';
import { storageUsage } from '@assurance/http/storage-usage';
import { eventually } from '../support/eventually';
import { Installation } from '../support/installation';
import { inFile } from '../support/operated';
import { flow, flowForm } from '../support/samples';
import { worldOf } from '../support/world';

describe('bytes of organizations', () => {
  let installation: Installation;
  let time = Date.now();
  beforeAll(() => {
    installation = new Installation({}, () => (time += 1));
  });
  afterAll(async () => {
    await installation.clear();
    expect(installation.log).toEqual([]);
  });

  const stored = () =>
    installation.running(async ({ engines, operator }) => {
      const { documents } = await engines.documents.collection(organization.states).scan(null, 100);
      const acme = documents.find(({ doc }) => doc.name === 'acme')?.doc.id ?? '';
      const read = () => engines.documents.collection(storageUsage).get(acme);
      const usage = await eventually(read, (now) => (now?.attachments ?? 0) > 0 && (now?.events ?? 0) > 50_000);
      const figures = await (await operator.send('GET', '/metrics', undefined, null)).text();
      return { usage, figures };
    });

  it('that an earlier release stored are counted once', async () => {
    await installation.running(async (served) => {
      const caller = (await worldOf(served)).as('member');
      const flowName = await flow(caller);
      const form = flowForm({ attestation_name: 'scan', is_compliant: true, user_data: 'x'.repeat(50_000) });
      form.set('attachment_file', new Blob(['evidence']), 'evidence');
      await caller.expect(201, 'POST', `/attestations/acme/${flowName}/trail/build-1/generic`, { form });
    });
    const first = await stored();
    expect(first.usage).toMatchObject({ attachments: 8 });
    expect(first.figures).toContain('assurance_organization_stored_bytes_most{kind="attachments"} 8\n');
    // As before anything was counted.
    inFile(installation.file, (db) => {
      db.exec('DELETE FROM documents_storage_usage');
      db.exec('DELETE FROM documents_storage_counts');
      db.exec('DELETE FROM documents_blob_sweeps');
    });
    expect((await stored()).usage).toEqual(first.usage);
    expect((await stored()).usage).toEqual(first.usage);
  }, 60_000);
});
