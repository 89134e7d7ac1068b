import { longPartOf, PARSER_BYTES, REQUEST_BOUNDS } from './request-bounds';

const { target, header, cookies, headers } = REQUEST_BOUNDS;

/** Headers of these lengths, name and value together. */
function fields(...lengths: readonly (readonly [name: string, bytes: number])[]): string[] {
  return lengths.flatMap(([name, bytes]) => [name, 'a'.repeat(bytes - name.length)]);
}

describe('longPartOf', () => {
  it.each([
    ['an address', { url: '/'.padEnd(target, 'a'), rawHeaders: [] }],
    ['one header', { url: '/', rawHeaders: fields(['Accept', header]) }],
    ['cookies', { url: '/', rawHeaders: fields(['Cookie', cookies]) }],
    ['all headers', { url: '/', rawHeaders: fields(['a', header], ['b', header], ['Cookie', headers - 2 * header]) }],
    ['999 headers', { url: '/', rawHeaders: fields(...Array.from({ length: 999 }, () => ['a', 2] as const)) }],
  ])('lets %s pass at the bound', (_, request) => {
    expect(longPartOf(request)).toBe(null);
  });

  it.each([
    [
      'an address',
      { url: '/'.padEnd(target + 1, 'a'), rawHeaders: [] },
      414,
      'The address has 8193 bytes, more than the limit of 8192 bytes. Send shorter values in its query, or fewer',
    ],
    [
      'one header',
      { url: '/', rawHeaders: fields(['Accept', header + 1]) },
      431,
      "The header 'accept' has 8193 bytes, more than the limit of 8192 bytes. Send a shorter one",
    ],
    [
      'a long name',
      { url: '/', rawHeaders: fields(['b'.repeat(header), header + 1]) },
      431,
      `The header '${'b'.repeat(100)}' has 8193 bytes, more than the limit of 8192 bytes. Send a shorter one`,
    ],
    [
      'one header in parts',
      { url: '/', rawHeaders: fields(['TE', header / 2], ['te', header / 2 + 1]) },
      431,
      "The header 'te' has 8193 bytes, more than the limit of 8192 bytes. Send a shorter one",
    ],
    [
      'cookies',
      { url: '/', rawHeaders: fields(['Cookie', cookies + 1]) },
      431,
      "The header 'cookie' has 16385 bytes, more than the limit of 16384 bytes. Send a shorter one",
    ],
    [
      'all headers',
      { url: '/', rawHeaders: fields(['a', header], ['b', header], ['c', header], ['d', header], ['e', 2]) },
      431,
      'The headers have 32770 bytes, more than the limit of 32768 bytes. Send fewer or shorter headers',
    ],
    [
      '1,000 headers, of which Node may have left out more',
      { url: '/', rawHeaders: fields(...Array.from({ length: 1_000 }, () => ['a', 2] as const)) },
      431,
      'There are more than 999 headers. Send fewer',
    ],
  ])('refuses %s beyond the bound', (_, request, status, message) => {
    expect(longPartOf(request)).toEqual({ status, message });
  });

  it('gives a gateway room for headers of its own', () => {
    const all = fields(['a', header], ['b', header], ['c', header], ['d', header], ['x-assurance-identity', 2_000]);
    expect(longPartOf({ url: '/', rawHeaders: all })?.status).toBe(431);
    expect(longPartOf({ url: '/', rawHeaders: all }, 4_096)).toBe(null);
  });

  it('comes before the bound of Node', () => {
    expect(target + headers + 4_096).toBeLessThan(PARSER_BYTES);
  });
});
