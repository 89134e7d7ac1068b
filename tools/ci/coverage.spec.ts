import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { problems } from './specification/page.ts';
import { testsOf } from './specification/titles.ts';

const TESTS = `
describe('lists', () => {
  it('are whole', () => {});
  it.each([1])('take %s', () => {});
  it.skip('is skipped', () => {});
});
describe.each([1])('pages of %s', () => {
  it("don't end", () => {});
  it('are whole', () => {});
  it.todo('is not written');
});
text('is no test', () => {});
`;
const ROW = '| lists are whole | [lists]: lists › are whole |';
const FILES = '[lists]: ../lists.spec.ts';
const page = (...rows: string[]) =>
  ['# Page', '## 1. Lists', '| what | test |', '| --- | --- |', ...rows, '', FILES].join('\n');

const testsIn = (path: string) => (path === '../lists.spec.ts' ? testsOf(TESTS) : null);

describe('the check of the coverage of the specification', () => {
  it('passes what is there, and says what is not', () => {
    const odd = ['line 5: the row is not "| what | [spec]: title of a test |"'];
    const no = (title: string) => [`line 5: ../lists.spec.ts has no test "${title}"`];
    const row = (text: string) => page(text, '## 2.1', ROW);
    const cases: readonly (readonly [string, readonly string[]])[] = [
      [page(ROW, '| lists | [lists]: take %s |', "| pages | [Lists]: don't end |", '### 2.1 Pages', ROW), []],
      [page(ROW), ['there is no section 2.1']],
      [
        page(ROW, '## 2.1', '## 2.11', ROW),
        ['line 6: section 2.1 has no row', 'line 7: the specification has no section 2.11'],
      ],
      [row('| a | [lists]: is skipped |'), no('is skipped')],
      [row('| a | [lists]: is not written |'), no('is not written')],
      [row('| a | [lists]: is no test |'), no('is no test')],
      [row('| a | [lists]: lists |'), no('lists')],
      [row('| a | [lists]: whole |'), no('whole')],
      [row('| a | [lists]: are whole |'), ['line 5: ../lists.spec.ts has 2 tests "are whole"']],
      [row('| a | [pages]: are whole |'), ['line 5: the page does not say which file [pages] is']],
      [row('| a | |'), odd],
      [row('| | [lists]: take %s |'), odd],
      [row('| a | take %s |'), odd],
      [row('| a | [lists]: take %s | b |'), odd],
      [`${row('| a | [gone]: b |')}\n[gone]: gone.spec.ts`, ['line 5: there is no spec gone.spec.ts']],
      [`${row(ROW)}\n[odd]: odd.spec.ts`, ['no row names [odd]']],
    ];
    for (const [text, expected] of cases) expect(problems(text, ['1', '2.1'], testsIn)).toEqual(expected);
  });

  it('passes the page as it stands', () => {
    const said = execFileSync(process.execPath, [join(__dirname, 'coverage.ts')], { encoding: 'utf8' });
    expect(said).toMatch(/^0 problems in \d+ rows of \d+ specs\n$/);
  });
});
