import { memberProjections } from './members';

const of = (...includedEnvironments: string[]) => ({ id: 'all', includedEnvironments });
const left = (...change: Parameters<typeof memberProjections>) =>
  memberProjections(...change).map(({ id, doc }) => [id, doc]);
const pair = (member: string) => [`all/${member}`, { member, logical: 'all', key: `all/${member}` }];

describe('documents of the members of a logical environment', () => {
  it('are made for whoever joins, and removed for whoever leaves', () => {
    expect(left(null, of('a', 'b'))).toEqual([pair('a'), pair('b')]);
    expect(left(of('a', 'b'), of('b', 'c'))).toEqual([['all/a', null], pair('c')]);
    expect(left(of('a'), { id: 'all', includedEnvironments: null })).toEqual([['all/a', null]]);
  });

  it('stay as they are when something else changes', () => {
    const same = of('a');
    expect(left(same, { ...same })).toEqual([]);
    expect(left(null, { id: 'prod', includedEnvironments: null })).toEqual([]);
  });
});
