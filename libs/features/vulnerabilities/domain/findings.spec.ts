import { readGrype, readSarif, readSnyk, readTrivy } from './findings';

describe('findings of Snyk', () => {
  const project = {
    vulnerabilities: [
      {
        id: 'SNYK-JS-LODASH-1018905',
        title: 'ReDoS',
        severity: 'medium',
        identifiers: { CVE: ['CVE-2020-28500'], CWE: ['CWE-400'], GHSA: ['GHSA-29mw-wpgm-hmr9'] },
        ...{ packageName: 'lodash', version: '4.17.20', fixedIn: ['4.17.21'] },
      },
    ],
  };
  const finding = {
    id: 'SNYK-JS-LODASH-1018905',
    aliases: ['CVE-2020-28500', 'GHSA-29mw-wpgm-hmr9'],
    ...{ severity: 'medium', title: 'ReDoS', fixedIn: ['4.17.21'] },
    package: { name: 'lodash', version: '4.17.20', purl: null },
  };

  it('are read of one project and of many', () => {
    expect(readSnyk(project)).toEqual({ ok: true, value: [finding] });
    expect(readSnyk([project, { vulnerabilities: [] }, project])).toEqual({ ok: true, value: [finding, finding] });
  });

  it.each<[string, unknown]>([
    ['', 7],
    ['vulnerabilities', { error: 'Could not detect supported target files' }],
    ['1.vulnerabilities', [project, {}]],
    ['vulnerabilities.0.id', { vulnerabilities: [{}] }],
    ['vulnerabilities.0.packageName', { vulnerabilities: [{ id: 'a', packageName: 7 }] }],
  ])('are refused with the field %j', (field, document) => {
    expect(readSnyk(document)).toMatchObject({ ok: false, refusal: { field } });
  });
});

describe('findings of Trivy', () => {
  const report = (fields: object) => ({
    SchemaVersion: 2,
    Results: [{ Target: 'image', Vulnerabilities: [fields] }, {}],
  });

  it('are read', () => {
    const purl = 'pkg:deb/debian/openssl@1.1.1n-0?distro=debian-11';
    const vulnerability = {
      ...{
        VulnerabilityID: 'CVE-2023-0286',
        VendorIDs: ['DSA-5343-1'],
        PkgName: 'openssl',
        InstalledVersion: '1.1.1n-0',
      },
      ...{ FixedVersion: '1.1.1n-0+deb11u4, 3.0.8', Severity: 'HIGH', Title: 'X.400', PkgIdentifier: { PURL: purl } },
    };
    expect(readTrivy(report(vulnerability))).toEqual({
      ok: true,
      value: [
        {
          ...{ id: 'CVE-2023-0286', aliases: ['DSA-5343-1'], severity: 'high', title: 'X.400' },
          package: { name: 'openssl', version: '1.1.1n-0', purl },
          fixedIn: ['1.1.1n-0+deb11u4', '3.0.8'],
        },
      ],
    });
    expect(readTrivy({ SchemaVersion: 2 })).toEqual({ ok: true, value: [] });
  });

  it.each<[string, unknown]>([
    ['SchemaVersion', {}],
    ['Results', { SchemaVersion: 2, Results: {} }],
    ['Results.0.Vulnerabilities.0.VulnerabilityID', report({})],
    ['Results.0.Vulnerabilities.0.PkgName', report({ VulnerabilityID: 'a' })],
  ])('are refused with the field %s', (field, document) => {
    expect(readTrivy(document)).toMatchObject({ ok: false, refusal: { field } });
  });
});

describe('findings of Grype', () => {
  it('are read', () => {
    const match = {
      vulnerability: {
        id: 'GHSA-1',
        severity: 'Negligible',
        description: 'd',
        fix: { versions: ['2'], state: 'fixed' },
      },
      relatedVulnerabilities: [{ id: 'CVE-1' }],
      artifact: { name: 'a', version: '1', purl: 'pkg:npm/a@1' },
    };
    expect(readGrype({ matches: [match] })).toEqual({
      ok: true,
      value: [
        {
          ...{ id: 'GHSA-1', aliases: ['CVE-1'], severity: 'low', title: 'd', fixedIn: ['2'] },
          package: { name: 'a', version: '1', purl: 'pkg:npm/a@1' },
        },
      ],
    });
  });

  it.each<[string, unknown]>([
    ['matches', {}],
    ['matches.0.vulnerability', { matches: [{}] }],
    ['matches.0.vulnerability.id', { matches: [{ vulnerability: {}, artifact: {} }] }],
    ['matches.0.artifact.name', { matches: [{ vulnerability: { id: 'a' }, artifact: {} }] }],
  ])('are refused with the field %s', (field, document) => {
    expect(readGrype(document)).toMatchObject({ ok: false, refusal: { field } });
  });
});

describe('results of SARIF', () => {
  const rules = [
    { id: 'CVE-1', properties: { 'security-severity': '9.8' } },
    { id: 'js/xss', defaultConfiguration: { level: 'error' } },
  ];
  const log = (...results: readonly object[]) => ({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 't', rules } }, results }],
  });
  const message = { text: 'm' };

  it.each<[object, string, string | null]>([
    [{ ruleId: 'CVE-1', level: 'note' }, 'CVE-1', 'critical'],
    [{ ruleIndex: 1 }, 'js/xss', 'high'],
    [{ rule: { id: 'js/xss' }, level: 'note' }, 'js/xss', 'low'],
    [{ ruleId: 'other' }, 'other', 'medium'],
    [{ ruleId: 'other', level: 'none' }, 'other', null],
    [{ ruleId: 'other', properties: { 'security-severity': 7 } }, 'other', 'high'],
    [{ ruleId: 'other', properties: { 'security-severity': '0.0' } }, 'other', null],
    [{ ruleId: 'other', suppressions: [{ kind: 'external', status: 'rejected' }] }, 'other', 'medium'],
  ])('are read: %j', (result, id, severity) => {
    expect(readSarif(log({ ...result, message }))).toEqual({
      ok: true,
      value: [{ id, aliases: [], severity, title: 'm', package: null, fixedIn: [] }],
    });
  });

  it('are none where they were suppressed', () => {
    expect(readSarif(log({ ruleId: 'a', suppressions: [{ kind: 'inSource' }] }))).toEqual({ ok: true, value: [] });
  });

  it.each<[string, unknown]>([
    ['version', { version: '2.0.0' }],
    ['runs', { version: '2.1.0' }],
    ['runs.0.tool', { version: '2.1.0', runs: [{}] }],
    ['runs.0.results.0.ruleId', log({ message })],
    ['runs.0.results.0.level', log({ ruleId: 'a', level: 'bad' })],
    [
      'runs.0.results.0.properties.security-severity',
      log({ ruleId: 'a', properties: { 'security-severity': 'high' } }),
    ],
  ])('are refused with the field %s', (field, document) => {
    expect(readSarif(document)).toMatchObject({ ok: false, refusal: { field } });
  });
});
