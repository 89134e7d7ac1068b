import type { ListedVulnerability } from '@assurance/contracts/vulnerabilities/events';
import { affectedComponents, keysOfComponent, keysOfPackage } from './affects';
import { AliasGroups, namedBy, namesOf, sortedNames } from './aliases';
import { readOsv } from './osv';
import { type Purl, readPurl } from '@assurance/evidence/domain/purl';

const affects = async (
  vulnerability: ListedVulnerability,
  component: Pick<Purl, 'type' | 'namespace' | 'name' | 'version' | 'qualifiers'>,
) => (await affectedComponents(vulnerability, () => Promise.resolve()))(component);

interface AffectedPackage {
  readonly ecosystem: string;
  readonly name: string;
  readonly ranges?: readonly { readonly type: string; readonly events: readonly object[] }[];
  readonly versions?: readonly string[];
}

function entry(affected: readonly AffectedPackage[], fields: object = {}) {
  const packages = affected.map(({ ecosystem, name, ...rest }) => ({ package: { ecosystem, name }, ...rest }));
  const result = readOsv({ id: 'OSV-1', modified: '2024-01-01T00:00:00Z', affected: packages, ...fields });
  if (!result.ok) throw new Error(result.refusal.field);
  return result.value;
}

function component(purl: string) {
  const read = readPurl(purl);
  if (read === null) throw new Error(purl);
  return read;
}

const range = (type: string, ...events: readonly object[]) => ({ type, events });
const LOG4J = entry([
  {
    ecosystem: 'Maven',
    name: 'org.apache.logging.log4j:log4j-core',
    ranges: [
      range(
        'ECOSYSTEM',
        { introduced: '2.13.0' },
        { fixed: '2.15.0' },
        { introduced: '2.0-beta9' },
        { fixed: '2.3.1' },
      ),
    ],
  },
]);
/** A component with any version. A package URL with a version of 300 characters is not valid. */
const log4j = (version: string) => ({
  ...component('pkg:maven/org.apache.logging.log4j/log4j-core'),
  version: version === '' ? null : version.slice('@'.length),
});

