import { acceptsEncoding } from './accepts';

describe('acceptsEncoding', () => {
  it.each([
    ['gzip', true],
    ['br, GZIP', true],
    ['br , gzip\t;  q=0.5', true],
    ['gzip;q=1;x', true],
    ['gzip;q=0', false],
    ['gzip ; q=0.00', false],
    ['br', false],
    ['', false],
    [undefined, false],
  ])('reads %j as %j', (header, accepted) => {
    expect(acceptsEncoding(header, 'gzip')).toBe(accepted);
  });
});
