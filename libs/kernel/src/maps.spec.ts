import { addTo, getOrInsert, groupBy } from './maps';

describe('values of maps', () => {
  it('are made once for each key', () => {
    const made: string[] = [];
    const map = new Map([['b', 0]]);
    const lengthOf = (key: string) => getOrInsert(map, key, () => made.push(key));
    expect([lengthOf('a'), lengthOf('b'), lengthOf('c'), lengthOf('a')]).toEqual([1, 0, 2, 1]);
    expect(made).toEqual(['a', 'c']);
    expect([...map]).toEqual([
      ['b', 0],
      ['a', 1],
      ['c', 2],
    ]);
  });

  it('are lists that items are appended to', () => {
    const lists = new Map([['even', [0]]]);
    for (const item of [1, 2, 3, 4]) addTo(lists, item % 2 === 0 ? 'even' : 'odd', item);
    expect([...lists]).toEqual([
      ['even', [0, 2, 4]],
      ['odd', [1, 3]],
    ]);
  });

  it('are groups of items, with keys and items in order', () => {
    expect([...groupBy(['pear', 'fig', 'plum', 'kiwi', 'nut'], ({ length }) => length)]).toEqual([
      [4, ['pear', 'plum', 'kiwi']],
      [3, ['fig', 'nut']],
    ]);
  });
});