describe('given ranges of versions', () => {
  it.each([
    ['@2.0-beta8', 'no'],
    ['@2.0-beta9', 'yes'],
    ['@2.3', 'yes'],
    ['@2.3.1', 'no'],
    ['@2.12.4', 'no'],
    ['@2.13.0', 'yes'],
    ['@2.14.1', 'yes'],
    ['@2.15.0-rc1', 'yes'],
    ['@2.15.0', 'no'],
    ['@2.17.1', 'no'],
    ['', 'unknown'],
    [`@${'1'.repeat(300)}`, 'unknown'],
  ])('when the version is %j, then it is affected: %s', async (version, answer) => {
    expect(await affects(LOG4J, log4j(version))).toBe(answer);
  });

  it.each<[string, string, string, readonly object[], string]>([
    ['npm', 'a', 'pkg:npm/a@1.0.0', [{ introduced: '0' }], 'yes'],
    ['npm', 'a', 'pkg:npm/a@0.0.0-0', [{ introduced: '0' }], 'yes'],
    ['npm', '@s/a', 'pkg:npm/%40s/a@1.2.3', [{ introduced: '1.0.0' }, { last_affected: '1.2.3' }], 'yes'],
    ['npm', '@s/a', 'pkg:npm/@s/a@1.2.4', [{ introduced: '1.0.0' }, { last_affected: '1.2.3' }], 'no'],
    [
      'Go',
      'golang.org/x/net',
      'pkg:golang/golang.org/x/net@v0.17.0',
      [{ introduced: '0' }, { fixed: '0.23.0' }],
      'yes',
    ],
    [
      'Go',
      'golang.org/x/net',
      'pkg:golang/golang.org/x/net@(devel)',
      [{ introduced: '0' }, { fixed: '0.23.0' }],
      'unknown',
    ],
    ['Go', 'golang.org/x/net', 'pkg:golang/golang.org/x/net@(devel)', [{ introduced: '0' }], 'yes'],
    ['PyPI', 'Zope.Interface', 'pkg:pypi/zope-interface@1.0rc1', [{ introduced: '0' }, { fixed: '1.0' }], 'yes'],
    ['PyPI', 'a', 'pkg:pypi/a@1.0.post1', [{ introduced: '0' }, { last_affected: '1.0' }], 'no'],
    [
      'Packagist',
      'symfony/http-kernel',
      'pkg:composer/symfony/http-kernel@v5.4.9',
      [{ introduced: '5.0' }, { fixed: '5.4.20' }],
      'yes',
    ],
    ['RubyGems', 'rack', 'pkg:gem/rack@2.2.6.3', [{ introduced: '2.0.0' }, { fixed: '2.2.6.4' }], 'yes'],
    ['RubyGems', 'rack', 'pkg:gem/rack@2.2.6.10', [{ introduced: '2.0.0' }, { fixed: '2.2.6.4' }], 'no'],
    ['NuGet', 'Newtonsoft.Json', 'pkg:nuget/Newtonsoft.Json@12.0.3', [{ introduced: '0' }, { fixed: '13.0.1' }], 'yes'],
    [
      'NuGet',
      'Newtonsoft.Json',
      'pkg:nuget/Newtonsoft.Json@13.0.1.0',
      [{ introduced: '0' }, { fixed: '13.0.1' }],
      'no',
    ],
    ['crates.io', 'time', 'pkg:cargo/time@0.2.22', [{ introduced: '0.1.0' }, { fixed: '0.2.23' }], 'yes'],
    ['crates.io', 'time', 'pkg:cargo/time@0.2.23', [{ introduced: '0.1.0' }, { fixed: '0.2.23' }], 'no'],
    ['Wolfi', 'curl', 'pkg:apk/wolfi/curl@8.3.0-r1', [{ introduced: '0' }, { fixed: '8.4.0-r0' }], 'yes'],
    ['Wolfi', 'curl', 'pkg:apk/wolfi/curl@8.4.0-r0', [{ introduced: '0' }, { fixed: '8.4.0-r0' }], 'no'],
    [
      'openEuler',
      'curl',
      'pkg:rpm/openeuler/curl@7.71.1-9.oe1',
      [{ introduced: '0' }, { fixed: '7.71.1-10.oe1' }],
      'yes',
    ],
    [
      'openEuler',
      'curl',
      'pkg:rpm/openeuler/curl@1:7.0-1.oe1',
      [{ introduced: '0' }, { fixed: '7.71.1-10.oe1' }],
      'no',
    ],
    ['npm', 'a', 'pkg:npm/a@3.0.0', [{ introduced: '0' }, { limit: '2.0.0' }], 'no'],
    ['npm', 'a', 'pkg:npm/a@1.0.0', [{ introduced: '0' }, { limit: '2.0.0' }], 'yes'],
    ['npm', 'a', 'pkg:npm/a@3.0.0', [{ introduced: '0' }, { limit: '2.0.0' }, { limit: '*' }], 'yes'],
    ['npm', 'a', 'pkg:npm/a@1.0.0', [{ introduced: 'junk' }, { fixed: '2.0.0' }], 'unknown'],
    ['npm', 'b', 'pkg:npm/a@1.0.0', [{ introduced: '0' }], 'no'],
    ['PyPI', 'a', 'pkg:npm/a@1.0.0', [{ introduced: '0' }], 'no'],
  ])('of %s %s when the component is %s', async (ecosystem, name, purl, events, answer) => {
    const type = ['npm', 'Go'].includes(ecosystem) ? 'SEMVER' : 'ECOSYSTEM';
    expect(await affects(entry([{ ecosystem, name, ranges: [range(type, ...events)] }]), component(purl))).toBe(answer);
  });
});

