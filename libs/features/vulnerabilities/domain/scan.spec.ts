import { FINDINGS_RECORDED_MAX, readReport, recordedFindings } from './scan';

/** Returns what is recorded for a report. It returns null if the document is not a report, or cannot be read. */
function readScan(document: unknown) {
  const report = readReport(document);
  if (report?.read.ok !== true) return null;
  const { tool, findings, unread } = report.read.value;
  return { tool, unread, ...recordedFindings(findings) };
}

const grype = (...matches: readonly object[]) => ({ descriptor: { name: 'grype', version: '1' }, matches });
const match = (id: string, fields: object = {}, artifact: object = {}) => ({
  vulnerability: { id, severity: 'High', ...fields },
  artifact: { name: 'a', version: '1', purl: 'pkg:npm/a@1', ...artifact },
});

describe('the report of a scanner', () => {
  it.each<[string, object, string]>([
    ['Grype', grype(match('CVE-2024-1')), 'grype 1'],
    [
      'Trivy',
      { SchemaVersion: 2, Results: [{ Vulnerabilities: [{ VulnerabilityID: 'CVE-2024-1', PkgName: 'a' }] }] },
      'Trivy',
    ],
    ['Snyk', { packageManager: 'npm', vulnerabilities: [{ id: 'CVE-2024-1', packageName: 'a' }] }, 'Snyk'],
    [
      'several projects of Snyk',
      [{ packageManager: 'npm', vulnerabilities: [{ id: 'CVE-2024-1', packageName: 'a' }] }],
      'Snyk',
    ],
    ['Snyk as clients send it', { results: [{ high_count: 1, high: [{ id: 'CVE-2024-1' }] }] }, 'Snyk'],
    [
      'SARIF',
      { version: '2.1.0', runs: [{ tool: { driver: { name: 't' } }, results: [{ ruleId: 'CVE-2024-1' }] }] },
      't',
    ],
  ])('of %s is recognized', (_, report, tool) => {
    expect(readScan(report)).toMatchObject({ tool, parts: [[{ id: 'CVE-2024-1' }]], left: 0, unread: 0 });
  });

  it.each([null, 7, 'text', [], [7], {}, { matches: [] }, { results: [] }, { vulnerabilities: [] }, { runs: [] }])(
    'is none where the document is %j',
    (document) => expect(readReport(document)).toBeNull(),
  );

  const schema = 'https://json.schemastore.org/sarif-2.0.0.json';
  it.each<[string, string, object]>([
    ['trivy', 'Results', { SchemaVersion: 2, Results: 7 }],
    ['trivy', 'SchemaVersion', { SchemaVersion: 3, Results: [] }],
    ['sarif', 'version', { $schema: schema, version: '2.0.0', runs: [] }],
  ])('of %s that is wrong as a whole names the field %j', (format, field, document) => {
    expect(readReport(document)).toMatchObject({ format, read: { ok: false, refusal: { field } } });
  });

  it('has each finding once, under the name that databases use, with a canonical package URL', () => {
    const own = match('cve-2021-44228-log4j-core', {}, { purl: 'pkg:NPM/a@1' });
    const other = match('GHSA-JFH8-C2JP-5V3Q', { fix: { versions: ['2', '2'] } }, { purl: 'no package URL' });
    expect(readScan(grype(own, own, other))?.parts.flat()).toMatchObject([
      { id: 'CVE-2021-44228', package: { name: 'a', version: '1', purl: 'pkg:npm/a@1' } },
      { id: 'GHSA-jfh8-c2jp-5v3q', package: { purl: null }, fixedIn: ['2'] },
    ]);
  });

  const trivy = (...vulnerabilities: readonly object[]) => ({
    SchemaVersion: 2,
    ArtifactName: 'a',
    Results: [{ Vulnerabilities: vulnerabilities.map((fields) => ({ PkgName: 'libc6', Severity: 'LOW', ...fields })) }],
  });
  const related = (...ids: readonly string[]) => ({ relatedVulnerabilities: ids.map((id) => ({ id })) });
  const names = (document: object) =>
    readScan(document)
      ?.parts.flat()
      .map(({ id, aliases }) => [id, ...aliases]);

  it('takes no advisory for an alias, so two CVEs of one advisory stay apart', () => {
    const [first, second] = [
      { VulnerabilityID: 'CVE-2024-1001', VendorIDs: ['DSA-1'] },
      { VulnerabilityID: 'CVE-2024-1002', VendorIDs: ['DSA-1'] },
    ];
    expect(names(trivy(first, second))).toEqual([['CVE-2024-1001'], ['CVE-2024-1002']]);
    const aliased = { VulnerabilityID: 'CVE-2024-1003', VendorIDs: ['GHSA-jfh8-c2jp-5v3q', 'CVE-2024-1004'] };
    expect(names(trivy(aliased))).toEqual([['CVE-2024-1003', 'GHSA-jfh8-c2jp-5v3q']]);
  });

  it('is found by the advisories that mention what it has', () => {
    const first = { VulnerabilityID: 'CVE-2024-1001', VendorIDs: ['DSA-1', 'GHSA-aaaa-bbbb-cccc'] };
    const relatedNames = (document: object) =>
      readScan(document)
        ?.parts.flat()
        .map((finding) => finding.related);
    expect(relatedNames(trivy(first))).toEqual([['DSA-1']]);
    expect(relatedNames(grype({ ...match('ELSA-2024-1'), ...related('CVE-2024-1001', 'CVE-2024-1002') }))).toEqual([
      ['ELSA-2024-1'],
      ['ELSA-2024-1'],
    ]);
    expect(relatedNames(grype(match('DSA-2'), match('CVE-2024-1001')))).toEqual([undefined, undefined]);
  });

  it('has a finding of each CVE of an advisory, and of what names several CVEs', () => {
    const advisory = { ...match('ELSA-2024-1'), ...related('CVE-2024-1001', 'CVE-2024-1002') };
    const single = { ...match('RHSA-2024:1'), ...related('CVE-2024-1003') };
    const several = { ...match('GHSA-jfh8-c2jp-5v3q'), ...related('CVE-2024-1004', 'CVE-2024-1005') };
    const unnamed = match('DSA-2');
    const alias = { ...match('GHSA-aaaa-bbbb-cccc'), ...related('CVE-2024-1006') };
    expect(names(grype(advisory, single, several, unnamed, alias))).toEqual([
      ['CVE-2024-1001'],
      ['CVE-2024-1002'],
      ['CVE-2024-1003'],
      ['CVE-2024-1004'],
      ['CVE-2024-1005'],
      ['DSA-2'],
      ['GHSA-aaaa-bbbb-cccc', 'CVE-2024-1006'],
    ]);
  });

  it('keeps the worst of many advisories that name many vulnerabilities', () => {
    const ofMany = (i: number, severity: string) => ({
      ...match(`ELSA-${i}`, { severity }),
      ...related(...Array.from({ length: 50 }, (_, n) => `CVE-${1_000 + i}-${10_000 + n}`)),
    });
    const scan = readScan(grype(...Array.from({ length: 1_500 }, (_, i) => ofMany(i, i === 700 ? 'Critical' : 'Low'))));
    expect(scan?.parts.flat().filter(({ severity }) => severity === 'critical')).toHaveLength(50);
    expect(scan?.left).toBe(75_000 - FINDINGS_RECORDED_MAX);
  });

  it('is cut to a bounded number of the worst findings, and to bounded texts', () => {
    const many = Array.from({ length: FINDINGS_RECORDED_MAX + 2 }, (_, i) => match(`CVE-2024-${10_000 + i}`));
    const critical = match('CVE-2024-99999', { severity: 'Critical', description: 'd'.repeat(10_000) });
    const long = match('n'.repeat(300));
    const scan = readScan(grype(...many, critical, long, { vulnerability: 7 }));
    const findings = scan?.parts.flat() ?? [];
    expect(findings).toHaveLength(FINDINGS_RECORDED_MAX);
    expect(findings.at(-1)).toMatchObject({ id: 'CVE-2024-99999', title: 'd'.repeat(512) });
    expect(scan).toMatchObject({ left: 4, unread: 1 });
  });

  it('shares parts with a report that differs in one finding', () => {
    const many = Array.from({ length: 1_000 }, (_, i) => match(`CVE-2024-${10_000 + i}`));
    const parts = (report: object) => (readScan(report)?.parts ?? []).map((part) => JSON.stringify(part));
    const [before, after] = [
      parts(grype(...many)),
      new Set(parts(grype(...many, match('CVE-2024-10500-x'), match('CVE-2023-1')))),
    ];
    expect(before.filter((part) => !after.has(part)).length).toBeLessThan(before.length / 2);
  });
});
