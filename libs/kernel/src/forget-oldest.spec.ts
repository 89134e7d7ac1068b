import { forgetOldest } from './forget-oldest';

describe('forgetOldest', () => {
  it('forgets what was put in first until as many are left', () => {
    const remembered = new Map([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
    remembered.delete('a');
    remembered.set('a', 4);
    forgetOldest(remembered, 2);
    expect([...remembered.keys()]).toEqual(['c', 'a']);
    forgetOldest(remembered, 2);
    expect(remembered.size).toBe(2);
  });

  it('accepts a set as well, and leaves a small set unchanged', () => {
    const remembered = new Set(['a', 'b']);
    forgetOldest(remembered, 2);
    expect([...remembered]).toEqual(['a', 'b']);
    forgetOldest(remembered, 0);
    expect(remembered.size).toBe(0);
  });
});
