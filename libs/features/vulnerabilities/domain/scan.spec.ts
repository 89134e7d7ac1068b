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
