import { readGrype, readSarif, readSnyk, readSnykResults, readTrivy } from './findings';

const scan = (tool: string, ...findings: readonly object[]) => ({ ok: true, value: { tool, findings, unread: 0 } });
const unread = { ok: true, value: { findings: [], unread: 1 } };

describe('findings of Snyk', () => {
  const project = {
    vulnerabilities: [
      {
        id: 'SNYK-JS-LODASH-1018905',
        title: 'ReDoS',
        severity: 'medium',
        identifiers: { CVE: ['CVE-2020-28500'], CWE: ['CWE-400'], GHSA: ['GHSA-29mw-wpgm-hmr9'] },
        publicationTime: '2021-02-15T11:50:49Z',
        packageName: 'lodash',
        version: '4.17.20',
        fixedIn: ['4.17.21'],
      },
    ],
  };
  const finding = {
    id: 'SNYK-JS-LODASH-1018905',
    aliases: ['CVE-2020-28500', 'GHSA-29mw-wpgm-hmr9'],
    severity: 'medium',
    title: 'ReDoS',
    fixedIn: ['4.17.21'],
    published: Date.UTC(2021, 1, 15, 11, 50, 49),
    package: { name: 'lodash', version: '4.17.20', purl: null },
  };

  it('are read of one project and of many', () => {
    expect(readSnyk(project)).toEqual(scan('Snyk', finding));
    expect(readSnyk([project, { vulnerabilities: [] }, project])).toEqual(scan('Snyk', finding, finding));
    expect(readSnyk({ vulnerabilities: [], applications: [project] })).toEqual(scan('Snyk', finding));
  });

  it.each<[string, unknown]>([
    ['', 7],
    ['vulnerabilities', { error: 'Could not detect supported target files' }],
  ])('are refused with the field %j', (field, document) => {
    expect(readSnyk(document)).toMatchObject({ ok: false, refusal: { field } });
  });

  it('are read beside projects that Snyk could not test, which are counted', () => {
    const failed = { ok: false, error: 'Could not detect supported target files' };
    expect(readSnyk([failed, project, {}])).toMatchObject({ ok: true, value: { findings: [finding], unread: 2 } });
  });

  it('are none for licences', () => {
    const licence = { id: 'snyk:lic:npm:foo:GPL-3.0', type: 'license', severity: 'high', packageName: 'foo' };
    expect(readSnyk({ vulnerabilities: [licence] })).toEqual(scan('Snyk'));
    expect(readSnykResults({ results: [{ high_count: 1, high: [licence] }] })).toEqual(scan('Snyk'));
  });

  it.each([{}, { id: 'a', packageName: 7 }, { id: 'a' }])('are counted where one cannot be read: %j', (item) => {
    expect(readSnyk({ vulnerabilities: [item] })).toMatchObject(unread);
  });

  it('are read as clients send them, with the severity of their list', () => {
    const low = { id: 'SNYK-1', message: 'Old library', locations: [{ uri: 'package.json' }], priority_score: 7 };
    const results = [{ high_count: 1, medium_count: 0, low_count: 1, high: [{ id: 7 }], low: [low] }];
    expect(readSnykResults({ tool: { name: 'Snyk Container', version: '1.2' }, results })).toEqual({
      ok: true,
      value: {
        tool: 'Snyk Container 1.2',
        unread: 1,
        findings: [
          {
            id: 'SNYK-1',
            aliases: [],
            severity: 'low',
            title: 'Old library',
            published: null,
            package: null,
            fixedIn: [],
          },
        ],
      },
    });
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
      VulnerabilityID: 'CVE-2023-0286',
      VendorIDs: ['DSA-5343-1'],
      PkgName: 'openssl',
      InstalledVersion: '1.1.1n-0',
      PublishedDate: '2023-02-08T20:15:00Z',
      FixedVersion: '1.1.1n-0+deb11u4, 3.0.8',
      Severity: 'HIGH',
      Title: 'X.400',
      PkgIdentifier: { PURL: purl },
    };
    expect(readTrivy(report(vulnerability))).toEqual(
      scan('Trivy', {
        id: 'CVE-2023-0286',
        aliases: ['DSA-5343-1'],
        severity: 'high',
        title: 'X.400',
        package: { name: 'openssl', version: '1.1.1n-0', purl },
        fixedIn: ['1.1.1n-0+deb11u4', '3.0.8'],
        published: Date.UTC(2023, 1, 8, 20, 15),
      }),
    );
    expect(readTrivy({ SchemaVersion: 2 })).toEqual(scan('Trivy'));
  });

  it.each<[string, unknown]>([
    ['SchemaVersion', {}],
    ['Results', { SchemaVersion: 2, Results: {} }],
    ['Results.0.Vulnerabilities', { SchemaVersion: 2, Results: [{ Vulnerabilities: 7 }] }],
  ])('are refused with the field %s', (field, document) => {
    expect(readTrivy(document)).toMatchObject({ ok: false, refusal: { field } });
  });

  it.each([{}, { VulnerabilityID: 'a' }])('are counted where one cannot be read: %j', (fields) => {
    expect(readTrivy(report(fields))).toMatchObject(unread);
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
    const finding = {
      id: 'GHSA-1',
      aliases: ['CVE-1'],
      severity: 'low',
      title: 'd',
      fixedIn: ['2'],
      published: null,
      package: { name: 'a', version: '1', purl: 'pkg:npm/a@1' },
    };
    expect(readGrype({ matches: [match] })).toEqual(scan('Grype', finding));
    const descriptor = { name: 'grype', version: '0.9' };
    expect(readGrype({ matches: [match], descriptor })).toEqual(scan('grype 0.9', finding));
  });

  it('are refused without their list', () => {
    expect(readGrype({})).toMatchObject({ ok: false, refusal: { field: 'matches' } });
  });

  it.each([{}, { vulnerability: {}, artifact: {} }, { vulnerability: { id: 'a' }, artifact: {} }])(
    'are counted where one cannot be read: %j',
    (match) => expect(readGrype({ matches: [match] })).toMatchObject(unread),
  );
});