describe('given a list of versions', () => {
  const listed = (...ranges: ReturnType<typeof range>[]) =>
    entry([{ ecosystem: 'PyPI', name: 'a', versions: ['1.0', '1.1'], ranges }]);
  const git = range('GIT', { introduced: '0' }, { fixed: 'abc' });

  it('then these are affected, in any spelling', async () => {
    expect(await affects(listed(), component('pkg:pypi/a@1.0.0'))).toBe('yes');
    expect(await affects(listed(git), component('pkg:pypi/a@1.1'))).toBe('yes');
    expect(await affects(listed(git), component('pkg:pypi/a@1.2'))).toBe('no');
  });

  it('then ranges add to it', async () => {
    const later = range('ECOSYSTEM', { introduced: '2' });
    expect(await affects(listed(later), component('pkg:pypi/a@2.1'))).toBe('yes');
    expect(await affects(listed(later, git), component('pkg:pypi/a@1.2'))).toBe('no');
  });

  it('then ranges of commits alone give no result for a version', async () => {
    expect(await affects(entry([{ ecosystem: 'PyPI', name: 'a', ranges: [git] }]), component('pkg:pypi/a@1.2'))).toBe(
      'unknown',
    );
    expect(await affects(entry([{ ecosystem: 'PyPI', name: 'a' }]), component('pkg:pypi/a@1.2'))).toBe('unknown');
  });
});

describe('given a release of a distribution', () => {
  const debian = entry([
    {
      ecosystem: 'Debian:11',
      name: 'openssl',
      ranges: [range('ECOSYSTEM', { introduced: '0' }, { fixed: '1.1.1n-0+deb11u4' })],
    },
    {
      ecosystem: 'Debian:12',
      name: 'openssl',
      ranges: [range('ECOSYSTEM', { introduced: '0' }, { fixed: '3.0.8-1' })],
    },
  ]);
  it.each([
    ['pkg:deb/debian/openssl@1.1.1n-0%2Bdeb11u3?distro=debian-11', 'yes'],
    ['pkg:deb/debian/openssl@1.1.1n-0%2Bdeb11u4?distro=debian-11.6', 'no'],
    ['pkg:deb/debian/libssl1.1@1.1.1n-0%2Bdeb11u3?distro=debian-11&upstream=openssl', 'yes'],
    ['pkg:deb/debian/libssl3@3.0.7-1?distro=debian-12&upstream=openssl%403.0.7', 'yes'],
    ['pkg:deb/debian/openssl@2.0-1?distro=debian-110', 'no'],
    ['pkg:deb/debian/openssl@2.0-1?distro=bullseye', 'no'],
    ['pkg:deb/debian/openssl@1.0-1?distro=debian&distro_name=bullseye', 'yes'],
    ['pkg:deb/debian/openssl@1.0-1?distro=trixie', 'no'],
    ['pkg:deb/debian/openssl@1.0-1?distro=sid', 'unknown'],
    ['pkg:deb/debian/openssl@2.0-1', 'unknown'],
    ['pkg:deb/debian/openssl@9.0-1', 'no'],
    ['pkg:deb/ubuntu/openssl@1.0-1?distro=ubuntu-11', 'no'],
    ['pkg:rpm/redhat/openssl@1.0-1', 'no'],
  ])('when the component is %s, then it is affected: %s', async (purl, answer) => {
    expect(await affects(debian, component(purl))).toBe(answer);
  });
});

