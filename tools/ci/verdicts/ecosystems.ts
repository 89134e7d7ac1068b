import { globSync } from 'node:fs';
import { join } from 'node:path';
import { must, run } from '../../common/command.ts';
import { root } from '../../common/root.ts';
import { pythonTools } from '../python.ts';

/** Two versions. */
export type Pair = readonly [string, string];
/** How a tool orders a pair: -1, 0 or 1; null if one of them is no version for it. */
export type Order = number | null;

/** A package that is made up: the name under which databases list it, and the version of the component that they compare. */
export interface MadeUp {
  readonly name: string;
  readonly version: string;
}

/** An ecosystem, the tool that says how its versions are ordered, and what tools that write SBOMs make of a package. */
export interface Ecosystem {
  /** As OSV writes it. */
  readonly name: string;
  readonly range: 'SEMVER' | 'ECOSYSTEM';
  readonly names: readonly string[];
  /** Versions that were published. Others are made of them by a changed number or another ending. */
  readonly versions: readonly string[];
  readonly endings: readonly string[];
  /** The version as the tool reads it, if databases write it in another way. */
  readonly told?: (version: string) => string;
  /** The version of the software, of which several packages are made, and which the last affected version names. */
  readonly software?: (version: string) => string;
  readonly order: (pairs: readonly Pair[]) => readonly Order[];
  /** A package URL for each tool that writes SBOMs. */
  readonly written: readonly ((made: MadeUp) => string)[];
}

const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');
const numbers = (text: string): readonly Order[] => lines(text).map((line) => (line === 'x' ? null : Number(line)));
const input = (pairs: readonly Pair[]): string => pairs.map((pair) => `${JSON.stringify(pair)}\n`).join('');
const part = encodeURIComponent;

/** Pairs that fit into one argument of a command. */
const TOGETHER = 1_000;

/** RPM's own library. Its program reads macros, so versions are Lua texts in one. */
function rpm(pairs: readonly Pair[]): readonly Order[] {
  const of = (text: string) => `"${text.replace(/[^\w.:~^+-]/g, '')}"`;
  const calls = pairs.slice(0, TOGETHER).map((pair) => `print(rpm.vercmp(${pair.map(of).join(',')}) .. "\\n")`);
  const orders = numbers(must('rpm', ['--eval', `%{lua: ${calls.join(' ')}}`]));
  return pairs.length <= TOGETHER ? orders : [...orders, ...rpm(pairs.slice(TOGETHER))];
}

function dpkg(pairs: readonly Pair[]): readonly Order[] {
  const script = `while read -r a b; do
    if dpkg --compare-versions "$a" lt "$b"; then echo -1; elif dpkg --compare-versions "$a" eq "$b"; then echo 0; else echo 1; fi
  done`;
  return numbers(must('sh', ['-c', script], { input: pairs.map((pair) => `${pair.join(' ')}\n`).join('') }));
}

/** Maven's own class, in the folder of the Maven that is installed. It compares each version with the one before. */
function maven(pairs: readonly Pair[]): readonly Order[] {
  const home = /^Maven home: (.*)$/m.exec(must('mvn', ['--batch-mode', '--version']))?.[1] ?? '';
  const jars = globSync(join(home, 'lib', 'maven-artifact-*.jar'));
  const main = 'org.apache.maven.artifact.versioning.ComparableVersion';
  const out = must('java', ['-cp', jars.join(':'), main, ...pairs.flat()]);
  const compared = lines(out).filter((line) => /^ {3}\S+ [<>=]+ \S+$/.test(line));
  // Of a, b, c, d it compares a with b, b with c, and c with d.
  return pairs.map((_, i) => ['<', '==', '>'].indexOf(compared[2 * i]?.trim().split(' ')[1] ?? '') - 1);
}

function python(pairs: readonly Pair[]): readonly Order[] {
  const script = `
import json, sys
from packaging.version import InvalidVersion, Version
for line in sys.stdin:
    try:
        a, b = map(Version, json.loads(line))
        print((a > b) - (a < b))
    except InvalidVersion:
        print('x')
`;
  const bin = pythonTools('packaging-25.0', 'packaging==25.0');
  return numbers(must(join(bin, 'python'), ['-c', script], { input: input(pairs) }));
}

function ruby(pairs: readonly Pair[]): readonly Order[] {
  const script = `require 'json'
STDIN.each_line do |line|
  pair = JSON.parse(line)
  puts(pair.all? { |text| Gem::Version.correct?(text) } ? pair.map { |text| Gem::Version.new(text) }.reduce(:<=>) : 'x')
end`;
  return numbers(must('ruby', ['-e', script], { input: input(pairs) }));
}

