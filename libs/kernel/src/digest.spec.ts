import { byteLength, sha256, sha256InSlices } from './digest';

describe('a digest', () => {
  it('is SHA-256 in lower-case hexadecimal (FIPS 180, sample `abc`)', () => {
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
  it('of a text is that of its UTF-8 bytes', () => {
    expect(sha256('€')).toBe(sha256(new Uint8Array([0xe2, 0x82, 0xac])));
    expect(byteLength('€')).toBe(3);
  });
  it('of many bytes in slices is that of the whole', async () => {
    for (const size of [0, 1, 1024 * 1024, 5 * 1024 * 1024 + 1]) {
      const bytes = new Uint8Array(size).fill(7);
      expect(await sha256InSlices(bytes)).toBe(sha256(bytes));
    }
  });
});