describe('given the release of a distribution, as databases and tools write it', () => {
  const curl = (ecosystem: string) =>
    entry([{ ecosystem, name: 'curl', ranges: [range('ECOSYSTEM', { introduced: '0' }, { fixed: '9' })] }]);
  const [sles, leap, euler] = ['SUSE:Linux Enterprise Server', 'openSUSE:Leap', 'openEuler:22.03-LTS'];
  it.each([
    [`${sles} 15 SP5`, 'pkg:rpm/suse/curl@8.0.1-1?distro=sles-15.5', 'yes'],
    [`${sles} 15 SP5`, 'pkg:rpm/sles/curl@8.0.1-1?distro=sles-15.5', 'yes'],
    [`${sles} 15 SP5`, 'pkg:rpm/sles/curl@8.0.1-1?distro=sles-15-SP5', 'yes'],
    [`${sles} 15 SP5-LTSS`, 'pkg:rpm/sles_sap/curl@8.0.1-1?distro=sles_sap-15.5', 'yes'],
    [`${sles} 15 SP4`, 'pkg:rpm/suse/curl@8.0.1-1?distro=sles-15.5', 'no'],
    [`${sles} 15`, 'pkg:rpm/suse/curl@8.0.1-1?distro=sles-15.5', 'no'],
    [`${sles} 15`, 'pkg:rpm/suse/curl@8.0.1-1?distro=sles-15', 'yes'],
    ['SUSE:Linux Enterprise Micro 5.3', 'pkg:rpm/slem/curl@8?distro=slem-5.3', 'yes'],
    [`${sles} 15 SP5`, 'pkg:rpm/opensuse/curl@8.0.1-1?distro=opensuse-leap-15.5', 'no'],
    [`${leap} 15.5`, 'pkg:rpm/opensuse-leap/curl@8?distro=opensuse-leap-15.5', 'yes'],
    [`${leap} 15.5`, 'pkg:rpm/opensuse.leap/curl@8?distro=opensuse.leap-15.5', 'yes'],
    ['openSUSE:Tumbleweed', 'pkg:rpm/opensuse-tumbleweed/curl@8?distro=opensuse-tumbleweed-20260101', 'yes'],
    [`${leap} 15.5`, 'pkg:rpm/opensuse-tumbleweed/curl@8?distro=opensuse-tumbleweed-20260101', 'no'],
    ['Azure Linux:3', 'pkg:rpm/azurelinux/curl@8.8.0-1.azl3?distro=azurelinux-3.0', 'yes'],
    ['Azure Linux:2', 'pkg:rpm/mariner/curl@8.8.0-1.cm2?distro=mariner-2.0.20240101', 'yes'],
    ['Azure Linux:2', 'pkg:rpm/cbl-mariner/curl@8.8.0-1.cm2?distro=cbl-mariner-2.0', 'yes'],
    [`${euler}-SP3`, 'pkg:rpm/openEuler/curl@8?distro=openEuler-22.03', 'unknown'],
    [`${euler}-SP3`, 'pkg:rpm/openEuler/curl@8?distro=openEuler-22.03-LTS-SP3', 'yes'],
    [`${euler}-SP3`, 'pkg:rpm/openEuler/curl@8?distro=openEuler-22.03-LTS-SP1', 'no'],
    [`${euler}-SP3`, 'pkg:rpm/openEuler/curl@8?distro=openEuler-20.03', 'no'],
    ['Red Hat:openshift:4.12::el8', 'pkg:rpm/redhat/curl@8?distro=redhat-8.6', 'yes'],
    ['Red Hat:openshift:4.12::el8', 'pkg:rpm/rhel/curl@8?distro=rhel-9.4', 'no'],
    ['AlmaLinux:9', 'pkg:rpm/alma/curl@8?distro=alma-9.4', 'yes'],
    ['AlmaLinux:9', 'pkg:rpm/almalinux/curl@8?distro=almalinux-9.4', 'yes'],
    ['Rocky Linux:9', 'pkg:rpm/rocky/curl@8?distro=rocky-9.3', 'yes'],
    ['Photon OS:5.0', 'pkg:rpm/photon/curl@8?distro=photon-5.0', 'yes'],
    ['Ubuntu:22.04:LTS', 'pkg:deb/ubuntu/curl@8?distro=jammy', 'yes'],
    ['Ubuntu:22.04:LTS', 'pkg:deb/ubuntu/curl@8?distro=ubuntu-24.04', 'no'],
    ['Alpine:v3.19', 'pkg:apk/alpine/curl@8?distro=alpine-3.19.1', 'yes'],
    ['Alpine:v3.1', 'pkg:apk/alpine/curl@8?distro=alpine-3.19.1', 'no'],
    ['GitHub Actions', 'pkg:githubactions/curl@8', 'yes'],
    ['GitHub Actions', 'pkg:github/curl@8', 'yes'],
  ])('when an entry is of %s, and the component %s, then it is affected: %s', async (ecosystem, purl, answer) => {
    const vulnerability = curl(ecosystem);
    expect(await affects(vulnerability, component(purl))).toBe(answer);
    expect(vulnerability.affected.flatMap(keysOfPackage)).toEqual(keysOfComponent(component(purl)));
  });
});