/** npm's own package, the one that npm brings. */
function npm(pairs: readonly Pair[]): readonly Order[] {
  const script = `
    const { createRequire } = require('node:module');
    const { compare, valid } = createRequire(process.argv[1])('semver');
    for (const pair of JSON.parse(require('node:fs').readFileSync(0, 'utf8')))
      console.log(pair.every((text) => valid(text) !== null) ? compare(...pair) : 'x');`;
  const home = join(must('npm', ['root', '--global']).trim(), 'npm', 'package.json');
  return numbers(must('node', ['-e', script, home], { input: JSON.stringify(pairs) }));
}

/** Programs of Go and of Bitnami, by their own libraries (compare.go). */
const go =
  (kind: 'module' | 'toolchain' | 'bitnami') =>
  (pairs: readonly Pair[]): readonly Order[] => {
    const env = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=readonly' };
    const { ok, out, stderr } = run('go', ['run', '.', kind], {
      cwd: join(root, 'tools/ci/verdicts'),
      env,
      input: input(pairs),
    });
    if (!ok) throw new Error(`compare.go failed:\n${stderr}`);
    return numbers(out);
  };

/** An epoch, and the rest of a version. */
const epochOf = (version: string): { readonly epoch: string; readonly rest: string } => {
  const [, epoch = '', rest = version] = /^(?:([0-9]+):)?(.*)$/.exec(version) ?? [];
  return { epoch, rest };
};

/** The package URL of an RPM, which has its epoch in a qualifier. */
const rpmUrl = (vendor: string, qualifiers: (made: MadeUp & { readonly rest: string }) => string) => (made: MadeUp) => {
  const { epoch, rest } = epochOf(made.version);
  const end = epoch === '' ? '' : `&epoch=${epoch}`;
  return `pkg:rpm/${vendor}/${made.name}@${part(rest)}?arch=x86_64${qualifiers({ ...made, rest })}${end}`;
};

