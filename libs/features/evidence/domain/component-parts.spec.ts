import { canonicalJson } from '@assurance/kernel';
import { COMPONENT_TEXT_MAX, componentParts, COMPONENTS_RECORDED_MAX } from './component-parts';

const npm = (i: number, version = '1.0') => ({
  name: `lib-${i}`,
  version,
  sha256: null,
  purl: `pkg:npm/lib-${i}@${version}`,
});
const many = (count: number) => Array.from({ length: count }, (_, i) => npm(i));
const textsOf = ({ parts }: ReturnType<typeof componentParts>) => new Set(parts.map(canonicalJson));

describe('parts of a list of components', () => {
  it('hold each component once, whatever their order in the document', () => {
    const all = many(1_000);
    const parts = componentParts(all);
    expect(componentParts([...all, ...all].reverse())).toEqual(parts);
    expect(parts.parts.flat()).toHaveLength(1_000);
    expect(parts.left).toBe(0);
  });

  it('are mostly shared by lists that differ in one component', () => {
    const before = textsOf(componentParts(many(5_000)));
    const after = textsOf(componentParts([...many(5_000).filter((_, i) => i !== 77), npm(77, '1.1')]));
    expect(before.size).toBeGreaterThan(20);
    expect([...after].filter((part) => !before.has(part)).length).toBeLessThanOrEqual(2);
  });

  it('hold at most so many components, and count the others', () => {
    const { parts, left } = componentParts(many(COMPONENTS_RECORDED_MAX + 3));
    expect(parts.flat()).toHaveLength(COMPONENTS_RECORDED_MAX);
    expect(left).toBe(3);
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(512);
  });

  it('stay small where texts are long', () => {
    const licences = Array.from({ length: 20 }, (_, i) => `${i}`.padEnd(COMPONENT_TEXT_MAX, '\u0001'));
    const long = (i: number) => ({ ...npm(i), licences, name: `${i}`.padEnd(COMPONENT_TEXT_MAX, '\u20ac') });
    const all = Array.from({ length: 60 }, (_, i) => long(i));
    const { parts } = componentParts(all);
    const largest = Math.max(...parts.map((part) => Buffer.byteLength(canonicalJson(part))));
    expect(largest).toBeLessThan(256 * 1024 + 80 * 1024);
    expect(parts.flat()).toHaveLength(60);
  });

  it('hold a component without a valid package URL by name and version, and cut long texts', () => {
    const odd = { name: `a\ud800${'n'.repeat(600)}`, version: null, purl: 'pkg:npm/a%00b@1', sha256: null };
    const [[row] = []] = componentParts([odd]).parts;
    expect(row).toEqual({ purl: null, name: `a\ufffd${'n'.repeat(510)}`, version: null, licences: [], sha256: null });
    expect(row?.name).toHaveLength(COMPONENT_TEXT_MAX);
  });

  it('hold package URLs that can be read, whatever they are written as', () => {
    const long = `pkg:generic/a?k=${'é'.repeat(500)}`;
    const [[row] = []] = componentParts([{ ...npm(1), purl: long }]).parts;
    expect(row).toMatchObject({ purl: null, name: 'lib-1' });
  });

  it('take the version of the package URL where the document names none', () => {
    const [[row] = []] = componentParts([{ ...npm(1, '2.0'), version: null }]).parts;
    expect(row).toMatchObject({ purl: 'pkg:npm/lib-1@2.0', version: '2.0' });
  });

  it('are none of an empty list', () => expect(componentParts([])).toEqual({ parts: [], left: 0, unmatched: 0 }));

  const purlOf = (component: Parameters<typeof componentParts>[0] extends Iterable<infer C> ? Partial<C> : never) => {
    const [[row] = []] = componentParts([{ name: 'a', version: '1', sha256: null, purl: null, ...component }]).parts;
    return row?.purl;
  };

  it('have the version and the source package that the document names beside the package URL', () => {
    expect(purlOf({ purl: 'pkg:npm/lodash', version: '4.17.21' })).toBe('pkg:npm/lodash@4.17.21');
    expect(purlOf({ purl: 'pkg:npm/lodash@4.17.20', version: '4.17.21' })).toBe('pkg:npm/lodash@4.17.20');
    expect(purlOf({ purl: 'pkg:npm/lodash', version: '' })).toBe('pkg:npm/lodash');
    const libssl = 'pkg:deb/debian/libssl3@3.0.11-1?distro=debian-12.4';
    const source = 'openssl@3.0.11-1~deb12u1';
    expect(purlOf({ purl: libssl, source })).toBe(`${libssl}&upstream=openssl%403.0.11-1%7Edeb12u1`);
    expect(purlOf({ purl: `${libssl}&upstream=other`, source })).toBe(`${libssl}&upstream=other`);
    expect(purlOf({ purl: 'pkg:npm/lodash@1', source })).toBe('pkg:npm/lodash@1');
  });

  it('count packages that no database can list', () => {
    const count = (...components: readonly object[]) =>
      componentParts(components.map((one, i) => ({ name: `a${i}`, version: '1', sha256: null, purl: null, ...one })))
        .unmatched;
    const unreadable = ['pkg:maven/log4j@1.2.17', 'pkg:golang/@(devel)', 'pkg:npm/%00@1', 'lodash@1'];
    const uncompared = ['pkg:generic/openssl@1.0.1', 'pkg:rpm/fedora/curl@8', 'pkg:docker/web@1'];
    const compared = ['pkg:npm/a@1', 'pkg:rpm/sles/curl@8', 'pkg:deb/curl@8', 'pkg:github/actions/checkout@v3'];
    expect(count({})).toBe(1);
    expect(unreadable.map((purl) => count({ purl }))).toEqual([1, 1, 1, 1]);
    expect(uncompared.map((purl) => count({ purl }))).toEqual([1, 1, 1]);
    expect(compared.map((purl) => count({ purl }))).toEqual([0, 0, 0, 0]);
    expect(count({ isOther: true }, { version: null }, { version: '' })).toBe(0);
  });
});
