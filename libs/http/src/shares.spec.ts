import { Shares } from './shares';

const owner = (holder: string, caller: string | null = null) => ({ holder, caller });

describe('shares of 100', () => {
  it('give a holder the part that it may have alone, and half of what others leave while there are others', () => {
    const shares = new Shares(100, 3 / 4);
    expect(shares.reserve(owner('a'), 75)).toBeNull();
    expect(shares.reserve(owner('a'), 1)).toEqual({ whose: 'organization', limit: 75 });
    expect(shares.reserve(owner('b'), 12)).toBeNull();
    expect(shares.reserve(owner('b'), 1)).toEqual({ whose: 'organization', limit: 12 });
    // The first holder keeps what it has beyond its new limit, but gets no more.
    shares.release(owner('a'), 30);
    expect(shares.reserve(owner('a'), 1)).toEqual({ whose: 'organization', limit: 44 });
    expect(shares.reserve(owner('b'), 15)).toBeNull();
  });

  it('are never used up by holders that take all they can', () => {
    const shares = new Shares(100, 3 / 4);
    for (const holder of ['a', 'b', 'c', 'd', 'e']) {
      let refusal = null;
      while (refusal === null) refusal = shares.reserve(owner(holder), 1);
      expect(refusal).toMatchObject({ whose: 'organization' });
    }
    expect(shares.reserve(owner('somebody else'), 1)).toBeNull();
  });

  it('give a caller half of what its holder may have, in whatever organization', () => {
    const shares = new Shares(100, 3 / 4);
    expect(shares.reserve(owner('a', 'ada'), 37)).toBeNull();
    expect(shares.reserve(owner('a', 'ada'), 1)).toEqual({ whose: 'caller', limit: 37 });
    expect(shares.reserve(owner('b', 'ada'), 1)).toEqual({ whose: 'caller', limit: 15 });
    expect(shares.reserve(owner('a', 'bob'), 10)).toBeNull();
  });

  it('let one thing grow to any size while its owner has nothing else, and refuse what is more than all', () => {
    const shares = new Shares(100, 1 / 2);
    expect(shares.reserve(owner('a', 'ada'), 60)).toBeNull();
    expect(shares.reserve(owner('a', 'ada'), 20, 60)).toBeNull();
    expect(shares.reserve(owner('a', 'ada'), 1)).toMatchObject({ whose: 'organization' });
    expect(shares.reserve(owner('b'), 21)).toBe('all');
    shares.release(owner('a', 'ada'), 80);
    expect(shares.reserve(owner('b'), 200)).toBeNull();
  });
});