describe('given a package that a distribution built from a source package', () => {
  const fixed = (ecosystem: string, name: string, version: string) =>
    entry([{ ecosystem, name, ranges: [range('ECOSYSTEM', { introduced: '0' }, { fixed: version })] }]);
  it.each<[string, string, string, string, string]>([
    // The epoch of an RPM is a qualifier.
    [
      'Red Hat:enterprise_linux:9::baseos',
      'openssl-libs',
      '1:3.0.7-25.el9_3',
      'pkg:rpm/redhat/openssl-libs@3.0.7-27.el9?epoch=1&distro=redhat-9.4',
      'no',
    ],
    [
      'Red Hat:enterprise_linux:9::baseos',
      'openssl-libs',
      '1:3.0.7-25.el9_3',
      'pkg:rpm/redhat/openssl-libs@3.0.7-24.el9?epoch=1&distro=redhat-9.4',
      'yes',
    ],
    [
      'Red Hat:enterprise_linux:9::baseos',
      'openssl-libs',
      '1:3.0.7-25.el9_3',
      'pkg:rpm/redhat/openssl-libs@1:3.0.7-27.el9?epoch=1&distro=redhat-9.4',
      'no',
    ],
    // A package may have another epoch than its source.
    [
      'Debian:11',
      'util-linux',
      '2.36.1-8+deb11u1',
      'pkg:deb/debian/bsdutils@1%3A2.36.1-8?upstream=util-linux%402.36.1-8&distro=debian-11',
      'yes',
    ],
    [
      'Debian:11',
      'util-linux',
      '2.36.1-8+deb11u1',
      'pkg:deb/debian/bsdutils@1%3A2.36.1-8%2Bdeb11u1?upstream=util-linux%402.36.1-8%2Bdeb11u1&distro=debian-11',
      'no',
    ],
    // Debian lists source packages, so under one name the version of the source counts.
    ['Debian:11', 'gcc', '2.0-1', 'pkg:deb/debian/gcc@4%3A10.2-1?upstream=gcc%401.9-1&distro=debian-11', 'yes'],
    [
      'Rocky Linux:9',
      'openssl',
      '1:3.0.7-25.el9_3',
      'pkg:rpm/rocky/openssl-libs@3.0.7-24.el9?epoch=1&upstream=openssl-3.0.7-24.el9.src.rpm&distro=rocky-9.3',
      'yes',
    ],
    [
      'Rocky Linux:9',
      'openssl',
      '1:3.0.7-25.el9_3',
      'pkg:rpm/rocky/openssl-libs@3.0.7-25.el9_3?epoch=1&upstream=openssl-3.0.7-25.el9_3.src.rpm&distro=rocky-9.3',
      'no',
    ],
    // A file of another form is a name.
    ['Rocky Linux:9', 'openssl', '9-1', 'pkg:rpm/rocky/a@1-1?upstream=openssl.src.rpm&distro=rocky-9.3', 'no'],
    [
      'Alpine:v3.18',
      'openssl',
      '3.1.0-r1',
      'pkg:apk/alpine/libcrypto3@3.1.0-r0?upstream=openssl&distro=alpine-3.18',
      'yes',
    ],
  ])(
    'of %s %s that is fixed in %s, when the component is %s, then: %s',
    async (ecosystem, name, version, purl, answer) => {
      expect(await affects(fixed(ecosystem, name, version), component(purl))).toBe(answer);
    },
  );
});

