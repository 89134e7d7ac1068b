import { returnPathOf } from './paths';

describe('where signing in leads back to', () => {
  it.each([
    [undefined, '/'],
    ['/', '/'],
    ['/acme/flows?page=1&q=a%20b', '/acme/flows?page=1&q=a%20b'],
    ['/acme/環境', '/acme/%E7%92%B0%E5%A2%83'],
    ['/acme/../other', '/other'],
  ])('takes the page %j', (input, path) => {
    expect(returnPathOf(input)).toBe(path);
  });

  it.each([
    ['another host', 'https://evil.example/'],
    ['another host without a scheme', '//evil.example'],
    ['another host by a backslash', '/\\evil.example'],
    ['another host by a tab', '/\t/evil.example'],
    ['another host behind dots', '/..//evil.example'],
    ['another host behind an encoded dot', '/%2e%2e//evil.example'],
    ['a script', 'javascript:alert(1)'],
    ['a relative path', 'acme'],
    ['an empty text', ''],
    ['the API', '/api/v2/session'],
    ['the API behind dots', '/acme/../api/v2'],
    ['two paths', ['/a', '/b']],
    ['a header of its own', '/a\r\nset-cookie: a=b'],
    ['more than an address takes', `/${'a'.repeat(2_000)}`],
  ])('refuses %s', (_, values) => {
    expect(returnPathOf(values)).toBeNull();
  });
});
