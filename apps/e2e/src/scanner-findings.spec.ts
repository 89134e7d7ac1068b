import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { AttestationAnswer } from '@assurance/contracts/evidence/answers/attestation';
import type { EnvironmentExposure } from '@assurance/contracts/vulnerabilities/answers/exposure';
import type {
  ArtifactVulnerabilities,
  VulnerabilityAnswer,
  VulnerabilityList,
} from '@assurance/contracts/vulnerabilities/answers/vulnerabilities';
import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import { tarOf } from '@assurance/kernel/tar/write';
import { eventually } from './support/eventually';
import { notification, webhook } from './support/notifying';
import { Receiver } from './support/receiver';
import {
  artifact,
  attach,
  digest,
  environment,
  flow,
  fresh,
  item,
  policy,
  policyYaml,
  post,
  report,
} from './support/samples';
import { attestSbom, importVulnerabilities, npmEntry, vexOf } from './support/vulnerable';
import { onEveryDeployment } from './support/world';

/** Contents of files by their names. */
type Files = Readonly<Record<string, string | Buffer>>;

interface VulnerabilityMessage {
  readonly vulnerability: { readonly id: string };
}

async function makeTar(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const entries = Object.entries(files).map(([path, text]) => ({
    path,
    size: text.length,
    content: [Buffer.from(text)],
  }));
  return buffer(Readable.from(tarOf(entries, 0)));
}

let receiver: Receiver;
beforeAll(async () => (receiver = await Receiver.start()));
afterAll(() => receiver.stop());

const trivy = (...vulnerabilities: readonly object[]) => ({
  SchemaVersion: 2,
  ArtifactName: 'web',
  Results: [{ Target: 'web', Vulnerabilities: vulnerabilities }],
});
const inPackage = (id: string, name: string, version = '1.0.0') => ({
  VulnerabilityID: id,
  Severity: 'CRITICAL',
  Title: `Found in ${name}`,
  FixedVersion: '3.0.0',
  PkgName: name,
  InstalledVersion: version,
  PkgIdentifier: { PURL: `pkg:npm/${name}@${version}` },
});

