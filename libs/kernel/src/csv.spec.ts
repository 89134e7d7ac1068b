import { csvLine } from './csv';

describe('a line of CSV', () => {
  it('has texts, numbers and words, and nothing for null', () => {
    expect(csvLine(['web', 1.5, true, false, null, ''])).toBe('web,1.5,true,false,,\r\n');
  });

  it('quotes what would end a cell or a line', () => {
    expect(csvLine(['a,b', 'a"b', 'a\nb', 'a\rb'])).toBe('"a,b","a""b","a\nb","a\rb"\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@x', '\tx', '\rx'])('keeps spreadsheets from running %j', (text) => {
    expect(csvLine([text]).replaceAll('"', '').startsWith(`'${text}`)).toBe(true);
    expect(csvLine([-1])).toBe('-1\r\n');
  });
});
