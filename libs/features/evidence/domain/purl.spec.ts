import fc from 'fast-check';
import { readPurl } from './purl';

const read = (text: string) => readPurl(text)?.text ?? null;

describe('package URLs', () => {
  it.each([
    ['pkg:NPM/Lodash@4.17.21', 'pkg:npm/lodash@4.17.21'],
    ['pkg:npm/@acme/shop@1.4', 'pkg:npm/%40acme/shop@1.4'],
    ['pkg:npm/%40acme/shop@1.4', 'pkg:npm/%40acme/shop@1.4'],
    ['pkg:pypi/Foo_Bar@1.0', 'pkg:pypi/foo-bar@1.0'],
    ['pkg:github/Foo/Bar@1', 'pkg:github/foo/bar@1'],
    ['pkg://npm/foo@1', 'pkg:npm/foo@1'],
    ['pkg:generic/x@1?b=2&a=1', 'pkg:generic/x@1?a=1&b=2'],
    ['pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1', 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1'],
  ])('have one canonical form: %s', (text, canonical) => expect(read(text)).toBe(canonical));

  it('of all versions of a package share its own', () => {
    const purl = readPurl('pkg:maven/org.apache/log4j@2.14.1?type=jar#sub');
    expect(purl).toMatchObject({ package: 'pkg:maven/org.apache/log4j', type: 'maven', version: '2.14.1' });
    expect(readPurl('pkg:maven/org.apache/log4j')).toMatchObject({ package: purl?.package, version: null });
  });

  it('are read where their type has none without a version', () =>
    expect(readPurl('pkg:swift/github.com/acme/kit@1.0.0?a=b')).toMatchObject({
      text: 'pkg:swift/github.com/acme/kit@1.0.0?a=b',
      package: 'pkg:swift/github.com/acme/kit',
    }));

  it.each([
    '',
    'log4j',
    'pkg:',
    'pkg:npm',
    'pkg:npm/a\u0000b@1',
    'pkg:npm/a%00b@1',
    'pkg:npm/a%0Ab@1',
    'pkg:generic/a@1%1b',
  ])('are none: %j', (text) => expect(read(text)).toBeNull());

  it('are none beyond 2,048 characters, as they are written and in their canonical form', () => {
    expect(read(`pkg:generic/${'x'.repeat(2_048)}`)).toBeNull();
    expect(read(`pkg:generic/a?k=${'é'.repeat(338)}`)).toHaveLength(2_044);
    expect(read(`pkg:generic/a?k=${'é'.repeat(339)}`)).toBeNull();
  });

  it('in their canonical form are read, as the same', () => {
    const part = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    const types = fc.constantFrom('npm', 'maven', 'pypi', 'golang', 'generic', 'github', 'deb', 'huggingface', 'oci');
    const parts = fc.tuple(types, part, part, part, fc.nat({ max: 30 }), fc.boolean());
    fc.assert(
      fc.property(parts, ([type, namespace, name, version, times, isEscaped]) => {
        const write = (text: string) => (isEscaped ? encodeURIComponent(text) : text).repeat(times + 1);
        const text = read(
          `pkg:${type}/${write(namespace)}/${write(name)}@${write(version)}?k=${write(name)}#${version}`,
        );
        if (text !== null) expect(read(text)).toBe(text);
      }),
      { numRuns: 200 },
    );
  });
});