describe('findings of scanners', () => {
  onEveryDeployment((world) => {
    const admin = () => world().as('admin');
    const all = () => admin().get<VulnerabilityList>('/vulnerabilities/acme?per_page=100');
    // A list that lags behind is requested again. A name that does not exist yet is 404.
    const get = async (id: string) => {
      await all();
      return admin().get<VulnerabilityAnswer>(`/vulnerabilities/acme/${id}`);
    };
    const ofArtifact = (fingerprint: string) =>
      admin().get<ArtifactVulnerabilities>(`/vulnerabilities/acme/artifacts/${fingerprint}`);
    const cve = () => `CVE-2024-${10_000 + parseInt(digest(fresh('cve')).slice(0, 8), 16)}`;

    /** Attests to a trail, as clients do: in a form. */
    const attestation = (name: string, trail: string, type: string, data: object, files: Files = {}) => {
      const form = new FormData();
      form.set('data_json', JSON.stringify(data));
      for (const [file, content] of Object.entries(files)) {
        form.append(
          'attachment_file',
          new Blob([typeof content === 'string' ? content : new Uint8Array(content)]),
          file,
        );
      }
      return admin().expect(201, 'POST', `/attestations/acme/${name}/trail/${trail}/${type}`, { form });
    };

    async function built(...packages: readonly string[]) {
      const [name, fingerprint] = [await flow(admin()), digest(fresh('artifact'))];
      await post(admin(), name, artifact(fingerprint, { trail_name: 'build-1' }));
      if (packages.length > 0) await attestSbom(admin(), { flow: name, fingerprint }, ...packages);
      return { flow: name, fingerprint };
    }
    const attested = (
      { flow: name, fingerprint }: { readonly flow: string; readonly fingerprint: string },
      type: string,
      fields: object,
      files: Files = {},
    ) => attestation(name, 'build-1', type, { artifact_fingerprint: fingerprint, ...fields }, files);
    const attestedOf = async ({ flow: name, fingerprint }: { readonly flow: string; readonly fingerprint: string }) => {
      const [attestation] = await admin().get<readonly AttestationAnswer[]>(
        `/attestations/acme/${name}/artifact/${fingerprint}/scan`,
      );
      return attestation;
    };
    const scanned = (target: { readonly flow: string; readonly fingerprint: string }, user_data: unknown) =>
      attested(target, 'generic', { attestation_name: 'scan', is_compliant: true, user_data });

    it('are listed with who found them where no database knows them, until a newer report lacks them', async () => {
      const [env, id, lib, target] = [await environment(admin()), cve(), fresh('lib'), await built()];
      await report(admin(), env, [item({ web: target.fingerprint })]);
      await scanned(target, trivy(inPackage(id, lib)));
      const source = { kind: 'scanner', name: 'Trivy', severity: 'critical', attestation_name: 'scan' };
      expect(await get(id)).toMatchObject({
        id,
        aliases: [],
        severity: 'critical',
        summary: `Found in ${lib}`,
        exposed: true,
        withdrawn: null,
        sources: [source],
        entries: [],
        artifact_count: 1,
        environment_count: 1,
        total_count: 1,
        environments: [{ environment: env, exposed: true, first_snapshot: 1 }],
        exposures: [{ environment: env, first_snapshot: 1, gone_snapshot: null }],
        artifacts: [
          {
            fingerprint: target.fingerprint,
            flow: target.flow,
            certain: true,
            entries: [],
            fixed_in: ['3.0.0'],
            component: { purl: `pkg:npm/${lib}@1.0.0`, name: lib },
            sources: [source],
            vex: null,
            environments: [{ environment: env, running: true }],
          },
        ],
      });
      const inEnvironment = await admin().get<VulnerabilityList>(`/vulnerabilities/acme?environment=${env}`);
      expect(inEnvironment).toMatchObject({ vulnerabilities: [{ id, sources: [source] }], without_sbom: 1 });
      const exposure = await admin().get<EnvironmentExposure>(`/vulnerabilities/acme/exposure/${env}`);
      expect(exposure.now).toMatchObject({ critical: 1, high: 0, without_sbom: 1 });
      expect(await ofArtifact(target.fingerprint)).toMatchObject({
        fingerprint: target.fingerprint,
        total_count: 1,
        without_sbom: 1,
        incomplete_sbom: 0,
        environment_count: 1,
        environments: [{ environment: env, first_snapshot: 1, running: true }],
        vulnerabilities: [
          {
            id,
            severity: 'critical',
            summary: `Found in ${lib}`,
            sources: [source],
            vex: null,
            certain: true,
            component: { purl: `pkg:npm/${lib}@1.0.0`, name: lib },
            fixed_in: ['3.0.0'],
          },
        ],
      });
      // The contents of this one are unknown: none is listed, and the answer says so.
      const other = await built();
      const nothing = { total_count: 0, without_sbom: 1, environments: [], vulnerabilities: [] };
      expect(await ofArtifact(other.fingerprint)).toMatchObject(nothing);

      // An unreadable report does not refuse the attestation, and replaces the earlier findings.
      await scanned(target, { SchemaVersion: 2, Results: 7 });
      await all();
      await admin().expect(404, 'GET', `/vulnerabilities/acme/${id}`);
      await scanned(target, trivy(inPackage(id, lib)));
      await get(id);
      await scanned(target, { run: 7 });
      await all();
      await admin().expect(404, 'GET', `/vulnerabilities/acme/${id}`);
    });

    it('are one vulnerability with the entry of a database that has one of their names', async () => {
      const [id, ghsa, lib] = [cve(), `GHSA-${fresh('a')}`, fresh('lib')];
      const target = await built(`${lib}@1.0.0`);
      await importVulnerabilities(admin(), npmEntry(ghsa, lib, { aliases: [id] }));
      const grype = {
        descriptor: { name: 'grype', version: '0.80.0' },
        matches: [
          {
            vulnerability: { id, severity: 'Low' },
            artifact: { name: lib, version: '1.0.0', purl: `pkg:npm/${lib}@1.0.0` },
          },
        ],
      };
      await scanned(target, grype);
      const sources = [
        { kind: 'database', name: ghsa, severity: 'high', attestation_id: null },
        { kind: 'scanner', name: 'grype 0.80.0', severity: 'low', attestation_name: 'scan' },
      ];
      expect(await get(ghsa)).toMatchObject({
        id,
        aliases: [ghsa],
        severity: 'high',
        sources,
        artifact_count: 1,
        total_count: 1,
        vex: { none: 1 },
        artifacts: [{ fingerprint: target.fingerprint, entries: [ghsa], sources, fixed_in: ['2.0.0'] }],
      });
      await importVulnerabilities(admin(), vexOf(id, target.fingerprint, 'not_affected', '2024-02-01T00:00:00Z'));
      expect(await get(id)).toMatchObject({ vex: { not_affected: 1, none: 0 } });
      expect(await ofArtifact(target.fingerprint)).toMatchObject({
        total_count: 1,
        without_sbom: 0,
        environment_count: 0,
        vulnerabilities: [
          {
            id,
            aliases: [ghsa],
            severity: 'high',
            sources,
            entries: [ghsa],
            fixed_in: ['2.0.0'],
            component: { purl: `pkg:npm/${lib}@1.0.0` },
            vex: { status: 'not_affected', by: 'Acme Security' },
          },
        ],
      });
      const pages = await admin().get<ArtifactVulnerabilities>(
        `/vulnerabilities/acme/artifacts/${target.fingerprint}?page=2&per_page=1`,
      );
      expect(pages).toMatchObject({ total_count: 1, vulnerabilities: [] });
    });

    it('are read of Snyk and SARIF, of artifacts that come later, and stand when their attestation is overridden', async () => {
      const [a, b, target] = [cve(), cve(), await built()];
      const results = [{ high_count: 0, medium_count: 1, low_count: 0, medium: [{ id: a, message: 'Old library' }] }];
      const snyk_results = { schema_version: 1, tool: { name: 'Snyk Container', version: '1.1290.0' }, results };
      await attested(target, 'snyk', { attestation_name: 'snyk', snyk_results });
      const component = { purl: null, name: '', version: null };
      const result = {
        severity: 'medium',
        summary: 'Old library',
        exposed: false,
        environment_count: 0,
        sources: [{ kind: 'scanner', name: 'Snyk Container 1.1290.0' }],
        artifacts: [{ component }],
      };
      expect(await get(a)).toMatchObject(result);
      const override = {
        attestation_name: 'snyk',
        artifact_fingerprint: target.fingerprint,
        reason: 'A false alarm',
        new_compliance_status: true,
        original_attestation_type: 'snyk',
      };
      await admin().expect(201, 'POST', `/attestations/acme/${target.flow}/trail/build-1/override`, { json: override });
      expect(await get(a)).toMatchObject(result);

      const results_ = [{ ruleId: b, message: { text: 'A fault' } }, { ruleId: 'style' }];
      const sarif = { version: '2.1.0', runs: [{ tool: { driver: { name: 'Scanner' } }, results: results_ }] };
      const commit = { sha1: 'c'.repeat(40), message: 'm', author: 'a', branch: 'b', timestamp: 1_700_000_000 };
      const awaiting = { attestation_name: 'web.sarif', is_compliant: true, user_data: sarif, git_commit_info: commit };
      await attestation(target.flow, 'build-2', 'generic', awaiting);
      const later = digest(fresh('later'));
      const names = { trail_name: 'build-2', template_reference_name: 'web', git_commit: commit.sha1 };
      await post(admin(), target.flow, artifact(later, names));
      expect(await get(b)).toMatchObject({ severity: 'medium', artifacts: [{ fingerprint: later }] });
      await admin().expect(404, 'GET', '/vulnerabilities/acme/style');
    });

    it('are read of attached files in UTF-16', async () => {
      const [a, b, lib, target] = [cve(), cve(), fresh('lib'), await built()];
      const utf16 = (id: string) => Buffer.from(`\ufeff${JSON.stringify(trivy(inPackage(id, lib)))}`, 'utf16le');
      const files = { 'little.json': utf16(a), 'big.json': utf16(b).swap16() };
      await attested(target, 'generic', { attestation_name: 'scan', is_compliant: true }, files);
      expect(await ofArtifact(target.fingerprint)).toMatchObject({ total_count: 2 });
      for (const id of [a, b]) {
        expect(await get(id)).toMatchObject({
          summary: `Found in ${lib}`,
          artifacts: [{ fingerprint: target.fingerprint }],
        });
      }
    });

    it('are read of attached files, by their content, and what cannot be read is named', async () => {
      const [a, b, c, lib, target] = [cve(), cve(), cve(), fresh('lib'), await built()];
      const grype = {
        descriptor: { name: 'grype', version: '0.90.0' },
        source: { type: 'image' },
        matches: [
          {
            vulnerability: { id: b, severity: 'High', fix: { versions: ['4.0.0'], state: 'fixed' } },
            artifact: { name: lib, version: '2.0.0', purl: `pkg:npm/${lib}@2.0.0` },
          },
        ],
      };
      const common = { attestation_name: 'scan', is_compliant: true };
      const files = {
        'scan.out': JSON.stringify(trivy(inPackage(a, lib))),
        'wrong.json': '{"SchemaVersion":3,"Results":[]}',
      };
      await attested(target, 'generic', common, {
        ...files,
        'notes.txt': 'All is well',
        'coverage.json': '{"lines": 81}',
      });
      const source = (name: string) => ({ kind: 'scanner', name, attestation_name: 'scan' });
      expect(await get(a)).toMatchObject({
        severity: 'critical',
        sources: [source('Trivy')],
        artifacts: [
          { fingerprint: target.fingerprint, component: { purl: `pkg:npm/${lib}@1.0.0` }, fixed_in: ['3.0.0'] },
        ],
      });
      const none = { findings: 0, unread: 1, tool: '' };
      expect(await attestedOf(target)).toMatchObject({
        scan_reports: [
          { file: 'scan.out', format: 'trivy', tool: 'Trivy', findings: 1, unread: 0, problem: null },
          { file: 'wrong.json', format: 'trivy', ...none, problem: 'SchemaVersion: Input should be 2' },
        ],
      });

      // Clients pack several files into one. What they send of Snyk counts beside its file.
      const packed = gzipSync(
        await makeTar({ 'reports/grype.json': JSON.stringify(grype), 'reports/log.txt': 'done' }),
      );
      const results = [{ high_count: 1, medium_count: 0, low_count: 0, high: [{ id: c, message: 'Old library' }] }];
      const snyk_results = { schema_version: 1, tool: { name: 'Snyk', version: '1.1290.0' }, results };
      await attested(target, 'snyk', { attestation_name: 'scan', snyk_results }, { 'evidence.tgz': packed });
      expect(await get(b)).toMatchObject({
        severity: 'high',
        sources: [source('Snyk 1.1290.0, grype 0.90.0')],
        artifacts: [{ component: { purl: `pkg:npm/${lib}@2.0.0` }, fixed_in: ['4.0.0'] }],
      });
      expect((await ofArtifact(target.fingerprint)).vulnerabilities.map(({ id }) => id).sort()).toEqual([b, c].sort());
      expect(await attestedOf(target)).toMatchObject({
        scan_reports: [
          { file: null, format: 'snyk-results', findings: 1 },
          { file: 'evidence.tgz/reports/grype.json', format: 'grype', findings: 1 },
        ],
      });

      // A file of a trail is about no artifact, and one of another kind is no report.
      await attestation(target.flow, 'build-1', 'generic', common, files);
      await attested(target, 'generic', common, { 'coverage.json': '{"lines": 81}' });
      expect(await ofArtifact(target.fingerprint)).toMatchObject({ total_count: 0 });
      expect(await attestedOf(target)).not.toHaveProperty('scan_reports');
    });

    it('count for policies, and are told once in the environments that run them', async () => {
      const [env, path, id, lib] = [await environment(admin()), `/${fresh('hook')}`, cve(), fresh('lib')];
      const targets = [webhook(receiver.url(path))];
      await notification(admin(), { environments: [env], triggers: ['ON_VULNERABLE_ENV'], targets });
      const name = await policy(admin(), policyYaml('  vulnerabilities: {max_severity: medium}\n'));
      await attach(admin(), env, name);
      await importVulnerabilities(admin(), npmEntry(cve(), fresh('other')));
      const target = await built(`${lib}@1.0.0`);
      await report(admin(), env, [item({ web: target.fingerprint })]);
      const judged = (expected: boolean) =>
        eventually(
          () => admin().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`),
          ({ artifacts }) => artifacts[0]?.compliant === expected,
        );
      expect(await judged(true)).toMatchObject({ artifacts: [{ compliant: true }] });
      await scanned(target, trivy(inPackage(id, lib)));
      const reason = `policy '${name}': component pkg:npm/${lib}@1.0.0 has ${id} (critical)`;
      const untilTold = (vulnerability: string) =>
        eventually(
          () => Promise.resolve(receiver.at(path).map(({ body }) => JSON.parse(body) as VulnerabilityMessage)),
          (messages) => messages.some((message) => message.vulnerability.id === vulnerability),
        );
      expect(await judged(false)).toMatchObject({
        artifacts: [{ compliant: false, reasons_for_incompliance: [reason] }],
      });
      const certain = { component: `pkg:npm/${lib}@1.0.0`, certain: true };
      expect(await untilTold(id)).toMatchObject([{ event_type: 'VULNERABLE_ENV', vulnerability: { id, ...certain } }]);
      // A finding in a running artifact is notified too.
      const other = cve();
      await scanned(target, trivy(inPackage(id, lib), inPackage(other, lib)));
      expect((await untilTold(other)).map(({ vulnerability }) => vulnerability.id)).toEqual([id, other]);
      // A report without them, and a VEX statement, end it.
      await scanned(target, trivy());
      expect(await judged(true)).toMatchObject({ artifacts: [{ compliant: true }] });
      await scanned(target, trivy(inPackage(id, lib)));
      expect(await judged(false)).toMatchObject({ artifacts: [{ compliant: false }] });
      await importVulnerabilities(admin(), vexOf(id, target.fingerprint, 'not_affected', '2024-02-01T00:00:00Z'));
      expect(await judged(true)).toMatchObject({ artifacts: [{ compliant: true }] });
    });
  });
});
