import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Manifest } from '@assurance/audit/package/manifest';
import { verifyPackage } from '@assurance/audit/package/verify/verify';
import type { AttestationAnswer } from '@assurance/contracts/evidence/answers/attestation';
import { keyOf } from './support/declared';
import {
  artifact,
  attach,
  digest,
  environment,
  flow,
  flowForm,
  fresh,
  item,
  policy,
  policyYaml,
  PROVENANCE,
  report,
  sbomOf,
  sha1,
} from './support/samples';
import { withUnpacked } from './support/unpacked';
import { importVulnerabilities, npmEntry, vexOf } from './support/vulnerable';
import { onOwnServices } from './support/world';

const TEMPLATE = `version: 1
trail:
  attestations:
    - { name: review, type: generic }
  artifacts:
    - name: web
      attestations: [{ name: tests, type: junit }]
`;
/** Another that asks for nothing. */
const NEWER = 'version: 1\n# newer\n';
const PASSED = { junit_results: [{ name: 's', failures: 0, errors: 0, skipped: 0, total: 2, duration: 1.5 }] };
const TRAIL = 'build-1';
const HOSTILE = [
  '../../etc/passwd',
  '/etc/shadow',
  'C:\\x\\..\\boot.ini',
  'x'.repeat(300),
  'отчёт.pdf',
  'データ.pdf',
  '..',
  '-rf',
  'a\tb',
];

