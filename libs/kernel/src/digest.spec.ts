import { byteLength, sha256, sha256OfParts } from './digest';
import { atOnce } from './slices';

describe('a digest', () => {
  it('is SHA-256 in lower-case hexadecimal (FIPS 180, sample `abc`)', () => {
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
  it('of a text is that of its UTF-8 bytes', () => {
    expect(sha256('€')).toBe(sha256(new Uint8Array([0xe2, 0x82, 0xac])));
    expect(byteLength('€')).toBe(3);
  });
  it('of parts is that of the whole text', () => {
    expect(atOnce(sha256OfParts(['a', '€', '', '🚀']))).toBe(sha256('a€🚀'));
    expect(atOnce(sha256OfParts([]))).toBe(sha256(''));
  });
});
