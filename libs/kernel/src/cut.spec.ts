import fc from 'fast-check';
import { pieces } from './cut';

describe('pieces', () => {
  it('gives all items in their order; only the last piece may be shorter', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 9 }), (items, most) => {
        const all = pieces(items, most);
        expect(all.flat()).toEqual(items);
        expect(all.slice(0, -1).every((piece) => piece.length === most)).toBe(true);
        expect(all.every((piece) => piece.length > 0 && piece.length <= most)).toBe(true);
      }),
    );
  });
});
