import { resolve } from 'node:path';
import { withWholePath } from './words';

describe('withWholePath', () => {
  it.each([
    ['import', ['a.archive'], [resolve('a.archive')]],
    ['backup', ['copies', '--keep', '3'], [resolve('copies'), '--keep', '3']],
    ['export', ['--organization', 'acme', '--to', 'a'], ['--organization', 'acme', '--to', resolve('a')]],
    ['vulnerabilities', ['acme', 'osv.json'], ['acme', resolve('osv.json')]],
    ['vulnerabilities', ['acme', '/osv.json'], ['acme', '/osv.json']],
    ['vulnerabilities', ['acme', ''], ['acme', '']],
    ['export', ['acme', 'a'], ['acme', 'a']],
    ['verify', ['a', 'b'], ['a', 'b']],
    [undefined, [], []],
  ])('makes the file or folder of %s absolute: %j', (name, args, whole) => {
    expect(withWholePath(name, args)).toEqual(whole);
  });
});