onOwnServices((world) => {
  const caller = () => world().as('member');
  const packageOf = (flowName: string, trail = TRAIL) =>
    caller().bytes(`/trails/acme/${flowName}/${encodeURIComponent(trail)}/audit_package`);
  const verified = async (tgz: Uint8Array) => {
    const { findings, manifest } = await verifyPackage(Readable.from([tgz]), null);
    expect(findings).toEqual([]);
    return manifest as Manifest;
  };
  const attest = async (
    flowName: string,
    type: string,
    data: object,
    ...files: readonly (readonly [string, Uint8Array])[]
  ) => {
    const form = new FormData();
    form.set('data_json', JSON.stringify(data));
    for (const [name, content] of files) form.append('attachment_file', new Blob([content as never]), name);
    await caller().expect(201, 'POST', `/attestations/acme/${flowName}/trail/${TRAIL}/${type}`, { form });
  };
  /** A trail with an artifact that runs, judged by a policy, and with evidence. */
  const seed = async () => {
    const flowName = await flow(caller(), TEMPLATE);
    const fingerprint = digest(fresh('artifact'));
    const json = artifact(fingerprint, { trail_name: TRAIL });
    await caller().expect(201, 'POST', `/artifacts/acme/${flowName}`, { json });
    const files = [randomBytes(200_000), randomBytes(10)] as const;
    await attest(
      flowName,
      'junit',
      { attestation_name: 'tests', artifact_fingerprint: fingerprint, ...PASSED },
      ['a.xml', files[0]],
      ['b.xml', files[1]],
    );
    const env = await environment(caller());
    const policyName = await policy(caller(), PROVENANCE);
    await attach(caller(), env, policyName);
    await report(caller(), env, [item({ 'shop/web:1': fingerprint })]);
    await attest(flowName, 'generic', { attestation_name: 'review', is_compliant: true, description: 'Seen by two' });
    return { flowName, fingerprint, files, env, policyName };
  };

  it('contains SBOMs, the verdicts that used them, and attached VEX statements, and shows what was changed', async () => {
    const [flowName, fingerprint, lib] = [await flow(caller()), digest(fresh('artifact')), fresh('lib')];
    const json = artifact(fingerprint, { trail_name: TRAIL });
    await caller().expect(201, 'POST', `/artifacts/acme/${flowName}`, { json });
    const metadata = { tools: [{ name: 'syft', version: '1.2' }] };
    const bom = sbomOf([{ name: lib, version: '1.0.0', purl: `pkg:npm/${lib}@1.0.0` }], {
      specVersion: '1.4',
      metadata,
    });
    const vex = JSON.stringify({ '@context': 'https://openvex.dev/ns/v0.2.0', statements: [] });
    const of = (attestation_name: string) => ({ attestation_name, artifact_fingerprint: fingerprint });
    const attestation_data = { original_fingerprint: digest(bom) };
    await attest(flowName, 'system', { ...of('bom'), type_name: 'sbom', attestation_data }, [
      'bom.json',
      Buffer.from(bom),
    ]);
    await attest(flowName, 'generic', { ...of('vex'), is_compliant: true }, ['a.openvex.json', Buffer.from(vex)]);
    const env = await environment(caller());
    const denying = policyYaml(`  sbom: {required: true}\n  components: {deny: ["pkg:npm/${lib}"]}\n`);
    const policyName = await policy(caller(), denying);
    await attach(caller(), env, policyName);
    await report(caller(), env, [item({ 'shop/web:1': fingerprint })]);
    const { content } = await packageOf(flowName);
    const { sboms = [] } = await verified(content);
    expect(sboms).toEqual([
      {
        attestation: expect.any(String) as string,
        name: 'bom',
        artifact: fingerprint,
        format: 'cyclonedx-1.4',
        document: expect.stringMatching(/-bom\/files\/001-bom\.json$/) as string,
        sha256: digest(bom),
        tools: ['syft 1.2'],
        components: { listed: 1, left: 0 },
        newest_of_its_name: true,
      },
    ]);
    await withUnpacked(content, (tar) => {
      expect(tar.bytes(tar.one(/-bom\/files\/001-bom\.json$/)).toString()).toBe(bom);
      expect(tar.bytes(tar.one(/-vex\/files\/001-/)).toString()).toBe(vex);
      expect(tar.bytes(tar.one(/^policies\/.*\.yaml$/)).toString()).toBe(denying);
      const contents = tar.paths.filter((path) => path.startsWith('events/')).map((path) => tar.bytes(path).toString());
      expect(contents.join('')).toContain(`component pkg:npm/${lib}@1.0.0 is denied by pkg:npm/${lib}`);
    });
    for (const text of [bom, vex]) {
      const changed = gunzipSync(content);
      const at = changed.indexOf(text) + 3;
      changed[at] = (changed[at] ?? 0) ^ 1;
      const { findings } = await verifyPackage(Readable.from([gzipSync(changed)]), null);
      const path = expect.stringMatching(/^attestations\/.*\/files\/001-/) as string;
      expect(findings).toContainEqual({ path, fault: 'it was changed: its digest is another' });
    }
  });

  it('contains the imported VEX statements on vulnerabilities of its artifacts, and proves them', async () => {
    const [flowName, lib] = [await flow(caller()), fresh('lib')];
    const [fingerprint, another] = [digest(fresh('artifact')), digest(fresh('artifact'))];
    for (const [i, sha256] of [fingerprint, another].entries()) {
      const json = artifact(sha256, { trail_name: TRAIL });
      await caller().expect(201, 'POST', `/artifacts/acme/${flowName}`, { json });
      const components = [{ type: 'library', name: lib, version: `1.0.${i}`, purl: `pkg:npm/${lib}@1.0.${i}` }];
      const bom = JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.4', components });
      const attestation_data = { original_fingerprint: digest(bom) };
      const data = { attestation_name: `bom-${i}`, type_name: 'sbom', attestation_data, artifact_fingerprint: sha256 };
      await attest(flowName, 'system', data, ['bom.json', Buffer.from(bom)]);
    }
    const [cve, ghsa] = [`CVE-2024-${fresh('1')}`, `GHSA-${fresh('aaaa')}`];
    const admin = world().as('admin');
    expect((await verified((await packageOf(flowName)).content)).vex?.statements ?? 0).toBe(0);
    await importVulnerabilities(admin, npmEntry(ghsa, lib, { aliases: [cve] }));
    const [early, late] = ['2024-02-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z'];
    await importVulnerabilities(admin, vexOf(cve, fingerprint, 'under_investigation', early));
    const file = await importVulnerabilities(admin, vexOf(ghsa, fingerprint, 'not_affected', late));
    await importVulnerabilities(admin, vexOf(`CVE-2024-${fresh('2')}`, fingerprint, 'not_affected', late));
    // Until all that both wrote is compared.
    for (const member of [caller(), admin]) await member.get('/vulnerabilities/acme?per_page=1');
    const { content } = await packageOf(flowName);
    const { vex, chains } = await verified(content);
    expect(vex).toEqual({ document: 'vex.json', statements: 2, complete: true });
    const stream = expect.stringMatching(/^vulnerabilities\//) as string;
    expect(chains).toContainEqual(expect.objectContaining({ stream }));
    await withUnpacked(content, (tar) => {
      const { statements } = tar.json<{ statements: readonly object[] }>('vex.json');
      const about = {
        vulnerability: cve,
        aliases: [ghsa],
        artifact: fingerprint,
        components: [`pkg:npm/${lib}@1.0.0`],
      };
      expect(statements).toMatchObject([
        {
          ...about,
          stated_as: ghsa,
          status: 'not_affected',
          justification: 'component_not_present',
          by: 'Acme Security',
          at: late,
          replaced_for: [],
          recorded: { stream },
          document: {
            filename: 'db.json',
            sha256: file.sha256,
            size: file.size,
            when: expect.any(String) as string,
            by_whom: { name: expect.stringContaining('admin') as string },
          },
        },
        { ...about, stated_as: cve, status: 'under_investigation', at: early, replaced_for: about.components },
      ]);
      const contents = tar.paths.filter((path) => path.startsWith('events/')).map((path) => tar.bytes(path).toString());
      expect(contents.join('')).not.toContain('A fault in');
    });
    for (const [path, text] of [
      ['vex.json', '"not_affected"'],
      [expect.stringMatching(/^events\/\d+-vulnerabilities\//) as string, '\\"not_affected\\"'],
    ] as const) {
      const changed = gunzipSync(content);
      changed.write('n', changed.indexOf(text) + text.indexOf('t_'));
      const { findings } = await verifyPackage(Readable.from([gzipSync(changed)]), null);
      expect(findings).toContainEqual({ path, fault: 'it was changed: its digest is another' });
    }
    const ofArtifact = await caller().bytes(`/artifacts/acme/${flowName}/fingerprint/${another}/audit_package`);
    expect((await verified(ofArtifact.content)).vex).toEqual({ document: 'vex.json', statements: 0, complete: true });
  });

  it('contains everything recorded of a trail, with proofs', async () => {
    const { flowName, fingerprint, files, env, policyName } = await seed();
    const { type, content } = await packageOf(flowName);
    expect(type).toBe('application/gzip');
    const manifest = await verified(content);
    expect(manifest).toMatchObject({
      what: { kind: 'trail', organization: 'acme', flow: flowName, trail: TRAIL },
      by_whom: { name: expect.stringContaining('member') },
    });
    await withUnpacked(content, (tar) => {
      expect(tar.json(tar.one(/^verdict/))).toMatchObject({
        status: 'COMPLIANT',
        trail: [{ name: 'review', compliant: true }],
      });
      const tests = tar.one(/-tests\/attestation\.json$/);
      expect(tar.json(tests)).toMatchObject({
        name: 'tests',
        type: 'junit',
        compliant: true,
        newest_of_its_name: true,
      });
      expect(tar.bytes(tar.one(/-tests\/files\/001-a\.xml$/)).equals(files[0])).toBe(true);
      expect(tar.bytes(tar.one(/-tests\/files\/002-b\.xml$/)).equals(files[1])).toBe(true);
      expect(tar.json(tar.one(/-tests\/payload\.json$/))).toMatchObject({ payload: PASSED });
      expect(tar.json(tar.one(/-review\/attestation\.json$/))).toMatchObject({ description: 'Seen by two' });
      expect(tar.json(tar.one(/^artifacts\//))).toMatchObject({
        fingerprint,
        reports: [{ trail: TRAIL, git_commit: sha1(fingerprint), template_reference_name: 'web' }],
        ran: [
          {
            environment: { name: env, type: 'docker' },
            since: { snapshot: 1 },
            until: null,
            compliant: true,
            policies: [{ name: policyName, version: 1 }],
          },
        ],
      });
      expect(tar.bytes(tar.one(/^policies\/.*\.yaml$/)).toString()).toBe(PROVENANCE);
      expect(tar.bytes('flow/template.yaml').toString()).toBe(TEMPLATE);
      expect(tar.bytes('report.pdf').subarray(0, 5).toString()).toBe('%PDF-');
      const streams = manifest.chains.map(({ stream }) => stream.replace(/\/.*/, ''));
      expect(streams).toEqual(['trail', 'flow', 'policy', 'environment']);
      const text = execFileSync('sha256sum', ['-c', '--strict', 'SHA256SUMS'], { cwd: tar.folder, encoding: 'utf8' });
      expect(text.trim().split('\n')).toHaveLength(tar.paths.length - 1);
    });
  });

  it('shows policy, flow and template of that time from its commits, and names a changed commit', async () => {
    const { flowName, policyName } = await seed();
    const put = (yaml: string) =>
      caller().expect(200, 'PUT', '/flows/acme/template_file', {
        form: flowForm({ name: flowName, description: '' }, yaml),
      });
    await policy(caller(), policyYaml('  provenance:\n    required: false\n'), policyName);
    await put(NEWER);
    await attest(flowName, 'generic', { attestation_name: 'later', is_compliant: true });
    await put(`${NEWER}# not yet\n`);
    await caller().expect(200, 'PATCH', `/tags/acme/flow/${flowName}`, { json: { set_tags: { team: 'tea' } } });
    const { content } = await packageOf(flowName);
    const { chains } = await verified(content);
    const chainOf = (kind: string) => chains.find(({ stream }) => stream.startsWith(`${kind}/`));
    await withUnpacked(content, async (tar) => {
      const version = tar.json(tar.one(/^policies\/.*\.json$/));
      const recorded = { stream: chainOf('policy')?.stream, seq: 1 };
      expect(version).toMatchObject({ name: policyName, version: 1, recorded });
      expect(tar.bytes(tar.one(/^policies\/.*\.yaml$/)).toString()).toBe(PROVENANCE);
      const { stream } = chainOf('flow') ?? {};
      expect(tar.json('flow/flow.json')).toMatchObject({
        name: flowName,
        tags: { team: 'tea' },
        recorded: { stream, seq: 4 },
        template: { path: 'flow/template.yaml', recorded: { stream, seq: 2 } },
      });
      expect(tar.bytes('flow/template.yaml').toString()).toBe(NEWER);
      for (const path of tar.paths) expect([path, tar.bytes(path).includes('not yet')]).toEqual([path, false]);

      for (const [kind, from, to] of [
        ['policy', 'required: true', 'required: nope'],
        ['flow', '{\\"team\\":\\"tea\\"}', '{\\"team\\":\\"gin\\"}'],
      ] as const) {
        const [path = ''] = chainOf(kind)?.files ?? [];
        const [right, file] = [tar.bytes(path), join(tar.folder, path)];
        writeFileSync(file, right.toString().replace(from, to));
        const changed = execFileSync('tar', ['-cz', ...tar.paths], { cwd: tar.folder, maxBuffer: 2 ** 26 });
        writeFileSync(file, right);
        const { findings } = await verifyPackage(Readable.from([changed]), null);
        expect(findings).toContainEqual({ path, fault: expect.stringContaining('does not have the digest') });
      }
    });
  });

  it('gives the report alone, to the byte, and the package of an artifact at both paths', async () => {
    const { flowName, fingerprint } = await seed();
    await world().operator.checkpoint();
    const report = await caller().bytes(`/trails/acme/${flowName}/${TRAIL}/audit_pdf`);
    expect(report.type).toBe('application/pdf');
    const { content } = await packageOf(flowName);
    await withUnpacked(content, (tar) => expect(tar.bytes('report.pdf').equals(report.content)).toBe(true));
    const url = `${world().url}/api/v2/trails/acme/${flowName}/${TRAIL}/audit_pdf`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${keyOf('reader')}` } });
    const name = `attachment; filename="audit-report-${flowName}-build-1.pdf"`;
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([200, name]);
    await answer.arrayBuffer();
    for (const path of [`nobody/${TRAIL}`, `${flowName}/nobody`]) {
      expect(await caller().refused(404, 'GET', `/trails/acme/${path}/audit_pdf`)).toEqual({
        message: 'Flow or trail not found',
      });
    }
    const artifacts = `/artifacts/acme/${flowName}`;
    const existing = await caller().bytes(`${artifacts}/fingerprint/${fingerprint}/audit_package`);
    for (const query of [fingerprint, fingerprint.slice(0, 12), `sha256:${fingerprint}`]) {
      const other = await caller().bytes(`${artifacts}/${query}/audit_package?trail=${TRAIL}`);
      expect([other.type, other.content.equals(existing.content)]).toEqual(['application/gzip', true]);
    }
    await caller().refused(404, 'GET', `${artifacts}/${digest('nobody')}/audit_package`);
  });

  it('is a gzipped tar with a PDF report and a file name', async () => {
    const { flowName } = await seed();
    const url = `${world().url}/api/v2/trails/acme/${flowName}/${TRAIL}/audit_package`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${keyOf('member')}` } });
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
      200,
      'application/gzip',
      `attachment; filename="audit-package-${flowName}-${TRAIL}.tgz"`,
    ]);
    const content = Buffer.from(await answer.arrayBuffer());
    expect(gunzipSync(content).subarray(257, 262).toString()).toBe('ustar');
    await withUnpacked(content, (tar) => expect(tar.bytes('report.pdf').subarray(0, 5).toString()).toBe('%PDF-'));
  });

  it('has the time and the author of its newest event', async () => {
    const { flowName } = await seed();
    const before = await verified((await packageOf(flowName)).content);
    await new Promise((next) => setTimeout(next, 2));
    await attest(flowName, 'generic', { attestation_name: 'later', is_compliant: false });
    const after = await verified((await packageOf(flowName)).content);
    expect(Date.parse(after.when)).toBeGreaterThan(Date.parse(before.when));
    expect(after.by_whom).toMatchObject({ name: expect.stringContaining('member') });
  });

  it('can cover one artifact or one attestation, without the content of others', async () => {
    const { flowName, fingerprint } = await seed();
    const other = digest(fresh('artifact'));
    const json = artifact(other, { trail_name: TRAIL, template_reference_name: 'cli' });
    await caller().expect(201, 'POST', `/artifacts/acme/${flowName}`, { json });
    await attest(flowName, 'generic', {
      attestation_name: 'scan',
      artifact_fingerprint: other,
      is_compliant: false,
      description: 'not for others',
    });

    const ofArtifact = await caller().bytes(`/artifacts/acme/${flowName}/fingerprint/${fingerprint}/audit_package`);
    expect((await verified(ofArtifact.content)).what).toEqual({
      kind: 'artifact',
      organization: 'acme',
      flow: flowName,
      fingerprint,
    });
    await withUnpacked(ofArtifact.content, (tar) => {
      expect(tar.paths.filter((path) => path.startsWith('artifacts/'))).toHaveLength(1);
      expect(tar.paths.filter((path) => path.endsWith('/attestation.json')).map((path) => path.split('-')[1])).toEqual([
        'tests/attestation.json',
        'review/attestation.json',
      ]);
      expect(tar.json('verdict.json')).toMatchObject({ status: 'COMPLIANT' });
      for (const path of tar.paths) expect([path, tar.bytes(path).includes('not for others')]).toEqual([path, false]);
    });

    const [scan] = await caller().get<AttestationAnswer[]>(`/attestations/acme/${flowName}/trail/${TRAIL}/scan`);
    const path = `/attestations/acme/${flowName}/trail/${TRAIL}/attestation/${scan?.attestation_id}/audit_package`;
    const ofAttestation = await caller().bytes(path);
    expect((await verified(ofAttestation.content)).what).toMatchObject({
      kind: 'attestation',
      attestation: scan?.attestation_id,
    });
    await withUnpacked(ofAttestation.content, (tar) => {
      expect(tar.json(tar.one(/attestation\.json$/))).toMatchObject({ name: 'scan', compliant: false });
      expect(tar.json(tar.one(/^artifacts\//))).toMatchObject({ fingerprint: other, ran: [] });
    });
  });

  it('shows the own template of a trail, and the list of a legacy flow', async () => {
    const flowName = fresh('flow');
    await caller().expect(201, 'PUT', '/flows/acme', { json: { name: flowName, template: ['artifact', 'scan'] } });
    for (const [name, yaml, path, text] of [
      ['listed', undefined, 'flow/template.json', '[\n  "artifact",\n  "scan"\n]\n'],
      ['own', NEWER, 'flow/template.yaml', NEWER],
    ] as const) {
      await caller().expect(201, 'PUT', `/trails/acme/${flowName}`, {
        form: flowForm({ name, description: '' }, yaml),
      });
      const { content } = await packageOf(flowName, name);
      const { chains } = await verified(content);
      const stream = chains[yaml === undefined ? 1 : 0]?.stream;
      await withUnpacked(content, (tar) => {
        expect(tar.json('flow/flow.json')).toMatchObject({ template: { path, recorded: { stream, seq: 1 } } });
        expect(tar.bytes(path).toString()).toBe(text);
      });
    }
  });

  it('can cover an artifact without a trail', async () => {
    const flowName = await flow(caller());
    const fingerprint = digest(fresh('artifact'));
    const { trail_name: _, template_reference_name: __, ...json } = artifact(fingerprint);
    await caller().expect(201, 'POST', `/artifacts/acme/${flowName}`, { json });
    const { content } = await caller().bytes(`/artifacts/acme/${flowName}/fingerprint/${fingerprint}/audit_package`);
    expect((await verified(content)).chains).toMatchObject([
      { stream: expect.stringMatching(/^artifact\//), from: 1, to: 1 },
      { stream: expect.stringMatching(/^flow\//), from: 1, to: 1 },
    ]);
  });

  it('accepts any names from clients, and unpacks only below its folder', async () => {
    const flowName = await flow(caller());
    const files = HOSTILE.map((name) => [name, Buffer.from(name)] as const);
    for (const name of ['scan', 'Scan', 'データ', 'a'.repeat(200)])
      await attest(flowName, 'generic', { attestation_name: name, is_compliant: true }, ...files);
    const { content } = await packageOf(flowName);
    await verified(content);
    await withUnpacked(content, (tar) => {
      expect(tar.paths.filter((path) => path.includes('/files/'))).toHaveLength(4 * HOSTILE.length);
      for (const path of tar.paths) expect(path).toMatch(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/);
      expect(new Set(tar.paths.map((path) => path.toLowerCase())).size).toBe(tar.paths.length);
    });
  });

  it('answers 404 for things that do not exist', async () => {
    const { flowName } = await seed();
    const notFound = { message: 'Flow or trail not found' };
    expect(await caller().refused(404, 'GET', `/trails/acme/${flowName}/nothing/audit_package`)).toEqual(notFound);
    expect(await caller().refused(404, 'GET', `/trails/acme/nothing/${TRAIL}/audit_package`)).toEqual(notFound);
    const at = `/artifacts/acme/${flowName}/fingerprint`;
    expect(await caller().refused(404, 'GET', `${at}/${digest('no')}/audit_package`)).toMatchObject({
      message: expect.stringContaining('does not exist in flow'),
    });
    await caller().refused(404, 'GET', `/attestations/acme/${flowName}/trail/${TRAIL}/attestation/none/audit_package`);
    expect((await world().as('reader').send('GET', `/trails/other/${flowName}/${TRAIL}/audit_package`)).status).toBe(
      403,
    );
  });
});
