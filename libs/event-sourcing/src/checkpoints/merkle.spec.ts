import fc from 'fast-check';
import { leafHash, pathOf, rootBy, rootOf } from './merkle';

const leaves = (count: number) => Array.from({ length: count }, (_, i) => leafHash(String(i)));

describe('a Merkle tree', () => {
  it('has the roots of RFC 9162', () => {
    // The test vectors of RFC 6962 implementations: leaves "", 00, 10.
    const bytes = ['', '\u0000', '\u0010'].map(leafHash);
    expect(bytes[0]).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d');
    expect(rootOf(bytes.slice(0, 2))).toBe('fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125');
    expect(rootOf(bytes)).toBe('aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77');
  });

  it('leads from every leaf to its root, and from no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }), fc.nat(), (count, any) => {
        const all = leaves(count);
        const index = any % count;
        expect(rootBy(all[index] ?? '', pathOf(all, index))).toBe(rootOf(all));
        expect(rootBy(leafHash('other'), pathOf(all, index))).not.toBe(rootOf(all));
      }),
    );
  });

  it('is the tree over the roots of its parts, where each but the last has a power of two', () => {
    for (let count = 1; count <= 40; count += 1) {
      const all = leaves(count);
      const parts = Array.from({ length: Math.ceil(count / 8) }, (_, i) => all.slice(8 * i, 8 * i + 8));
      expect(rootOf(parts.map(rootOf))).toBe(rootOf(all));
    }
  });
});
