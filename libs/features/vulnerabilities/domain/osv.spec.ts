import { readOsv } from './osv';

/** Based on the examples of the OSV schema. */
const ENTRY = {
  schema_version: '1.6.0',
  id: 'GHSA-jfh8-c2jp-5v3q',
  modified: '2024-02-13T16:00:00Z',
  published: '2021-12-10T00:40:56Z',
  aliases: ['CVE-2021-44228'],
  summary: 'Remote code injection in Log4j',
  severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H' }],
  affected: [
    {
      package: {
        ecosystem: 'Maven',
        name: 'org.apache.logging.log4j:log4j-core',
        purl: 'pkg:maven/org.apache.logging.log4j/log4j-core',
      },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '2.0-beta9' }, { fixed: '2.15.0' }] }],
      versions: ['2.14.1'],
    },
  ],
};

const read = (document: unknown) => {
  const result = readOsv(document);
  if (!result.ok) throw new Error(result.refusal.problem);
  return result.value;
};
const severity = (fields: object) => read({ ...ENTRY, severity: [], ...fields }).severity;
const ofPackage = (ecosystem: string) =>
  read({ ...ENTRY, affected: [{ package: { ecosystem, name: 'a' }, versions: ['1'] }] }).affected[0];

describe('an entry of OSV', () => {
  it('is read', () => {
    expect(read(ENTRY)).toEqual({
      id: 'GHSA-jfh8-c2jp-5v3q',
      aliases: ['CVE-2021-44228'],
      published: Date.UTC(2021, 11, 10, 0, 40, 56),
      modified: Date.UTC(2024, 1, 13, 16),
      withdrawn: null,
      severity: 'critical',
      summary: 'Remote code injection in Log4j',
      affected: [
        {
          type: 'maven',
          distribution: null,
          release: null,
          name: 'org.apache.logging.log4j:log4j-core',
          purl: 'pkg:maven/org.apache.logging.log4j/log4j-core',
          ranges: [
            {
              type: 'ECOSYSTEM',
              events: [
                { kind: 'introduced', version: '2.0-beta9' },
                { kind: 'fixed', version: '2.15.0' },
              ],
            },
          ],
          versions: ['2.14.1'],
        },
      ],
    });
  });

  it('needs little more than a name and a time', () => {
    expect(read({ id: 'A-1', modified: '2024-01-01T00:00:00Z' })).toMatchObject({
      summary: '',
      severity: null,
      affected: [],
    });
    expect(read({ ...ENTRY, affected: [{ ranges: ENTRY.affected[0]?.ranges }] }).affected).toEqual([]);
  });

  it('says when it was withdrawn', () => {
    expect(read({ ...ENTRY, withdrawn: '2024-03-01T00:00:00.5Z' }).withdrawn).toBe(Date.UTC(2024, 2, 1, 0, 0, 0, 500));
  });

  it.each([
    ['Debian:11', { type: 'deb', distribution: 'debian', release: '11' }],
    ['Ubuntu:Pro:18.04:LTS', { type: 'deb', distribution: 'ubuntu', release: '18.04' }],
    ['Alpine:v3.18', { type: 'apk', distribution: 'alpine', release: '3.18' }],
    ['Rocky Linux:8', { type: 'rpm', distribution: 'rocky-linux', release: '8' }],
    ['Wolfi', { type: 'apk', distribution: 'wolfi', release: null }],
    ['crates.io', { type: 'cargo', distribution: null }],
    ['Go', { type: 'golang' }],
    ['Hex', { type: 'hex' }],
    ['constructor', { type: 'constructor' }],
  ])('names its ecosystem: %s', (ecosystem, expected) => {
    expect(ofPackage(ecosystem)).toMatchObject(expected);
  });

  it.each<[readonly string[] | undefined, readonly string[]]>([
    [undefined, ['GHSA-1']],
    [[], ['GHSA-1']],
    [['CVE-2096-1'], ['GHSA-1', 'CVE-2096-1']],
    [['GHSA-1'], ['GHSA-1']],
    [['CVE-2096-1', 'CVE-2096-2'], ['GHSA-1']],
  ])('has its only upstream among its names: %j', (upstream, aliases) => {
    expect(read({ ...ENTRY, aliases: ['GHSA-1'], upstream }).aliases).toEqual(aliases);
  });

  it.each([
    [{ upstream: ['CVE-2096-1', 'CVE-2096-2'] }, ['CVE-2096-1', 'CVE-2096-2']],
    [{ upstream: ['CVE-2096-1'], related: ['GHSA-2', 'CVE-2096-1', 'GHSA-2'] }, ['GHSA-2']],
    [{ related: ['CVE-2096-3'] }, ['CVE-2096-3']],
    [{}, undefined],
  ])('is related to what it only mentions: %j', (fields, related) => {
    expect(read({ ...ENTRY, ...fields }).related).toEqual(related);
  });

  describe('has the severity', () => {
    it.each([
      ['CVSS_V2', 'AV:N/AC:L/Au:N/C:C/I:C/A:C', 'high'],
      ['CVSS_V2', 'AV:L/AC:H/Au:M/C:N/I:N/A:P', 'low'],
      ['CVSS_V3', 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', 'high'],
      ['CVSS_V3', 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:N', 'medium'],
      ['CVSS_V4', 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 'critical'],
      ['CVSS_V4', 'CVSS:4.0/AV:L/AC:L/AT:P/PR:L/UI:N/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N', 'none'],
      ['CVSS_V3', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 'none'],
      ['CVSS_V3', 'CVSS:3.1/AV:N', null],
      ['CVSS_V3', 'CVSS:3.1/AV:Q/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', null],
      ['CVSS_V3', 'junk', null],
      ['Ubuntu', 'high', 'high'],
      ['Ubuntu', 'negligible', 'low'],
      ['Other', 'high', null],
    ])('of a vector of %s: %s', (type, score, expected) => {
      expect(severity({ severity: [{ type, score }] })).toBe(expected);
    });

    it('of the newest CVSS version', () => {
      const [v2, v3] = ['AV:N/AC:L/Au:N/C:C/I:C/A:C', 'CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N'];
      const vectors = [v2, v3].map((score, at) => ({ type: `CVSS_V${at + 2}`, score }));
      expect(severity({ severity: vectors })).toBe('low');
      expect(severity({ severity: vectors.toReversed() })).toBe('low');
    });

    it('of a package, or of the word of its database, where it has no vector', () => {
      const affected = [{ ...ENTRY.affected[0], severity: ENTRY.severity }];
      expect(severity({ affected, database_specific: { severity: 'LOW' } })).toBe('critical');
      expect(severity({ database_specific: { severity: 'MODERATE' } })).toBe('medium');
      expect(severity({ database_specific: { severity: 'whatever' } })).toBeNull();
    });

    it('of no text of 100,000 characters', () => {
      const long = `CVSS:3.1/${'AV:N/'.repeat(20_000)}`;
      expect(readOsv({ ...ENTRY, severity: [{ type: 'CVSS_V3', score: long }] })).toMatchObject({
        refusal: { field: 'severity.0.score' },
      });
    });
  });

  const affected = ENTRY.affected[0];
  it.each<[string, unknown]>([
    ['', 'text'],
    ['', null],
    ['', []],
    ['id', { ...ENTRY, id: undefined }],
    ['id', { ...ENTRY, id: '' }],
    ['id', { ...ENTRY, id: 7 }],
    ['modified', { ...ENTRY, modified: undefined }],
    ['modified', { ...ENTRY, modified: 'yesterday' }],
    ['withdrawn', { ...ENTRY, withdrawn: 'x' }],
    ['aliases', { ...ENTRY, aliases: 'CVE-1' }],
    ['aliases.1', { ...ENTRY, aliases: ['a', 2] }],
    ['severity.0.type', { ...ENTRY, severity: [{ score: '1' }] }],
    ['affected.0', { ...ENTRY, affected: ['a'] }],
    ['affected.0.package.ecosystem', { ...ENTRY, affected: [{ package: { name: 'a' } }] }],
    ['affected.0.package.name', { ...ENTRY, affected: [{ package: { ecosystem: 'npm' } }] }],
    ['affected.0.package.purl', { ...ENTRY, affected: [{ package: { ecosystem: 'npm', name: 'a', purl: 'npm/a' } }] }],
    ['affected.0.ranges.0.type', { ...ENTRY, affected: [{ ...affected, ranges: [{ type: 'X', events: [] }] }] }],
    ['affected.0.ranges.0.events', { ...ENTRY, affected: [{ ...affected, ranges: [{ type: 'GIT', events: [] }] }] }],
    [
      'affected.0.ranges.0.events',
      { ...ENTRY, affected: [{ ...affected, ranges: [{ type: 'SEMVER', events: [{ fixed: '1' }] }] }] },
    ],
    [
      'affected.0.ranges.0.events.0',
      {
        ...ENTRY,
        affected: [{ ...affected, ranges: [{ type: 'SEMVER', events: [{ introduced: '0', fixed: '1' }] }] }],
      },
    ],
    ['affected.0.versions.0', { ...ENTRY, affected: [{ ...affected, versions: [1] }] }],
  ])('is refused with the field %s', (field, document) => {
    expect(readOsv(document)).toMatchObject({ ok: false, refusal: { field } });
  });
});
