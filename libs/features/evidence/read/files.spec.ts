import fc from 'fast-check';
import { evidenceFiles } from './files';

const blobs = { open: () => Promise.resolve(null) };
const filesNamed = (...names: string[]) => {
  const attachments = names.map((filename) => ({ filename, sha256: 'a'.repeat(64), size: 1 }));
  return evidenceFiles(blobs, 'o1', attachments).map(({ path }) => path);
};

describe('the files of an attestation', () => {
  it.each([
    [['scan.json'], ['scan.json']],
    [
      ['scan.json', 'scan.json'],
      ['scan.json', '2-scan.json'],
    ],
    [
      ['3-scan', 'scan', 'scan'],
      ['3-scan', 'scan', '4-scan'],
    ],
    [
      ['Scan', 'scan'],
      ['Scan', '2-scan'],
    ],
    [['../../etc/passwd'], ['passwd']],
    [['a\n/b'], ['b']],
    [['C:\\x\\b.txt'], ['b.txt']],
    [['-rf'], ['rf']],
    [[`x-${'y'.repeat(89)}`], ['y'.repeat(89)]],
    [
      ['..', ''],
      ['attachment', '2-attachment'],
    ],
  ])('%j are called %j', (values, paths) => {
    expect(filesNamed(...values)).toEqual(paths);
  });

  it('have safe and distinct names, for any names of attachments', () => {
    const text = fc.oneof(fc.string({ unit: fc.constantFrom('a', 'A', '2', '-', '.', '/', 'é', '\n') }), fc.string());
    fc.assert(
      fc.property(fc.array(text, { maxLength: 10 }), (names) => {
        const paths = filesNamed(...names);
        const distinct = new Set(paths.map((path) => path.toLowerCase()));
        return distinct.size === names.length && paths.every((path) => /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/.test(path));
      }),
    );
  });
});
