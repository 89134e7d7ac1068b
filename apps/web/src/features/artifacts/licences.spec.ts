import { licencesOf, findMatching, NOT_STATED } from './licences';

const component = (name: string, ...licences: string[]) => ({
  name,
  licences,
  version: '1.0',
  purl: `pkg:npm/${name}@1.0`,
});
const ALL = [component('a', 'MIT'), component('b', 'Apache-2.0', 'MIT'), component('c'), component('d', 'MIT', 'MIT')];

describe('licences of components', () => {
  it('are counted by component, with unknown licences last', () => {
    expect(licencesOf(ALL)).toEqual([
      { licence: 'MIT', components: ['a', 'b', 'd'] },
      { licence: 'Apache-2.0', components: ['b'] },
      { licence: null, components: ['c'] },
    ]);
  });

  it('are none without components', () => {
    expect(licencesOf([])).toEqual([]);
  });
});

describe('components with a text and a licence', () => {
  it.each([
    ['', '', ['a', 'b', 'c', 'd']],
    ['npm/C@', '', ['c']],
    [' 1.0', '', ['a', 'b', 'c', 'd']],
    ['nothing', '', []],
    ['', 'MIT', ['a', 'b', 'd']],
    ['b', 'MIT', ['b']],
    ['', NOT_STATED, ['c']],
  ])('%j and %j are %j', (text, licence, names) => {
    expect(findMatching(ALL, text, licence).map(({ name }) => name)).toEqual(names);
  });
});