describe('given what ecosystems write in versions', () => {
  it.each<[string, string, string, readonly object[], string]>([
    ['Go', 'stdlib', 'pkg:golang/std@go1.20.1?type=module', [{ introduced: '0' }, { fixed: '1.20.2' }], 'yes'],
    ['Go', 'stdlib', 'pkg:golang/std@1.20.2', [{ introduced: '0' }, { fixed: '1.20.2' }], 'no'],
    ['Go', 'stdlib', 'pkg:golang/stdlib@go1.21.3', [{ introduced: '0' }, { fixed: '1.21.3' }], 'no'],
    ['Go', 'stdlib', 'pkg:golang/stdlib@go1.21rc2', [{ introduced: '0' }, { fixed: '1.21.0-rc.3' }], 'yes'],
    ['Go', 'stdlib', 'pkg:golang/stdlib@go1.21rc3', [{ introduced: '0' }, { fixed: '1.21.0-rc.3' }], 'no'],
    ['Go', 'stdlib', 'pkg:golang/example.com/std@v1.0.0', [{ introduced: '0' }], 'no'],
    ['RubyGems', 'puma', 'pkg:gem/puma@5.6.4-java', [{ introduced: '0' }, { fixed: '5.6.4' }], 'no'],
    ['RubyGems', 'puma', 'pkg:gem/puma@5.6.3-java', [{ introduced: '0' }, { fixed: '5.6.4' }], 'yes'],
    ['RubyGems', 'nokogiri', 'pkg:gem/nokogiri@1.13.6-x86_64-linux', [{ introduced: '0' }, { fixed: '1.13.6' }], 'no'],
    ['RubyGems', 'nokogiri', 'pkg:gem/nokogiri@1.13.6-rc1', [{ introduced: '0' }, { fixed: '1.13.6' }], 'yes'],
    ['CRAN', 'readxl', 'pkg:cran/readxl@1.2-3', [{ introduced: '0' }, { fixed: '1.2' }], 'no'],
    ['CRAN', 'readxl', 'pkg:cran/readxl@1.2-3', [{ introduced: '1.2' }, { fixed: '1.3' }], 'yes'],
    ['Bitnami', 'wordpress', 'pkg:bitnami/wordpress@6.2.0-3', [{ introduced: '0' }, { fixed: '6.2.0' }], 'no'],
    ['Bitnami', 'wordpress', 'pkg:bitnami/wordpress@6.1.9-3', [{ introduced: '0' }, { fixed: '6.2.0' }], 'yes'],
    ['Bitnami', 'wordpress', 'pkg:bitnami/wordpress@6.2.0-3', [{ introduced: '0' }, { last_affected: '6.2.0' }], 'yes'],
    ['Bitnami', 'wordpress', 'pkg:bitnami/wordpress@6.2.1', [{ introduced: '0' }, { last_affected: '6.2.0' }], 'no'],
    [
      'Bitnami',
      'wordpress',
      'pkg:bitnami/wordpress@6.2.0-3',
      [{ introduced: '0' }, { last_affected: '6.2.0-2' }],
      'no',
    ],
  ])('of %s %s when the component is %s', async (ecosystem, name, purl, events, answer) => {
    const type = ['Go', 'Bitnami'].includes(ecosystem) ? 'SEMVER' : 'ECOSYSTEM';
    expect(await affects(entry([{ ecosystem, name, ranges: [range(type, ...events)] }]), component(purl))).toBe(answer);
  });
});