export const ECOSYSTEMS: readonly Ecosystem[] = [
  {
    name: 'AlmaLinux:9',
    range: 'ECOSYSTEM',
    names: ['openssl-libs', 'glibc', 'python3.11', 'bind-utils'],
    versions: [
      '1:3.0.7-27.el9',
      '2.34-100.el9_4.2',
      '32:9.16.23-18.el9_4.6',
      '3.11.7-1.el9_4.1',
      '1.9.5p2-10.el9_3',
      '5.14.0-427.13.1.el9_4',
      '0:2.9.13-6.el9_4',
      '4.9.0~rc1-1.module_el9.4.0+66+c2c2ff5d',
      '1.2.11^20230112git1a2b3c4-1.el9',
    ],
    endings: ['.1', '_5', '~beta', '^post1', '.alma.1'],
    order: rpm,
    written: [
      rpmUrl('almalinux', ({ name, rest }) => `&distro=almalinux-9.4&upstream=${name}-${part(rest)}.src.rpm`),
      rpmUrl('alma', () => '&distro=alma-9.4'),
      rpmUrl('almalinux', () => '&distro=almalinux-9'),
    ],
  },
  {
    name: 'Debian:12',
    range: 'ECOSYSTEM',
    names: ['openssl', 'glibc', 'libxml2', 'curl'],
    versions: [
      '3.0.11-1~deb12u2',
      '2.36-9+deb12u4',
      '1:9.18.24-1',
      '7.88.1-10+deb12u5',
      '2.9.14+dfsg-1.3~deb12u1',
      '1.2.13.dfsg-1',
      '0.9.9~rc1-2',
      '20230311',
    ],
    endings: ['+b1', '~bpo12+1', '.1', '~', 'ubuntu1'],
    order: dpkg,
    // A database lists source packages; these are packages that were built from them.
    written: [
      ({ name, version }) => `pkg:deb/debian/lib${name}1@${part(version)}?arch=amd64&upstream=${name}&distro=debian-12`,
      ({ name, version }) =>
        `pkg:deb/debian/${name}-bin@${part(`${version}+b2`)}?arch=amd64&upstream=${part(`${name}@${version}`)}&distro=debian-12.5`,
      ({ name, version }) => `pkg:deb/debian/${name}@${part(version)}?arch=source&distro=debian-12`,
    ],
  },
  {
    name: 'Maven',
    range: 'ECOSYSTEM',
    names: ['org.apache.logging.log4j:log4j-core', 'com.fasterxml.jackson.core:jackson-databind', 'io.netty:netty-all'],
    versions: [
      '2.17.1',
      '2.0-beta9',
      '4.1.100.Final',
      '2.13.4.2',
      '31.1-jre',
      '5.3.0.RELEASE',
      '1.0-alpha-1',
      '2.0.0-M1',
    ],
    endings: ['-SNAPSHOT', '-rc1', '.Final', '-sp1', '.0', '-jre', '-1'],
    order: maven,
    written: [
      ({ name, version }) => `pkg:maven/${name.replace(':', '/')}@${part(version)}`,
      ({ name, version }) => `pkg:maven/${name.replace(':', '/')}@${part(version)}?type=jar`,
    ],
  },
  {
    name: 'PyPI',
    range: 'ECOSYSTEM',
    names: ['jinja2', 'zope-interface', 'ruamel-yaml'],
    versions: ['3.1.2', '2.0.0rc1', '1.0.post1', '4.0.dev3', '2023.7.22', '1!2.0', '1.26.18', '0.9b2', '1.0+local.1'],
    endings: ['rc1', '.post1', '.dev2', 'a1', '.0', '+cu118'],
    order: python,
    written: [
      ({ name, version }) => `pkg:pypi/${name}@${part(version)}`,
      ({ name, version }) => `pkg:pypi/${name.toUpperCase().replaceAll('-', '_')}@${part(version)}`,
      ({ name, version }) => `pkg:pypi/${name.replaceAll('-', '.')}@${part(version)}?file_name=x.whl`,
    ],
  },
  {
    name: 'RubyGems',
    range: 'ECOSYSTEM',
    names: ['nokogiri', 'rails', 'rack'],
    versions: ['1.15.4', '7.0.8', '2.2.6.4', '3.0.0.beta1', '6.1.0.rc2', '1.0.0.pre.1', '4.2.11.3'],
    endings: ['.rc1', '.pre', '.1', '.beta2', '.0'],
    order: ruby,
    written: [
      ({ name, version }) => `pkg:gem/${name}@${version}`,
      ({ name, version }) => `pkg:gem/${name}@${version}-x86_64-linux`,
      ({ name, version }) => `pkg:gem/${name}@${version}?platform=java`,
    ],
  },
  {
    name: 'npm',
    range: 'SEMVER',
    names: ['@angular/core', 'lodash', 'next'],
    versions: [
      '12.0.0-rc.1',
      '4.17.21',
      '1.0.0-beta.11',
      '13.4.20-canary.5',
      '0.0.1-security',
      '5.0.0-next.10',
      '3.1.0',
    ],
    endings: ['-0', '-rc.2', '-alpha.beta', '+build.5', '-rc.10'],
    order: npm,
    written: [
      ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${part(version)}`,
      ({ name, version }) => `pkg:npm/${name}@${part(version)}?vcs_url=git%2Bssh%3A%2F%2Fgit%40example.com`,
    ],
  },
  {
    name: 'Go',
    range: 'SEMVER',
    names: ['github.com/gin-gonic/gin', 'golang.org/x/net', 'github.com/docker/docker'],
    versions: [
      '1.9.1',
      '0.17.0',
      '0.0.0-20230921152053-1f7dba4b6e5a',
      '2.0.3+incompatible',
      '1.2.4-0.20191109021931-daa7c04131f5',
      '25.0.0-rc.1',
    ],
    endings: ['-rc.1', '+incompatible', '-0.20240101000000-abcdefabcdef', '-beta.2'],
    told: (version) => `v${version}`,
    order: go('module'),
    written: [
      ({ name, version }) => `pkg:golang/${name}@v${part(version)}`,
      ({ name, version }) => `pkg:golang/${name}@v${part(version)}?type=module&goos=linux&goarch=amd64`,
      ({ name, version }) => `pkg:golang/${name.replaceAll('/', '%2F')}@v${part(version)}`,
    ],
  },
  {
    name: 'Go (standard library)',
    range: 'SEMVER',
    names: ['stdlib'],
    versions: ['1.20.1', '1.21.0-rc.2', '1.9.0', '1.22.4', '1.10.8', '1.21.0-rc.3'],
    endings: [],
    told: (version) => (/\.(?!0)[0-9]+-/.test(version) ? 'none' : `go${goVersion(version)}`),
    order: go('toolchain'),
    written: [
      ({ version }) => `pkg:golang/stdlib@go${goVersion(version)}`,
      ({ version }) => `pkg:golang/std@go${goVersion(version)}`,
      ({ version }) => `pkg:golang/stdlib@v${version}`,
      ({ version }) => `pkg:golang/std@${version}?type=module`,
    ],
  },
  {
    name: 'Bitnami',
    range: 'SEMVER',
    names: ['wordpress', 'postgresql', 'redis'],
    versions: ['6.2.0', '6.4.9', '16.1.0', '7.2.4', '5.15.12', '11.22.0'],
    endings: ['-1', '-10', '-2'],
    software: (version) => version.replace(/-[0-9]+$/, ''),
    order: go('bitnami'),
    written: [
      ({ name, version }) => `pkg:bitnami/${name}@${version}?arch=amd64&distro=debian-12`,
      ({ name, version }) => `pkg:bitnami/${name}@${version}`,
    ],
  },
];

/** A version of Go's standard library as Go writes it: `1.21.0-rc.2` is `1.21rc2`. */
function goVersion(version: string): string {
  return version.replace(/^([0-9]+\.[0-9]+)\.0-(rc|beta)\.([0-9]+)$/, '$1$2$3');
}
