import { baseName, numberedName, packageName, safePart } from './names';

describe('names of others as parts of paths', () => {
  it.each([
    ['../../etc/passwd', 'etc_passwd'],
    ['..', 'unnamed'],
    ['', 'unnamed'],
    ['-rf', 'rf'],
    ['a\u0000b\nc', 'a_b_c'],
    ['データ', 'unnamed'],
    ['Prüfung ✓ 7', 'Prufung_7'],
    ['trailing.', 'trailing'],
    ['x'.repeat(300), 'x'.repeat(40)],
  ])('%j becomes %j', (text, expected) => {
    expect(safePart(text, 40)).toBe(expected);
  });

  it('keep the end of a file that tells its kind', () => {
    expect(safePart(`${'x'.repeat(300)}.tar.gz`, 12, 'end')).toBe('xxxxx.tar.gz');
  });

  it('lose the folders that they came with, of either system', () => {
    expect([baseName('/tmp/a/b.txt'), baseName('C:\\x\\b.txt'), baseName('a\n/b')]).toEqual(['b.txt', 'b.txt', 'b']);
  });

  it('are told apart by a number that sorts', () => {
    expect(numberedName(7, 4, 'scan')).toBe('0007-scan');
  });

  it('make the name of a package, whatever they are', () => {
    expect(packageName('shop', '../"; rm')).toBe('audit-package-shop-rm.tgz');
    expect(packageName('x'.repeat(300), 'データ')).toBe(`audit-package-${'x'.repeat(60)}-unnamed.tgz`);
  });
});