describe('given an entry that was withdrawn', () => {
  it('then it affects nothing', async () => {
    const withdrawn = entry([{ ecosystem: 'npm', name: 'a', versions: ['1.0.0'] }], {
      withdrawn: '2024-01-02T00:00:00Z',
    });
    expect(await affects(withdrawn, component('pkg:npm/a@1.0.0'))).toBe('no');
  });
});

/** The names of each group, the groups in the order of their first names. */
function aliasGroups(entries: readonly { readonly id: string; readonly aliases: readonly string[] }[]) {
  const groups = new AliasGroups();
  for (const entry of entries) groups.add(entry);
  const names = new Map<string, string[]>();
  for (const name of new Set(entries.flatMap(({ id, aliases }) => [id, ...aliases]))) {
    const root = groups.rootOf(name);
    names.set(root, [...(names.get(root) ?? []), name]);
  }
  return [...names.values()].map(sortedNames).sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
}

describe('aliases', () => {
  it('make groups that begin with the CVE', () => {
    expect(
      aliasGroups([
        { id: 'GHSA-jfh8-c2jp-5v3q', aliases: ['CVE-2021-44228'] },
        { id: 'PYSEC-1', aliases: ['CVE-1', 'GHSA-1'] },
        { id: 'OSV-1', aliases: ['GHSA-1'] },
        { id: 'CVE-2', aliases: [] },
        { id: 'DSA-1', aliases: ['DSA-1'] },
      ]),
    ).toEqual([
      ['CVE-1', 'GHSA-1', 'OSV-1', 'PYSEC-1'],
      ['CVE-2'],
      ['CVE-2021-44228', 'GHSA-jfh8-c2jp-5v3q'],
      ['DSA-1'],
    ]);
  });

  it('never make one vulnerability of two CVEs, whatever names both', () => {
    const pair = [
      { id: 'GHSA-1', aliases: ['CVE-1'] },
      { id: 'GHSA-2', aliases: ['cve-2'] },
    ];
    const apart = [
      ['CVE-1', 'GHSA-1'],
      ['GHSA-2', 'cve-2'],
    ];
    const advisory = { id: 'RUSTSEC-1', aliases: ['CVE-1', 'CVE-2', 'GHSA-1', 'GHSA-2'] };
    expect(aliasGroups([advisory, ...pair]).filter((names) => names.length > 1)).toEqual(apart);
    const third = { id: 'X-1', aliases: ['GHSA-1', 'GHSA-2'] };
    for (const order of [
      [third, ...pair],
      [...pair, third],
    ]) {
      const joined = aliasGroups(order).find((names) => names.includes('CVE-1'));
      expect(joined).not.toContain('cve-2');
    }
    expect(namedBy(advisory).map(({ id }) => id)).toEqual(['CVE-1', 'CVE-2']);
    expect(namesOf([advisory, ...pair], (name) => ['CVE-1', 'GHSA-1'].includes(name))).toEqual({
      id: 'CVE-1',
      aliases: ['GHSA-1'],
    });
  });

  it('make one group of a chain, in whatever order it comes', () => {
    const chain = Array.from({ length: 20_000 }, (_, at) => ({ id: `A-${at}`, aliases: [`A-${at + 1}`] }));
    for (const order of [chain, chain.toReversed()]) {
      const groups = new AliasGroups();
      for (const entry of order) groups.add(entry);
      const root = groups.rootOf('A-0');
      expect(chain.every(({ id }) => groups.rootOf(id) === root) && groups.rootOf('A-20000') === root).toBe(true);
    }
  });
});

describe('a package URL', () => {
  it.each(['', 'pkg:', 'pkg:npm', 'pkg:npm/', 'npm/a', 'pkg:npm/%ff', 'pkg:1/a', `pkg:npm/${'a'.repeat(100_000)}`])(
    'is refused: %#',
    (text) => {
      expect(readPurl(text)).toBeNull();
    },
  );
});
