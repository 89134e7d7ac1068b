import { CSV_START, csvLine, csvOf } from './csv';

const cell = (value: string | number | boolean | null | undefined) => csvLine(['a', value]).slice('"a",'.length, -2);

describe('a line of CSV', () => {
  it.each([
    ['shop/web:1.4', '"shop/web:1.4"'],
    ['a, "b"\nc\rd', '"a, ""b""\nc\rd"'],
    ['Tür', '"Tür"'],
    ['', '""'],
    [600, '600'],
    [-1.5, '-1.5'],
    [true, 'true'],
    [null, ''],
    [undefined, ''],
  ])('has %j as %j', (value, written) => {
    expect(cell(value)).toBe(written);
  });

  it.each(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])(
    'keeps spreadsheets from running a text that begins with %j',
    (first) => {
      expect(cell(`${first}1+1`)).toBe(`"'${first}1+1"`);
      expect(cell(`a${first}`)).toBe(`"a${first}"`);
    },
  );

  it('stays in its cell with quotes before a formula', () => {
    expect(cell('=cmd|"/c calc"!A1')).toBe(`"'=cmd|""/c calc""!A1"`);
    expect(cell('x","=1+1')).toBe('"x"",""=1+1"');
  });
});

it('begins a file with the byte order mark, by which Excel reads UTF-8', () => {
  expect([...Buffer.from(csvOf([['Tür'], ['x', 1]])).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(csvOf([['Tür'], ['x', 1]])).toBe(`${CSV_START}"Tür"\r\n"x",1\r\n`);
});
