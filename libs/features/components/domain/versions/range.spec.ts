import type { Ecosystem } from './ecosystem';
import { BOUNDS_MAX, isOtherNotation, isVersionInRange as isInRange, rangeMatcher, readRange } from './range';

/** Undefined too where the range is refused. */
function inRange(ecosystem: Ecosystem, version: string, text: string): boolean | undefined {
  const range = readRange(text);
  if (typeof range === 'string' || range === undefined) return undefined;
  const answer = isInRange(ecosystem, version, range);
  const matcher = rangeMatcher(range);
  expect([matcher(ecosystem, version), matcher(ecosystem, version)]).toEqual([answer, answer]);
  return answer;
}

describe('a version and a range', () => {
  it.each<[Ecosystem, string, string, boolean]>([
    ['maven', '2.14.1', '>=2,<2.17', true],
    ['maven', '2.17', '>=2,<2.17', false],
    ['maven', '2.17-rc1', '>=2,<2.17', true],
    ['maven', '1.2.17', '>=2,<2.17', false],
    ['npm', '4.17.20', '<4.17.21', true],
    ['npm', '4.17.21', '<4.17.21', false],
    ['npm', '4.17.21', '<=4.17.21', true],
    ['npm', '4.17.21', '> 4.17.20', true],
    ['npm', '1.0.0', '=1', true],
    ['npm', '1.0.0', '1.0.0', true],
    ['npm', '1.0.0', '!=1.0.0', false],
    ['npm', '1.0.1', '!=1.0.0', true],
    ['npm', '3.1.0', '>=1,<2||>=3,<4', true],
    ['npm', '3.1.0', ' >= 1 , < 2 | >= 3 , < 4 ', true],
    ['npm', '2.1.0', '>=1,<2||>=3,<4', false],
    ['pypi', '1.0rc1', '<1.0', true],
    ['golang', 'v1.2.4-0.20191109021931-daa7c04131f5', '>1.2.3,<1.2.4', true],
    ['deb', '1.1.1n-0+deb11u3', '<1.1.1n-0+deb11u4', true],
    ['deb', '1:1.0', '<2.0', false],
    ['rpm', '1.0~rc1-1', '<1.0', true],
    ['gem', '5.2.4.10', '>=5.2.4.3', true],
    ['pypi', '1!2.0', '>=1!1.0', true],
    ['pypi', '2.0', '>=1!1.0', false],
    ['pypi', '1!2.0', '!=1!2.0', false],
  ])('%s %s %s: %s', (ecosystem, version, range, answer) => {
    expect(inRange(ecosystem, version, range)).toBe(answer);
  });

  describe('of which one cannot be compared', () => {
    it.each<[string, string]>([
      ['latest', '>=2'],
      ['1.0.0', '>=latest'],
      ['3.0.0', '>=2,<next'],
      ['1.0.0', '>=2||<next'],
      ['', '>=2'],
      ['1'.repeat(257), '>=2'],
    ])('is unknown for %j and %j', (version, range) => {
      expect(inRange('npm', version, range)).toBeUndefined();
    });

    it('is said where another bound decides', () => {
      expect(inRange('npm', '1.0.0', '>=2,<next')).toBe(false);
      expect(inRange('npm', '1.0.0', '>=next||<2')).toBe(true);
    });
  });
});

describe('the notation of a range', () => {
  it.each(['[2.0,2.17)', '(,1.0]', '[1.0]', '2.x', '>=2.X,<3', '1.*', '*', '>=1,<2|[3,4)'])(
    'of other tools is recognized: %s',
    (text) => {
      const range = readRange(text);
      expect(Array.isArray(range) && isOtherNotation(range)).toBe(true);
    },
  );

  it.each(['>=2,<2.17', '1.0-xml', '<2.x86', '=1.0.axiom-x1', '1!2.0'])(
    'of this service is not taken for another: %s',
    (text) => {
      const range = readRange(text);
      expect(Array.isArray(range) && isOtherNotation(range)).toBe(false);
    },
  );
});

describe('a range', () => {
  it('is read as alternatives of bounds', () => {
    expect(readRange('>=2,<2.17 || 3')).toEqual([
      [
        { operator: '>=', version: '2' },
        { operator: '<', version: '2.17' },
      ],
      [{ operator: '=', version: '3' }],
    ]);
  });

  it.each([
    '',
    ' ',
    ',',
    '|',
    '||',
    '>=',
    '>=1,',
    ',>=1',
    '>=1|||<2',
    '=>1',
    '==1',
    '>=1 <2',
    '~1',
    '^1',
    '1<2',
    '<>1',
  ])('is refused: %j', (text) => {
    const isVersion = /^[~^]/.test(text);
    expect(readRange(text) === undefined).toBe(!isVersion);
    expect(inRange('npm', '1.0.0', text)).toBeUndefined();
  });

  it('has at most 1,024 characters', () => {
    expect(inRange('npm', '1.0.0', `=2|${' '.repeat(1_020)}1`)).toBe(true);
    expect(readRange(`=2|${' '.repeat(1_020)}=1`)).toBe('too-long');
  });

  it.each(['|', '||', ','])('has at most 20 bounds, joined by %j', (by) => {
    const bounds = Array.from({ length: BOUNDS_MAX }, (_, i) => `<${i + 2}`);
    expect(inRange('npm', '1.0.0', bounds.join(by))).toBe(true);
    expect(readRange([...bounds, '<1'].join(by))).toBe('too-many-bounds');
  });

  it.each(['|', ',', '>', '=', ' ', '<1,', '||1', '>= ', '1|'])('ends for repetitions of %j', (piece) => {
    const long = piece.repeat(Math.ceil(100_000 / piece.length));
    expect(inRange('npm', '1.0.0', long)).toBeUndefined();
    expect(inRange('npm', '1.0.0', long.slice(0, 1_024))).toBeUndefined();
  });
});
