import { cellOf } from './csv';

describe('cells of CSV', () => {
  it.each([
    ['shop/web:1.4', 'shop/web:1.4'],
    ['a, "b"\nc', '"a, ""b""\nc"'],
    [600, '600'],
    [-600, '-600'],
    [null, ''],
    [undefined, ''],
  ])('writes %j as %j', (value, cell) => {
    expect(cellOf(value)).toBe(cell);
  });

  it.each(['=1+1', '+1', '-1', '@sum', '\tx'])('keeps a spreadsheet from running %j', (text) => {
    expect(cellOf(text)).toBe(`'${text}`);
  });
});
