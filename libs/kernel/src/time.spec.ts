import { isoOf, isTime, SECONDS_MAX } from './time';

describe('times', () => {
  it('are of the years 1970 to 9999', () => {
    expect([0, 1.5, 1_700_000_000, SECONDS_MAX].every(isTime)).toBe(true);
    expect([-1, -0.5, SECONDS_MAX + 1, 1e15, Infinity, NaN].some(isTime)).toBe(false);
    expect(new Date(SECONDS_MAX * 1_000).toISOString()).toBe('9999-12-31T23:59:59.000Z');
  });

  it('are written in ISO 8601, and as numbers where no calendar holds them', () => {
    expect(isoOf(1_700_000_000_000)).toBe('2023-11-14T22:13:20.000Z');
    expect(isoOf(1e18)).toBe('1000000000000000 s since 1970');
    expect(isoOf(-1e18)).toBe('-1000000000000000 s since 1970');
  });
});
