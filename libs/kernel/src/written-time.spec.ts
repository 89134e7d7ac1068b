import { parseTime } from './written-time';

describe('a written time', () => {
  it.each([
    ['2023-10-02T12:00:00', '2023-10-02T12:00:00.000Z'],
    ['2023-10-02T12:00:00.123456Z', '2023-10-02T12:00:00.123Z'],
    ['2023-10-02T12:00:00+02:00', '2023-10-02T10:00:00.000Z'],
    ['2024-02-29T23:59:59-00:30', '2024-03-01T00:29:59.000Z'],
  ])('is %s', (text, expected) => {
    expect(new Date(parseTime(text) ?? NaN).toISOString()).toBe(expected);
  });

  it.each([
    '',
    '2023-02-29T00:00:00',
    '2023-10-02',
    '2023-10-02 12:00:00',
    '1969-12-31T00:00:00',
    '2023-10-02T24:00:00',
  ])('is not %j', (text) => {
    expect(parseTime(text)).toBeNull();
  });
});
