import fc from 'fast-check';
import { fromKey, toKey } from './key';

describe('names as keys', () => {
  it('come back as they were, hold no U+0000 and no lone surrogate, and differ where the names do', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', '"', '\\', '\u0000', '\u001b', '\ud800', '\udc00', '\u{1f600}', '\u20ac'),
    });
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(fromKey(toKey(one))).toBe(one);
        expect(toKey(one).isWellFormed() && !toKey(one).includes('\u0000')).toBe(true);
        expect(toKey(one) === toKey(other)).toBe(one === other);
      }),
    );
  });
});
