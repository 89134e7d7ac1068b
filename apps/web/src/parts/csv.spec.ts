import { csvOf } from './csv';

const cell = (value: string | number | null | undefined) => csvOf([['first', value]]).split('first,')[1];

describe('a file of CSV', () => {
  it.each([
    ['shop/web:1.4', 'shop/web:1.4'],
    ['a, "b"\nc', '"a, ""b""\nc"'],
    ['Tür', 'Tür'],
    [600, '600'],
    [-600, '-600'],
    [null, ''],
    [undefined, ''],
  ])('writes %j as %j', (value, written) => {
    expect(cell(value)).toBe(written);
  });

  it.each(['=1+1', '+1', '-1', '@sum', '\tx', '=cmd|"/c calc"!A1'])('keeps a spreadsheet from running %j', (text) => {
    expect(cell(text)).toMatch(/^"?'/);
  });

  it('begins with the byte order mark, by which Excel reads UTF-8', () => {
    expect([...Buffer.from(csvOf([['Tür'], ['x']])).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(csvOf([['Tür'], ['x']]).slice(1)).toBe('Tür\r\nx');
  });
});
