import fc from 'fast-check';
import { uuidv7 } from './uuid';

const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const random = fc.uint8Array({ minLength: 10, maxLength: 16 });

describe('a UUIDv7', () => {
  it('has the form, version and variant of RFC 9562', () => {
    fc.assert(
      fc.property(time, random, (at, bytes) =>
        expect(uuidv7(at, bytes)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      ),
    );
  });

  it('begins with its time in milliseconds', () => {
    fc.assert(
      fc.property(time, random, (at, bytes) =>
        expect(parseInt(uuidv7(at, bytes).replace('-', '').slice(0, 12), 16)).toBe(at),
      ),
    );
  });

  it('sorts by its time, whatever the random bytes', () => {
    fc.assert(
      fc.property(time, time, random, random, (a, b, some, other) => {
        fc.pre(a < b);
        expect(uuidv7(a, some) < uuidv7(b, other)).toBe(true);
      }),
    );
  });

  it('differs when its random bytes differ in any of 74 bits', () => {
    const zeros = new Uint8Array(10);
    const ids = new Set([uuidv7(1, zeros)]);
    for (let bit = 0; bit < 80; bit += 1) {
      const bytes = zeros.slice();
      bytes[bit >> 3] = 1 << (bit & 7);
      ids.add(uuidv7(1, bytes));
    }
    expect(ids.size - 1).toBe(74);
  });

  it('makes the example of RFC 9562, appendix A.6', () => {
    const bytes = Buffer.from('cc3' + '18c4' + 'dc0c0c07398f' + '0', 'hex');
    expect(uuidv7(0x017f22e279b0, bytes)).toBe('017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
  });

  it('needs 10 random bytes', () => expect(() => uuidv7(1, new Uint8Array(9))).toThrow(RangeError));
});
