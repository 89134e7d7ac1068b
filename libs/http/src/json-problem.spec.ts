import fc from 'fast-check';
import { jsonProblem } from './json-problem';

const fault = (text: string) => {
  try {
    JSON.parse(text);
  } catch (error) {
    return error;
  }
  return new Error('none');
};
const problem = (text: string) => jsonProblem(text, fault(text));

describe('the problem of a text that is no JSON', () => {
  it.each([
    ['{"a": 1,}', "unexpected '}' at line 1, column 9"],
    ['{\n  "a": 1,\n  "b": [1, 2,],\n}', "unexpected ']' at line 3, column 14"],
    ["{'a': 1}", "unexpected ''' at line 1, column 2"],
    ['{"a": 1', 'it ends too early at line 1, column 8'],
    ['', 'it ends too early at line 1, column 1'],
    ['{"a": tru}', "unexpected 't' at line 1, column 7"],
    ['{"a": 01}', "unexpected '1' at line 1, column 8"],
    ['{"a": NaN}', "unexpected 'N' at line 1, column 7"],
    ['{"a": "x\ny"}', 'at line 1, column 9'],
    ['{"a": "\\x"}', "unexpected '\\' at line 1, column 8"],
    ['{"a" 1}', "unexpected '1' at line 1, column 6"],
    ['[1 2]', "unexpected '2' at line 1, column 4"],
    ['{} {}', "unexpected '{' at line 1, column 4"],
    ['\u{feff}{}', 'at line 1, column 1'],
    ['[😀]', "unexpected '😀' at line 1, column 2"],
    ['# comment', "unexpected '#' at line 1, column 1"],
  ])('of %j is %s', (text, place) => {
    expect(problem(text)).toContain(`Input is not valid JSON: `);
    expect(problem(text)).toContain(place);
  });

  it('shows the text around the fault, not its beginning', () => {
    const text = `{"padding": "${'x'.repeat(600)}", "name": "shop",}`;
    expect(problem(text)).toMatch(/column 632 \[input: x+", "name": "shop",\}\]$/);
  });

  it('names a key that is not allowed, where the text is JSON', () => {
    const thrown = new SyntaxError('Object contains forbidden prototype property');
    expect(jsonProblem('{"a":{"__proto__":{}}}', thrown)).toMatch(/^The key '__proto__' is not allowed/);
  });

  it('finds a fault exactly where the parser of JavaScript does', () => {
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', ']', '"', ':', '\\', 'x', '0', '{'), fc.nat({ max: 2 }))
      .map(([text, at, inserted, dropped]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + inserted + text.slice(place + dropped);
      });
    fc.assert(
      fc.property(broken, (text) => {
        const error = fault(text);
        const isJson = String(error).endsWith('none');
        expect(problem(text).includes('at line')).toBe(!isJson);
        const position = /at position ([0-9]+)/.exec(String(error))?.[1];
        const column = /at line 1, column ([0-9]+)/.exec(problem(text))?.[1];
        // V8 gives a place inside a word or an escape; this code gives the place at which the word or the escape begins.
        if (position !== undefined && column !== undefined) {
          expect(Number(position) - (Number(column) - 1)).toBeGreaterThanOrEqual(0);
          expect(Number(position) - (Number(column) - 1)).toBeLessThan(7);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes deep nesting and a long text', () => {
    expect(problem('['.repeat(1_000_000))).toContain('it ends too early at line 1, column 1000001');
  });
});