describe('results of SARIF', () => {
  const rules = [
    { id: 'CVE-1', properties: { 'security-severity': '9.8' } },
    { id: 'js/xss', defaultConfiguration: { level: 'error' }, properties: { tags: ['Security', 'external/cwe'] } },
    { id: 'js/unused' },
  ];
  const extensions = [{ name: 'e', rules: [{ id: 'ext/sqli', properties: { 'security-severity': '9.1' } }] }];
  const log = (...results: readonly object[]) => ({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 't', rules }, extensions }, results }],
  });
  const message = { text: 'm' };

  it.each<[object, string, string | null]>([
    [{ ruleId: 'CVE-1', level: 'note' }, 'CVE-1', 'critical'],
    [{ ruleIndex: 1 }, 'js/xss', 'high'],
    [{ rule: { id: 'js/xss' }, level: 'note' }, 'js/xss', 'low'],
    [{ ruleId: 'GHSA-1' }, 'GHSA-1', 'medium'],
    [{ ruleId: 'SNYK-JS-1', level: 'none' }, 'SNYK-JS-1', 'none'],
    [{ ruleId: 'other', properties: { 'security-severity': 7 } }, 'other', 'high'],
    [{ ruleId: 'other', properties: { 'security-severity': '0.0' } }, 'other', 'none'],
    [{ ruleId: 'CVE-1', kind: 'open', baselineState: 'unchanged' }, 'CVE-1', 'critical'],
    [{ ruleId: 'CVE-1/2/b' }, 'CVE-1/2/b', 'critical'],
    [{ ruleId: 'js/xss/dom', level: 'note' }, 'js/xss/dom', 'low'],
    // The index is wrong, the id counts.
    [{ ruleId: 'js/xss', ruleIndex: 0 }, 'js/xss', 'high'],
    [{ rule: { id: 'ext/sqli', index: 0, toolComponent: { index: 0 } }, ruleIndex: 0 }, 'ext/sqli', 'critical'],
    [{ ruleId: 'ext/sqli', rule: { index: 0, toolComponent: { index: 0 } } }, 'ext/sqli', 'critical'],
    [{ ruleId: 'CVE-2', suppressions: [{ kind: 'external', status: 'rejected' }] }, 'CVE-2', 'medium'],
  ])('are read: %j', (result, id, severity) => {
    const finding = { id, aliases: [], severity, title: 'm', package: null, fixedIn: [], published: null };
    expect(readSarif(log({ ...result, message }))).toEqual(scan('t', finding));
  });

  it.each([
    ['were suppressed', { ruleId: 'CVE-1', suppressions: [{ kind: 'inSource' }] }],
    ['are about something else than security', { ruleId: 'js/unused', level: 'error' }],
    ['have a rule that the log does not describe', { ruleId: 'other', level: 'error' }],
    ['passed', { ruleId: 'CVE-1', kind: 'pass', level: 'none' }],
    ['do not apply', { ruleId: 'CVE-1', kind: 'notApplicable', level: 'none' }],
    ['inform', { ruleId: 'CVE-1', kind: 'informational', level: 'none' }],
    ['are gone since the baseline', { ruleId: 'CVE-1', baselineState: 'absent' }],
  ])('are none where they %s', (_, result) => expect(readSarif(log(result))).toEqual(scan('t')));

  it.each<[string, unknown]>([
    ['version', { version: '2.0.0' }],
    ['runs', { version: '2.1.0' }],
    ['runs.0.tool', { version: '2.1.0', runs: [{}] }],
  ])('are refused with the field %s', (field, document) => {
    expect(readSarif(document)).toMatchObject({ ok: false, refusal: { field } });
  });

  it.each([{ message }, { ruleId: 'a', level: 'bad' }, { ruleId: 'a', properties: { 'security-severity': 'high' } }])(
    'are counted where one cannot be read: %j',
    (result) => expect(readSarif(log(result))).toMatchObject(unread),
  );
});
