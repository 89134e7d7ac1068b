import { getDocument } from 'pdfjs-dist/legacy/build/pdf.js';
import type { TextItem } from 'pdfjs-dist/types/src/display/api';
import type { Manifest } from '@assurance/audit/package/manifest';
import {
  artifact,
  attach,
  digest,
  environment,
  flow,
  fresh,
  item,
  policy,
  PROVENANCE,
  report,
  sha1,
} from './support/samples';
import { withUnpacked } from './support/unpacked';
import { onEveryDeployment } from './support/world';

const TRAIL = 'build-1';
const ODD = ['Проверка', '安全扫描', 'a'.repeat(512), 'x\u202egnp-exe', '<script>alert(1)</script> http://evil/'];

/** The text of a report, without blanks. */
async function textOf(pdf: Buffer): Promise<string> {
  const document = await getDocument({ data: new Uint8Array(pdf), disableFontFace: true, verbosity: 0 }).promise;
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    expect(await page.getAnnotations()).toEqual([]);
    const { items } = await page.getTextContent();
    pages.push((items as TextItem[]).map(({ str }) => str).join(''));
  }
  return packed(pages.join(''));
}

const packed = (text: string) => text.replace(/\s/g, '');

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const attest = async (flowName: string, data: object, file?: string) => {
    const form = new FormData();
    form.set('data_json', JSON.stringify({ is_compliant: true, ...data }));
    if (file !== undefined) form.set('attachment_file', new Blob([`content of ${file}`]), file);
    await caller().expect(201, 'POST', `/attestations/acme/${flowName}/trail/${TRAIL}/generic`, { form });
  };
  const packageOf = async (flowName: string) =>
    (await caller().bytes(`/trails/acme/${flowName}/${TRAIL}/audit_package`)).content;

  it('shows verdict, evidence with digests, artifacts, where they ran, and policies of a trail', async () => {
    const flowName = await flow(caller());
    const fingerprint = digest(fresh('artifact'));
    const json = artifact(fingerprint, { trail_name: TRAIL });
    await caller().expect(201, 'POST', `/artifacts/acme/${flowName}`, { json });
    const env = await environment(caller());
    const policyName = await policy(caller(), PROVENANCE);
    await attach(caller(), env, policyName);
    await report(caller(), env, [item({ 'shop/web:1': fingerprint })]);
    await attest(
      flowName,
      { attestation_name: 'scan', artifact_fingerprint: fingerprint, is_compliant: false },
      'scan.json',
    );
    await withUnpacked(await packageOf(flowName), async (tar) => {
      const text = await textOf(tar.bytes('report.pdf'));
      const { files, chains } = tar.json<Manifest>('manifest.json');
      const displayedFiles = files.filter(({ path }) => /payload\.json$|\/files\/|^policies\/.*\.yaml$/.test(path));
      expect(displayedFiles).toHaveLength(3);
      for (const output of [
        'acme',
        flowName,
        TRAIL,
        fingerprint,
        sha1(fingerprint),
        env,
        `${policyName}, version 1`,
        'Not compliant',
        'is not compliant',
        `started in environment “${env}”, snapshot 1`,
        'still running',
        'scan.json',
        ...displayedFiles.flatMap(({ path, sha256 }) => [path, sha256]),
        ...chains.map(({ head }) => head),
      ])
        expect(text).toContain(packed(output));
    });
  });

  it('says which attestations have no result, though their rule calls them compliant', async () => {
    const flowName = await flow(caller());
    const suite = { name: 'unit', failures: 0, errors: 0, duration: 1, total: 2, skipped: 0 };
    const { sha1: commit, ...info } = artifact(digest('commit')).git_commit_info;
    const send = async (type: string, data: object) => {
      const form = new FormData();
      form.set('data_json', JSON.stringify({ git_commit_info: { ...info, sha1: commit, timestamp: 0 }, ...data }));
      await caller().expect(201, 'POST', `/attestations/acme/${flowName}/trail/${TRAIL}/${type}`, { form });
    };
    await send('junit', { attestation_name: 'no-suite', junit_results: [] });
    await send('junit', { attestation_name: 'all-skipped', junit_results: [{ ...suite, skipped: 2 }] });
    await send('junit', { attestation_name: 'tested', junit_results: [suite] });
    await send('snyk', {
      attestation_name: 'no-scan',
      snyk_results: { schema_version: 1, tool: { name: 'x', version: '1' }, results: [] },
    });
    await withUnpacked(await packageOf(flowName), async (tar) => {
      const { silent = [] } = tar.json<Manifest>('manifest.json');
      expect(silent.map(({ name, type, says }) => [name, type, says])).toEqual([
        ['no-suite', 'junit', 'no test ran'],
        ['all-skipped', 'junit', 'no test ran'],
        ['no-scan', 'snyk', 'no result'],
      ]);
      const [first] = tar.paths.filter((path) => path.endsWith('no-suite/attestation.json'));
      expect(tar.json(first ?? '')).toMatchObject({ compliant: true, says: 'no test ran' });
      const text = await textOf(tar.bytes('report.pdf'));
      for (const output of [
        'In attestation “no-suite” no test ran: it counts as compliant because nothing failed.',
        'In attestation “all-skipped” no test ran',
        'Attestation “no-scan” has no result: it counts as compliant because nothing was found.',
      ])
        expect(text).toContain(packed(output));
      expect(text).not.toContain(packed('“tested” no test'));
    });
  });

  it('shows any names from clients, and never as links', async () => {
    const flowName = await flow(caller());
    for (const name of ODD) await attest(flowName, { attestation_name: name, description: name }, name.slice(0, 100));
    await withUnpacked(await packageOf(flowName), async (tar) => {
      const text = await textOf(tar.bytes('report.pdf'));
      for (const name of ODD) expect(text).toContain(packed(name.replace('\u202e', '⟨U+202E⟩')));
      expect(text).not.toContain('\u202e');
    });
  });

  it('is identical for the same state', async () => {
    const flowName = await flow(caller());
    await attest(flowName, { attestation_name: 'scan' });
    await world().operator.checkpoint();
    const read = async () =>
      withUnpacked(await packageOf(flowName), (tar) => tar.bytes('report.pdf').toString('base64'));
    const first = await read();
    expect(await read()).toBe(first);
    await attest(flowName, { attestation_name: 'later' });
    expect(await read()).not.toBe(first);
  });
});
