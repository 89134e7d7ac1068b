import fc from 'fast-check';
import { readTemplate } from './read-template';
import { YAML_BYTES_MAX } from './read-yaml';

const read = (yaml: string) => readTemplate(Buffer.from(yaml));

describe('a flow template', () => {
  it.each([
    ['the smallest', 'version: 1\n'],
    ['nothing in its trail', 'trail:\n'],
    ['empty lists', 'version: 1\ntrail:\n  attestations: []\n  artifacts:\n'],
    [
      'everything',
      'version: 1\ntrail:\n  attestations:\n    - {name: review, type: pull_request}\n    - {name: risk, type: "custom:risk"}\n  artifacts:\n    - name: web\n      attestations:\n        - {name: unit, type: junit}\n        - {name: any, type: "*"}\n    - name: api\n',
    ],
  ])('of %s is kept as it came', (_, yaml) => {
    expect(read(yaml)).toMatchObject({ ok: true, value: { yaml } });
  });

  it('says what it asks for, and leaves that out where it asks for nothing', () => {
    const yaml = 'trail:\n  attestations: [{name: review, type: generic}]\n  artifacts:\n    - name: web\n';
    const trail = {
      attestations: [{ name: 'review', type: 'generic' }],
      artifacts: [{ name: 'web', attestations: [] }],
    };
    expect(read(yaml)).toEqual({ ok: true, value: { yaml, trail } });
    expect(read('trail:\n')).toEqual({ ok: true, value: { yaml: 'trail:\n' } });
  });

  it.each([
    ['an unknown key', 'version: 1\ncolour: red\n', 'colour', 'Unknown key (line 2, column 9)'],
    ['another version', 'version: 2\n', 'version', 'Input should be 1 [input: 2] (line 1, column 10)'],
    ['a list', '- version\n', '', 'Input should be an object [input: ["version"]] (line 1, column 1)'],
    [
      'no type',
      'trail:\n  attestations:\n    - name: a\n',
      'trail.attestations.0.type',
      'Field required (line 3, column 7)',
    ],
    [
      'an unknown type',
      'trail:\n  attestations:\n    - {name: a, type: magic}\n',
      'trail.attestations.0.type',
      expect.stringContaining('[input: magic] (line 3, column 23)'),
    ],
    [
      'an empty name',
      'trail:\n  artifacts:\n    - name: ""\n',
      'trail.artifacts.0.name',
      expect.stringContaining('(line 3, column 13)'),
    ],
    [
      'two of one name',
      'trail:\n  artifacts:\n    - name: web\n    - name: web\n',
      'trail.artifacts.1.name',
      'The name is given twice [input: web] (line 4, column 13)',
    ],
    [
      'a text for a list',
      'trail:\n  artifacts: web\n',
      'trail.artifacts',
      'Input should be a list [input: web] (line 2, column 14)',
    ],
    [
      'broken YAML',
      'version: [1\n',
      '',
      expect.stringMatching(/^The template is not valid YAML: .*\(line 2, column 1\)$/),
    ],
    ['a key given twice', 'version: 1\nversion: 1\n', '', expect.stringContaining('(line 2, column 1)')],
    ['an alias that leads nowhere', 'trail: *a\n', '', expect.stringContaining('alias')],
  ])('with %s is refused, with its place', (_, yaml, path, text) => {
    expect(read(yaml)).toEqual({ ok: false, refusal: { [path]: text } });
  });

  it('is refused when it is too large, no UTF-8, or a bomb of aliases', () => {
    expect(readTemplate(new Uint8Array(YAML_BYTES_MAX + 1).fill(32)).ok).toBe(false);
    expect(readTemplate(Uint8Array.of(0xff, 0xfe)).ok).toBe(false);
    const bomb = `a: &a [x,x,x,x,x,x,x,x]\n${'bcdefgh'
      .split('')
      .map(
        (key, i) =>
          `${key}: &${key} [${Array(8)
            .fill(`*${'abcdefg'[i] ?? ''}`)
            .join(',')}]`,
      )
      .join('\n')}\n`;
    expect(read(bomb)).toEqual({ ok: false, refusal: { '': expect.stringContaining('too many aliases') as string } });
  });

  it('never throws, whatever it holds', () => {
    const pieces = fc.constantFrom(
      'version',
      ':',
      ' ',
      '\n',
      '- ',
      '1',
      'trail',
      '  ',
      '&a',
      '*a',
      '[',
      ']',
      '{',
      '}',
      '"',
      '!!x',
      '|',
      '#',
      'name',
      '\t',
      '%',
      '---',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 40 }), (parts) => {
        expect(typeof read(parts.join('')).ok).toBe('boolean');
      }),
      { numRuns: 500 },
    );
  });
});
